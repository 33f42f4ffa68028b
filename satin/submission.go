package satin

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/satin/control"
	"satingrid/steal"
)

// requested is a run as the one who asked for it sees it: one that computes alone, or one of the
// grid.
type requested interface {
	Admitted() <-chan struct{}
	ID() RunID
	Done() <-chan struct{}
	Answer() (any, error) // once it is done: an *outcome of the root's type
	Best() any
	Progress() float64
	Stats() Stats
}

// Submission is a run that was asked for.
type Submission[R any] struct {
	asked    requested
	progress atomic.Uint64
	foretold foretold
	release  func() // of what it has opened
	letGo    func() // nil: nobody would go on
}

// Submit starts a run on peer p and returns at once. A nil peer stands for this process alone: all
// cores, no network. Ending ctx withdraws the run, and ends it unless others wait for it. Wait must
// be called, or Release.
//
// The same root that is submitted twice, while the first run is on or kept, is one computation with
// two submissions.
func Submit[T Task[R], R any](ctx context.Context, p *Peer, task T, as ...Option) (*Submission[R], error) {
	release := func() {}
	if p == nil {
		var err error
		if p, err = Open(ctx, Config{Alone: true}); err != nil {
			return nil, err
		}
		release = sync.OnceFunc(func() { p.Close() })
	}
	j := &job[T, R]{task: task}
	j.index = noIndex
	t, err := p.termsOf(as)
	if err != nil {
		release()
		return nil, err
	}
	a, err := p.submit(ctx, j, t)
	if err != nil {
		release()
		return nil, err
	}
	u := &Submission[R]{asked: a, release: release, foretold: foretold{began: time.Now()}}
	if sub, ok := a.(*control.Submission); ok && t.Keep > 0 {
		u.letGo = func() { p.loop.Release(sub) }
	}
	return u, nil
}

// submit starts a run of the root job j: here, or on the grid.
func (p *Peer) submit(ctx context.Context, j slot, t terms) (requested, error) {
	if p.loop != nil {
		return p.submitRoot(ctx, j, t)
	}
	if err := p.pool.admit(j); err != nil {
		return nil, err
	}
	if err := p.checkRoot(j); err != nil {
		return nil, err
	}
	r, err := p.pool.newRun(ctx, j)
	if err != nil {
		return nil, err
	}
	r.resultMax = cmp.Or(int(t.ResultMax), r.resultMax)
	p.pool.enqueue(r.root)
	return r, nil
}

// checkRoot gives a root that computes alone under Strict a copy of its fields, as if they had
// travelled, or tells why they could not.
func (p *Peer) checkRoot(j slot) error {
	if !p.pool.strict || p.pool.staysHere {
		return nil
	}
	if _, err := p.rootFields(j); err != nil {
		return err
	}
	return raisedBy(j.renew(), p.app.taskName(j), steal.Key{}, p.Name())
}

// Run computes task on peer p and returns its answer. With a nil peer it computes alone, here, on
// all cores and without a network: what a run on a grid returns has the value that this returns.
//
// A run whose jobs Offer solutions answers with its best at the end.
//
// Alone, too, Run refuses task types that could not travel, and a run fails that spawns such a
// task: on a grid it would be wrong, or impossible. A program that will never be on one says so
// by Config.StaysHere.
func Run[T Task[R], R any](ctx context.Context, p *Peer, task T, as ...Option) (R, error) {
	sub, err := Submit[T, R](ctx, p, task, as...)
	if err != nil {
		var none R
		return none, err
	}
	return sub.Wait()
}

// Wait returns the answer. When the run fails, or is withdrawn because its context ended, the error
// says so; then Best may still have a partial answer.
func (u *Submission[R]) Wait() (R, error) {
	<-u.asked.Done()
	defer u.release()
	out, err := u.asked.Answer()
	if err != nil {
		var none R
		return none, err
	}
	o := out.(*outcome[R])
	if o.err != nil {
		return o.value, o.err
	}
	if _, alone := u.asked.(*run); alone {
		if best, ok := u.Best(); ok {
			return best, nil // a grid's answer is its best already
		}
	}
	return o.value, nil
}

// Accepted is closed when the grid has the run, and ID names it. One that is to be kept does not
// depend on this process, nor on any one peer, from then on: its record and its root are with its
// master and, where there is one, with another peer; a master that is alone has them on its disk.
// An answer is not held up for that: where it comes first, as that of a run of some milliseconds
// may, Accepted is closed with Done, and the grid may still lose what it keeps with one peer.
func (u *Submission[R]) Accepted() <-chan struct{} { return u.asked.Admitted() }

// ID is the id of the run that this submission is part of: [Attach], [Peer.CancelRun] and
// [Peer.ShareRun] take it. It is zero until the submission was accepted, and for a run that
// computes alone.
func (u *Submission[R]) ID() RunID { return u.asked.ID() }

// Release lets go of a run that is to be kept, or that was attached to: the grid goes on, and Wait
// returns [ErrReleased], unless the answer has come. What was not accepted may be lost. A run that
// is not to be kept nobody would go on with: the error says so, and nothing has happened.
func (u *Submission[R]) Release() error {
	if u.letGo == nil {
		return errors.New("satin: a run that is not kept ends with its submission; submit it with satin.Keep")
	}
	u.letGo()
	return nil
}

// Done is closed when the run has ended, or was let go of.
func (u *Submission[R]) Done() <-chan struct{} { return u.asked.Done() }

// Progress is how much of what the run will cost was spent, from 0 to 1, as it guesses from what
// those of its jobs have cost that have ended. It never falls, so that where it was guessed too
// high it stands still for a while. How long the run will take yet says Remaining.
func (u *Submission[R]) Progress() float64 {
	now := u.asked.Progress()
	for {
		last := u.progress.Load()
		if now <= math.Float64frombits(last) || now >= allKnown && now < 1 {
			return math.Float64frombits(last)
		}
		if u.progress.CompareAndSwap(last, math.Float64bits(now)) {
			return now
		}
	}
}

// allKnown is from where on all jobs that are known have ended. That may be so of a run that has
// hardly begun, whose next ones nobody knows yet, and says nothing.
const allKnown = 0.998

// Best is the best solution so far of a run whose jobs Offer; it is also there when the
// run was interrupted.
func (u *Submission[R]) Best() (R, bool) {
	if v, ok := u.asked.Best().(*R); ok {
		return *v, true
	}
	var none R
	return none, false
}

// Stats tells what the run has done so far. While the run goes on it lags: by a fifth of a second
// alone, by a second on a grid.
func (u *Submission[R]) Stats() Stats { return u.asked.Stats() }
