package satin

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

// run is one computation on this peer.
type run struct {
	id     uint64
	pool   *pool
	ctx    context.Context
	cancel context.CancelCauseFunc
	root   *shared
	fields any                       // *T, the root task's fields
	yields reflect.Type              // the root task's result type
	key    func() (steal.Key, error) // the run key
	seed   func() (steal.Key, error) // what random sources start from: the same with and without an App

	over    atomic.Bool
	jobs    atomic.Int64
	aborted atomic.Int64
	busy    atomic.Int64 // nanoseconds of workers
	best    incumbent
	values  values
	locals  []values // by worker

	mu     sync.Mutex
	status error // why it is over; nil after success
	done   chan struct{}
}

var runIDs atomic.Uint64

// newRun makes a run whose root is the job j; nothing of it starts yet.
func (p *pool) newRun(ctx context.Context, j slot) (*run, error) {
	_, yields := j.types()
	r := &run{
		id:     runIDs.Add(1),
		pool:   p,
		fields: j.fields(),
		yields: yields,
		locals: make([]values, p.workers),
		done:   make(chan struct{}),
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.key = sync.OnceValues(r.runKey)
	r.seed = sync.OnceValues(func() (steal.Key, error) { return keyOfTask(steal.Key{}, typeName(j), r.fields) })
	r.root = &shared{job: j, run: r, state: offered, ended: func(*shared) { r.finish(nil) }}
	if err := p.addRun(r); err != nil {
		return nil, err
	}
	context.AfterFunc(r.ctx, func() { r.fail(context.Cause(r.ctx)) })
	return r, nil
}

// finish ends the run, once: with success when err is nil, and otherwise withdrawing what still runs.
func (r *run) finish(err error) {
	r.mu.Lock()
	if r.over.Load() {
		r.mu.Unlock()
		return
	}
	r.status = err
	r.over.Store(true)
	close(r.done)
	r.mu.Unlock()
	r.pool.dropRun(r)
	r.cancel(ErrWithdrawn)
}

// fail ends the run with an error and tells every job of it to stop.
func (r *run) fail(err error) {
	r.finish(err)
	r.root.withdraw()
	for _, s := range *r.pool.fibers.Load() {
		s.mail()
	}
}

// failWith ends the run because of what one of its jobs did, everywhere.
func (r *run) failWith(err error) {
	why, ok := err.(*PanicError)
	if !ok {
		why = &PanicError{Task: typeName(r.root.job), Peer: r.pool.name, Value: err}
	}
	r.pool.outside.Panicked(r, why)
	r.fail(err)
}

func (r *run) isOver() bool { return r.over.Load() }

// enter and leave count the time that a worker spends in the run.
func (r *run) enter(s *Scope) { s.worker.since = time.Now() }
func (r *run) leave(s *Scope) { r.busy.Add(int64(time.Since(s.worker.since))) }

// countJobs hands the fiber's count over to the run.
func (s *Scope) countJobs() {
	s.run.jobs.Add(s.jobs)
	s.jobs = 0
}

// addRun makes the run one of the pool's, and starts the ticks with the first.
func (p *pool) addRun(r *run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	p.runs[r] = struct{}{}
	if len(p.runs) == 1 {
		p.ticking = make(chan struct{})
		p.ended.Add(1)
		go p.ticks(p.ticking)
	}
	return nil
}

// dropRun forgets the run, and stops the ticks with the last.
func (p *pool) dropRun(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.runs[r]; !ok {
		return
	}
	delete(p.runs, r)
	if len(p.runs) == 0 {
		close(p.ticking)
	}
}

// Submission is a run that was asked for.
type Submission[R any] struct {
	run      *run
	progress atomic.Uint64
	release  func()
}

// Submit starts a run on peer p and returns at once. A nil peer stands for this process alone: all cores,
// no network. Ending ctx withdraws the run.
func Submit[T Task[R], R any](ctx context.Context, p *Peer, task T) (*Submission[R], error) {
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
	r, err := p.pool.newRun(ctx, j)
	if err != nil {
		release()
		return nil, err
	}
	p.pool.submit(r.root)
	return &Submission[R]{run: r, release: release}, nil
}

// Run computes task on peer p and returns its answer. With a nil peer it computes alone, here, on all cores
// and without a network: what a run on a grid returns has the value that this returns.
//
// A run whose jobs Offer solutions answers with its best at the end.
func Run[T Task[R], R any](ctx context.Context, p *Peer, task T) (R, error) {
	sub, err := Submit(ctx, p, task)
	if err != nil {
		var none R
		return none, err
	}
	return sub.Wait()
}

// Wait returns the answer. When the run fails, or is withdrawn because its context ended, the error says so;
// then Best may still have a partial answer.
func (u *Submission[R]) Wait() (R, error) {
	<-u.run.done
	defer u.release()
	r := u.run
	if r.status != nil {
		var none R
		return none, r.status
	}
	out := r.root.outcome().(*outcome[R])
	if out.err != nil {
		return out.value, out.err
	}
	if best, ok := u.Best(); ok {
		return best, nil
	}
	return out.value, nil
}

// Done is closed when the run has ended.
func (u *Submission[R]) Done() <-chan struct{} { return u.run.done }

// Progress estimates how much of the run is done, from 0 to 1. It never falls.
func (u *Submission[R]) Progress() float64 {
	now := u.run.root.progress.Load()
	for {
		last := u.progress.Load()
		if math.Float64frombits(now) <= math.Float64frombits(last) {
			return math.Float64frombits(last)
		}
		if u.progress.CompareAndSwap(last, now) {
			return math.Float64frombits(now)
		}
	}
}

// Best is the best solution so far of a run whose jobs Offer; it is also there when the run was interrupted.
func (u *Submission[R]) Best() (R, bool) {
	if v, ok := u.run.best.load().(*R); ok {
		return *v, true
	}
	var none R
	return none, false
}

// Stats is what a run has done so far.
type Stats struct {
	Peers []PeerStats
}

// PeerStats is one peer's share of a run.
type PeerStats struct {
	Name    string
	Site    string
	Workers int
	Jobs    int64   // jobs started
	Aborted int64   // jobs given up by Abort, First or an error
	Busy    float64 // worker seconds spent in the run
}

// Stats tells what the run has done so far; it lags by at most a fifth of a second while the run goes on.
func (u *Submission[R]) Stats() Stats {
	r := u.run
	return Stats{Peers: []PeerStats{{
		Name: r.pool.name, Workers: r.pool.workers,
		Jobs: r.jobs.Load(), Aborted: r.aborted.Load(), Busy: time.Duration(r.busy.Load()).Seconds(),
	}}}
}

// String names the run by its root.
func (r *run) String() string { return fmt.Sprintf("run %d (%s)", r.id, typeName(r.root.job)) }
