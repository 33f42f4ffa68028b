package control

import (
	"context"
	"sync/atomic"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// Submission is a submission of this process to the grid.
type Submission struct {
	loop *Loop
	root peer.Root
	read func(steal.Result) (any, error) // the answer
	// this process's part of it, if any: it has the best
	run      atomic.Pointer[workers.Run]
	runStats *runStats
	over     chan struct{} // closed when the answer, or an error, is there

	since    atomic.Int64 // by the loop's clock, when it was submitted …
	took     atomic.Int64 // … and how long the answer took, once it has come
	nonce    steal.Nonce  // the loop's
	answered bool         // the loop's: the answer has come, and is being read
	isRead   bool         // so too …
	isWhole  bool         // … and its statistics are as whole as they will be
	unwatch  func() bool  // the loop's: its context is not looked at any more
	out      any          // written before over is closed
	err      error
}

// Submit asks the grid for a run of a root. The answer is read by read, beside the loop. Ending ctx
// withdraws it.
func (l *Loop) Submit(
	ctx context.Context, root peer.Root, read func(steal.Result) (any, error),
) (*Submission, error) {
	sub := &Submission{
		loop: l, root: root, read: read,
		runStats: newRunStats(l.conf.Clock), over: make(chan struct{}),
	}
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
	l.post(func() { sub.watch(ctx) })
	return sub, nil
}

// watch cancels the submission when its context ends. The context may live for long: it must not
// hold on to the root of a submission that is over.
func (u *Submission) watch(ctx context.Context) {
	l := u.loop
	if l.subs[u.nonce] == u {
		u.unwatch = context.AfterFunc(ctx, func() {
			l.post(func() { l.cancelSub(u, context.Cause(ctx)) })
		})
	}
}

// end hands on what the submission came to.
func (u *Submission) end() {
	if u.unwatch != nil {
		u.unwatch()
	}
	close(u.over)
}

// submit hands the submission to the machine.
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
	sub.nonce = nonce
	sub.since.Store(int64(l.now()))
	l.subs[nonce] = sub
	for _, g := range l.runs {
		if g.instance.Run == sub.root.Run {
			sub.run.Store(&g.at)
		}
	}
	l.do(effects)
	return nil
}

// deliver takes the answer. It is handed on when it has been read, and the machine says that no
// more statistics are worth waiting for.
func (l *Loop) deliver(e peer.Deliver) {
	sub := l.subs[e.Nonce]
	if sub == nil {
		return
	}
	if e.Result.Outcome == steal.Value {
		sub.runStats.answered(time.Duration(e.Result.Cost) * time.Millisecond)
	}
	sub.answered = true
	sub.took.Store(int64(l.now()) - sub.since.Load())
	l.goroutines.Add(1)
	go func() {
		defer l.goroutines.Done()
		out, err := sub.read(e.Result)
		l.post(func() {
			sub.out, sub.err, sub.isRead = out, err, true
			l.handOn(sub)
		})
	}()
}

// handOn hands an answer on, if that is due.
func (l *Loop) handOn(sub *Submission) {
	if sub.isRead && sub.isWhole && l.subs[sub.nonce] == sub {
		delete(l.subs, sub.nonce)
		sub.end()
	}
}

// findRuns looks for this process's parts of the runs that were asked for.
func (l *Loop) findRuns() {
	for nonce, sub := range l.subs {
		if no, ok := l.machine.Sight().RunOf(nonce); ok && l.runs[no] != nil {
			sub.run.Store(&l.runs[no].at)
		}
	}
}

// cancelSub withdraws a submission.
func (l *Loop) cancelSub(sub *Submission, why error) {
	if l.subs[sub.nonce] != sub || sub.answered {
		return
	}
	delete(l.subs, sub.nonce)
	sub.err = why
	sub.end()
	l.do(l.machine.Cancel(l.now(), sub.nonce))
}

// Done is closed when the answer, or an error, is there.
func (u *Submission) Done() <-chan struct{} { return u.over }

// Answer is what came of it, once that is there.
func (u *Submission) Answer() (any, error) { return u.out, u.err }

// Best is the best so far that is known here, or nil.
func (u *Submission) Best() any {
	if r := u.run.Load(); r != nil {
		return (*r).Best()
	}
	return nil
}

// Progress is how far its master has told that it is.
func (u *Submission) Progress() float64 {
	u.runStats.mu.Lock()
	defer u.runStats.mu.Unlock()
	return u.runStats.progress
}

// Stats are what its peers have told so far.
func (u *Submission) Stats() Stats {
	s := u.runStats.stats()
	took := time.Duration(u.took.Load())
	if took == 0 {
		took = u.loop.now() - time.Duration(u.since.Load())
	}
	s.Seconds = took.Seconds()
	return s
}

// endSubs fails what was asked for and not answered when the loop ends.
func (l *Loop) endSubs() {
	for nonce, sub := range l.subs {
		delete(l.subs, nonce)
		if !sub.isRead {
			sub.err = context.Cause(l.ctx)
		}
		sub.end()
	}
}

// fault tells of an answer that contradicts an earlier one.
func (l *Loop) fault(e peer.Fault) {
	l.conf.log().Error(e.Text)
	l.tell(Event{Kind: EventFault})
}
