package control

import (
	"context"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// joins is the run that a submission is for, when that was on before.
type joins struct {
	id    steal.Key
	task  string        // that the program has for it
	found chan struct{} // closed when what follows is there
	root  []byte
}

// Attach waits for the answer of a run that is on or kept, by its id, and returns when its root is
// here. The answer is read by read, beside the loop. Ending ctx ends that, and not the run. task is
// the name of the root's; that of the run must be the same.
func (l *Loop) Attach(
	ctx context.Context, id steal.Key, task string, read func(steal.Result) (any, error),
) (sub *Submission, root []byte, err error) {
	sub = newSubmission(l, peer.Root{}, read)
	sub.joins = &joins{id: id, task: task, found: make(chan struct{})}
	if sub, err = l.begin(ctx, sub); err != nil {
		return nil, nil, err
	}
	select {
	case <-sub.joins.found:
	case <-sub.over:
		if sub.joins.root == nil {
			return nil, nil, sub.err
		}
	}
	return sub, sub.joins.root, nil
}
