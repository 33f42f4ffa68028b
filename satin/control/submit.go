package control

import (
	"context"
	"errors"
	"slices"
	"strings"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Submit asks the grid for a run of a root. The answer is read by read, beside the loop. Ending ctx
// withdraws it.
func (l *Loop) Submit(
	ctx context.Context, root peer.Root, read func(steal.Result) (any, error),
) (*Submission, error) {
	sub := newSubmission(l.conf.Clock, root, read)
	failed := make(chan error, 1)
	l.post(func() { failed <- l.submit(sub) })
	var err error
	select {
	case err = <-failed:
	case <-l.ctx.Done():
		err = context.Cause(l.ctx)
	}
	if err != nil {
		return nil, err
	}
	l.post(func() { l.watch(ctx, sub) })
	return sub, nil
}

// submit hands a submission to the machine.
func (l *Loop) submit(sub *Submission) error {
	for _, m := range l.machine.Sight().Members() {
		sub.runStats.joined(m)
	}
	if !l.conf.Client {
		sub.runStats.joined(l.machine.Sight().Self())
	}
	nonce, effects, err := l.machine.Submit(l.now(), sub.root)
	if err != nil {
		return err
	}
	l.submissions.add(nonce, sub)
	for _, r := range l.runs.on {
		l.submissions.starts(r.instance, &r.at)
	}
	l.do(effects)
	return nil
}

// watch withdraws a submission when its context ends. The context may live for long: it must not
// hold on to the root of a submission that is over.
func (l *Loop) watch(ctx context.Context, sub *Submission) {
	if l.submissions.has(sub) {
		sub.unwatch = context.AfterFunc(ctx, func() {
			l.post(func() { l.withdraw(sub, context.Cause(ctx)) })
		})
	}
}

// withdraw withdraws a submission.
func (l *Loop) withdraw(sub *Submission, why error) {
	if l.submissions.withdraw(sub, why) {
		l.do(l.machine.Cancel(l.now(), sub.nonce))
	}
}

// Runs are the runs that the grid computes now, by key.
func (l *Loop) Runs() []RunStats {
	var list []RunStats
	l.ask(func() {
		for no, r := range l.runs.on {
			mine := len(l.submissions.of(no)) > 0
			list = append(list, r.stats(mine, l.masters.of[no] == l.self))
		}
	})
	slices.SortFunc(list, func(a, b RunStats) int {
		return strings.Compare(a.Key.String(), b.Key.String())
	})
	return list
}

// CancelRun withdraws a run of the grid, whoever has submitted it, and tells whether it was on. A
// client withdraws its own submissions of it.
func (l *Loop) CancelRun(id steal.Key) (found bool) {
	l.ask(func() { found = l.cancelRun(id) })
	return found
}

// cancelRun withdraws a run, and tells whether it was on.
func (l *Loop) cancelRun(id steal.Key) (found bool) {
	for no, r := range l.runs.on {
		if r.instance.ID() != id {
			continue
		}
		if !l.conf.Client {
			l.do(l.machine.CancelRun(l.now(), no))
			return true
		}
		for _, sub := range l.submissions.of(no) {
			l.withdraw(sub, errCancelled)
			found = true
		}
	}
	return found
}

var errCancelled = errors.New("satin: the run was cancelled")

// runBegins hears of a run that the workers were told of.
func (l *Loop) runBegins(r *runHere, promised uint32) {
	l.incoming.promise(promised)
	l.submissions.starts(r.instance, &r.at)
}

// runEnds hears that one has ended.
func (l *Loop) runEnds(no peer.RunNo, rootBytes int) {
	l.masters.ended(no)
	l.giveBack.gone(rootBytes)
}

// mastered notes who is master, and whose loss it is when this peer starts a root that another had.
func (l *Loop) mastered(e peer.Mastered) {
	isOn := func(no peer.RunNo) bool { return l.runs.on[no] != nil }
	before := l.masters.mastered(e.Run, e.Master, isOn)
	l.tellMaster(e.Run, e.Master)
	if e.Master == l.self && before != l.self {
		l.runs.succeeds(e.Run, before)
	}
}

// tellMaster tells of a run's master, as soon as its name is known.
func (l *Loop) tellMaster(no peer.RunNo, master membership.PeerID) {
	name := l.nameOf(master)
	if name == string(master) {
		l.masters.isUnnamed(no, master)
		return
	}
	l.tell(Event{Kind: EventMaster, Peer: name, ID: string(master)})
	l.submissions.mastered(no, master, name)
}
