package satin

import (
	"context"
	"math"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/satin/peer"
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
	// what random sources start from: the same with and without an App
	seed func() (steal.Key, error)

	grid      *gridRun // what the control loop knows it by; nil for a run that computes alone
	resultMax int      // bytes of a result that leaves the process
	// of the workers, beside other runs; pool.mu guards it once the run has been added
	share uint16
	due   due // pool.mu guards it

	over atomic.Bool
	// results of it may be had from elsewhere: ticks make the keys of waiting jobs
	lookups atomic.Bool
	turn    atomic.Uint32 // counts the times that keys were listed
	unkept  atomic.Bool   // something finished is in no part, for want of room
	// a job here read the best, or used First or Abort: values may depend on timing
	choosing atomic.Bool
	jobs     atomic.Int64
	aborted  atomic.Int64
	busy     atomic.Int64 // nanoseconds of workers
	best     incumbent
	facts    facts
	values   values
	locals   []values // by worker

	began time.Time
	took  atomic.Int64 // nanoseconds until it was over

	mu     sync.Mutex
	status error // why it is over; nil after success
	done   chan struct{}
}

var runIDs atomic.Uint64

// newRun makes a run whose root is the job j; nothing of it starts yet.
func (p *pool) newRun(ctx context.Context, j slot) (*run, error) {
	_, yields := j.types()
	r := &run{
		id:        runIDs.Add(1),
		resultMax: resultMaxDefault,
		share:     peer.ShareDefault,
		began:     time.Now(),
		pool:      p,
		fields:    j.fields(),
		yields:    yields,
		locals:    make([]values, p.workers),
		done:      make(chan struct{}),
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.key = sync.OnceValues(func() (steal.Key, error) { return p.app.runKey(p.app.taskName(j), r.fields) })
	r.seed = sync.OnceValues(func() (steal.Key, error) { return keyOfTask(steal.Key{}, typeName(j), r.fields) })
	r.root = &shared{job: j, run: r, state: offered, isRoot: true, ended: r.rootEnded}
	if err := p.addRun(r); err != nil {
		r.cancel(err)
		return nil, err
	}
	context.AfterFunc(r.ctx, func() { r.fail(context.Cause(r.ctx)) })
	return r, nil
}

// rootEnded ends the run with what its root came to. A root without an outcome has seen
// that the context ended.
func (r *run) rootEnded(h *shared) {
	if h.outcome() == nil {
		r.finish(context.Cause(r.ctx))
		return
	}
	r.finish(nil)
}

// finish ends the run, once: with success when err is nil, and otherwise
// withdrawing what still runs.
func (r *run) finish(err error) {
	r.mu.Lock()
	if r.over.Load() {
		r.mu.Unlock()
		return
	}
	r.status = err
	r.took.Store(int64(time.Since(r.began)))
	r.over.Store(true)
	close(r.done)
	r.mu.Unlock()
	r.pool.dropRun(r)
	r.cancel(ErrWithdrawn)
}

// fail ends the run with an error and tells every job of it to stop.
func (r *run) fail(err error) {
	r.finish(err)
	r.root.withdraw(false)
	for _, s := range *r.pool.fibers.Load() {
		s.mail()
	}
}

// failWith ends the run because of what one of its jobs did, everywhere.
func (r *run) failWith(err error) {
	err = raisedBy(err, r.pool.app.taskName(r.root.job), steal.Key{}, r.pool.name)
	r.pool.outside.Failed(r, err)
	r.fail(err)
}

// failJob ends the run because of what came of the encoding of one of its jobs.
func (r *run) failJob(j slot, err error) {
	r.failWith(raisedBy(err, r.pool.app.taskName(j), steal.Key{}, r.pool.name))
}

// choose notes that values of this run may depend on timing.
func (r *run) choose() {
	if !r.choosing.Load() {
		r.choosing.Store(true)
	}
}

func (r *run) isOver() bool { return r.over.Load() }

// isEnding tells whether the run is over or about to be: jobs may have seen that its context has
// ended, and what they return then is no result.
func (r *run) isEnding() bool { return r.isOver() || r.ctx.Err() != nil }

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
	p.enterTurns(r)
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
	p.leaveTurns(r)
	if len(p.runs) == 0 {
		close(p.ticking)
	}
	for _, w := range p.asleep {
		p.forgetEnded(w.fiber)
	}
	for _, s := range p.idle {
		p.forgetEnded(s)
	}
}

// forgetEnded has a fiber without a job, which sleeps until p.mu is free, let go of the jobs of a
// run that is over: their fields may hold on to the root. The caller holds p.mu.
func (p *pool) forgetEnded(s *Scope) {
	if s.lastRun == 0 {
		return
	}
	for r := range p.runs {
		if r.id == s.lastRun {
			return
		}
	}
	s.lastRun = 0
	s.slots = make([]slot, slotsMin)
	clear(s.spare[:cap(s.spare)])
	s.spare = s.spare[:0]
	clear(s.frames[:cap(s.frames)])
}

// Done, Answer, Best, Progress and Stats are what a Submission asks of a run that computes alone.

func (r *run) Done() <-chan struct{} { return r.done }

func (r *run) Answer() (any, error) {
	if r.status != nil {
		return nil, r.status
	}
	return r.root.outcome(), nil
}

func (r *run) Best() any { return r.best.load() }

func (r *run) Progress() float64 { return math.Float64frombits(r.root.progress.Load()) }

func (r *run) Stats() Stats {
	took := time.Duration(r.took.Load())
	if took == 0 {
		took = time.Since(r.began)
	}
	return Stats{Seconds: took.Seconds(), Masters: []string{r.pool.name}, Peers: []PeerStats{{
		Name: r.pool.name, Site: r.pool.name, State: "here", Workers: r.pool.workers,
		Jobs: r.jobs.Load(), Aborted: r.aborted.Load(), Busy: time.Duration(r.busy.Load()).Seconds(),
	}}}
}
