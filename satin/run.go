package satin

import (
	"context"
	"fmt"
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

	no        peer.RunNo // what the machine knows it by; 0 for a run that computes alone
	resultMax int        // bytes of an encoded result
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
	redone   redone
	trends   trends

	began  time.Time
	lasted atomic.Int64 // nanoseconds until it was over

	mu     sync.Mutex
	status error // why it is over; nil after success
	done   chan struct{}
}

// due is what a run's turns depend on. pool.mu guards it.
type due struct {
	credit  *steal.Credit
	waits   uint64 // the round in which something of it waited for a worker
	running int    // workers, at the last look
}

// resultMaxDefault is what an encoded result may have where nobody says otherwise.
const resultMaxDefault = peer.ResultCarried

var runIDs atomic.Uint64

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
	r.lasted.Store(int64(time.Since(r.began)))
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
	r.pool.fibers.mail()
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

// unfit ends the run because the fields or the result of one of its jobs cannot travel.
func (r *run) unfit(j slot, what string, err error) {
	r.failJob(j, fmt.Errorf("satin: the %s of a job of task %s cannot travel: %w", what, r.pool.app.taskName(j), err))
}

// fits fails the run of a result of more bytes than its submitter has asked for: who executes a job
// must not decide what its run comes to.
func (r *run) fits(j slot, bytes int) bool {
	if bytes <= r.resultMax {
		return true
	}
	r.failWith(fmt.Errorf("satin: a result of task %s is %d bytes: %d may travel (Config.ResultMax)",
		r.pool.app.taskName(j), bytes, r.resultMax))
	return false
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

// What a Submission asks of a run that computes alone.

func (r *run) Admitted() <-chan struct{} { return alwaysClosed }

func (r *run) ID() RunID { return RunID{} }

// alwaysClosed is when a run that computes alone is accepted.
var alwaysClosed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

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
	took := time.Duration(r.lasted.Load())
	if took == 0 {
		took = time.Since(r.began)
	}
	return Stats{Seconds: took.Seconds(), Masters: []string{r.pool.name}, Done: r.Progress(), Peers: []PeerStats{{
		Name: r.pool.name, Site: r.pool.name, State: "here", Workers: r.pool.workers,
		Jobs: r.jobs.Load(), Aborted: r.aborted.Load(), Busy: time.Duration(r.busy.Load()).Seconds(),
	}}}
}
