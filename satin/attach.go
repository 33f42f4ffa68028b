package satin

import (
	"context"
	"fmt"
	"time"

	"satingrid/steal"
)

// Attach waits for the answer of a run that was submitted before, by whomever, and that is on or
// has its answer kept; see [Keep]. id is what [Submission.ID] and [Peer.Runs] tell. It returns the
// root as well, once that is here: what the run computes. The submission is one more of that run,
// and ending ctx, or [Submission.Release], ends nothing but that. When somebody cancels the run,
// Wait says so.
//
// Where there is no such run the error is [ErrNoRun], and another when its root is of another type
// than T: [Peer.Runs] tells of which.
func Attach[T Task[R], R any](ctx context.Context, p *Peer, id RunID) (*Submission[R], *T, error) {
	if p == nil || p.loop == nil {
		return nil, nil, fmt.Errorf("%w: %s", ErrNoRun, id.Short())
	}
	j := &job[T, R]{}
	j.index = noIndex
	task := p.app.taskName(j)
	if err := p.knows(task); err != nil {
		return nil, nil, err
	}
	read := answerOf{j.decode, task, steal.Key{}, p.Name()}
	sub, root, err := p.loop.Attach(ctx, id, task, read.read)
	if err != nil {
		return nil, nil, err
	}
	u := &Submission[R]{asked: sub, release: func() {}, letGo: func() { p.loop.Release(sub) }, foretold: foretold{began: time.Now()}}
	if err := j.load(root); err != nil {
		p.loop.Release(sub)
		err = fmt.Errorf("satin: the root task %s of run %s cannot be read: %w", task, id.Short(), err)
		return nil, nil, raisedBy(err, task, steal.Key{}, p.Name())
	}
	return u, &j.task, nil
}

// BestOf is the root of a run that is on or kept, and the best solution of it that this peer holds,
// whoever has submitted it. It asks nobody, and is no submission: [RunStats] tells by its Best when
// there is a better one. Where this peer holds none, or knows no such run whose root is a T, ok is
// false.
func BestOf[T Task[R], R any](p *Peer, id RunID) (root *T, best R, ok bool) {
	if p == nil || p.loop == nil {
		return nil, best, false
	}
	j := &job[T, R]{}
	j.index = noIndex
	fields, held := p.loop.BestOf(id, p.app.taskName(j))
	found, ok := held.(*R)
	if !ok || j.load(fields) != nil {
		return nil, best, false
	}
	return &j.task, *found, true
}

// knows tells why a task cannot be a run's root on this grid.
func (p *Peer) knows(task string) error {
	if _, ok := p.app.byName[task]; !ok {
		return fmt.Errorf("satin: task %s is not in Config.App.Tasks, so no peer could run it: list satin.Type[%s]() there", task, task)
	}
	return nil
}
