package control

import (
	"context"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// Submit asks the grid for a run of a root. The answer is read by read, beside the loop. Ending ctx
// withdraws it.
func (l *Loop) Submit(
	ctx context.Context, root peer.Root, read func(steal.Result) (any, error),
) (*Submission, error) {
	return l.begin(ctx, newSubmission(l, root, read))
}

// begin begins a submission, which ends with ctx.
func (l *Loop) begin(ctx context.Context, sub *Submission) (*Submission, error) {
	ctx.Err() // a nil one panics here, where the caller is, and not once it is submitted
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
	l.watch(ctx, sub)
	return sub, nil
}

// submit hands a submission to the driver.
func (l *Loop) submit(sub *Submission) error {
	nonce, effects, err := l.asks(sub)
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

// asks asks for it: for a run, or for one that is on.
func (l *Loop) asks(sub *Submission) (steal.Nonce, []peer.Effect, error) {
	if j := sub.joins; j != nil {
		return l.driver.Attach(j.id, j.task)
	}
	return l.driver.Submit(sub.root)
}

// watch withdraws a submission when its context ends. The context may live for long: it must not
// hold on to the root of a submission that is over.
// It is called beside the loop: a context may be the program's own.
func (l *Loop) watch(ctx context.Context, sub *Submission) {
	sub.isWatchedBy(context.AfterFunc(ctx, func() {
		why := context.Cause(ctx)
		l.post(func() {
			if l.submissions.has(sub) {
				sub.why = why
				l.driver.Withdraw(sub.nonce)
			}
		})
	}))
}

// Release lets go of a submission: its answer is not waited for here any more, and what it keeps
// goes on.
func (l *Loop) Release(sub *Submission) {
	l.ask(func() { l.driver.Release(sub.nonce) })
}

// runBegins hears of a run that the workers were told of.
func (l *Loop) runBegins(r *runHere, promised uint32) {
	l.incoming.promise(promised)
	l.submissions.starts(r.instance, &r.at)
}
