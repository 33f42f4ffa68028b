package satin

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

// shared is what others than its parent may know of a job: thieves, ticks, the control loop. A job
// has none until it is published, pinned by a tick, lent, or done before it is waited for.
type shared struct {
	job    slot
	run    *run
	owner  *fiber // whose deque it is in; nil for a job from outside the process
	notify bool   // its parent is in First and wants to hear of its end
	synced bool   // Sync has reported its end; the owner's
	// its fields as they came from another process, until it is begun; nil: they are in the job
	unread []byte
	packed []byte // its fields, where packing them once took too long
	isRoot bool   // it executes where its run's master is
	// it is executed again to verify what another process returned, and is not lent
	stays    bool
	verifies bool // so is it, or a job above it, here or elsewhere: its result is not verified
	progress atomic.Uint64
	// what it costs, while it is executed here; nil: not known
	appraised atomic.Pointer[appraisal]
	// when a worker here took a job from outside, since the pool's start; 0: none has
	begunHere atomic.Int64
	// 1 + its place among the arrived in the owner's checkpoint, guarded by that; 0 when it is
	// not there
	arrival int

	mu      sync.Mutex // protects what follows
	state   sharedState
	thief   *fiber // who runs it, once taken
	waiter  *fiber // who sleeps until it is done
	out     result
	part    part // what is kept of the result, and what it cost; written before state is done
	early   bool // the result came from elsewhere: a thief may still read the task
	orphan  bool // withdrawn with salvage: until its thief is told it may still have a result
	key     steal.Key
	keyed   bool
	ref     steal.Ref     // what the control loop knows it by, while it is lent
	lentAt  time.Time     // the last time
	begunAt time.Time     // when its thief first told that it was worked on; zero: never
	again   *redoReason   // why it is done again, if it is
	ended   func(*shared) // for a job from outside: called when it is done or withdrawn
}

type sharedState uint8

const (
	private   sharedState = iota // its parent will run it, or runs it
	offered                      // in a public part
	taken                        // a thief of this process has it
	lent                         // another process has it
	done                         // out is its result
	withdrawn                    // nobody wants it
)

// private tells whether only the owner may start the job.
func (h *shared) private() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state == private
}

// open tells whether whoever comes first may start the job.
func (h *shared) open() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state == offered
}

func (h *shared) offer() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state != private {
		panic("satin: BUG: a job was published twice")
	}
	h.state = offered
}

// claim makes the job the caller's to run: its parent's, or a thief's.
func (h *shared) claim(by *fiber) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case by == h.owner && (h.state == private || h.state == offered):
		h.state = private
		return true
	case h.state == offered:
		h.state, h.thief = taken, by
		return true
	}
	return false
}

// retire ends a job whose result has been handed over. It tells whether nobody but the owner reads
// the task any more, so that its object may hold another.
func (h *shared) retire() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	read := h.state == private || h.state == done && !h.early
	if h.state == private {
		h.state = done
	}
	return read
}

// outcome is the result, or nil while there is none.
func (h *shared) outcome() result {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.out
}

// store puts a result that the owner has made, or been given.
func (h *shared) store(out result, x part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.out == nil {
		h.state, h.out, h.part = done, out, x
	}
}

// isTaken tells whether a worker has the job.
func (h *shared) isTaken() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state == taken
}

// partNow is what is known of the result as a part.
func (h *shared) partNow() part {
	if h == nil {
		return part{}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.part
}

func (h *shared) setPart(x part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.part = x
}

// fulfil ends the job with a result, made by a thief of this process or come from outside (by is
// nil), and wakes who waits for it. A job that is withdrawn or has a result already drops it, and
// so does one that its parent has claimed: that is given a value by letter only.
func (h *shared) fulfil(out result, x part, by *fiber) bool {
	h.mu.Lock()
	if h.state == done || h.state == withdrawn || h.state == private {
		h.mu.Unlock()
		return false
	}
	was, thief, waiter, ended := h.state, h.thief, h.waiter, h.ended
	h.state, h.out, h.thief, h.waiter = done, out, nil, nil
	h.early = by == nil
	left := h.orphan && h.owner != nil // its parent was told to stop, and cannot keep it
	if !left && h.owner != nil && x.result != nil && !h.owner.checkpoint.room.take(len(x.result)) {
		x.result = nil
		h.run.unkept.Store(true)
	}
	h.part = x
	if h.again != nil {
		h.again.ended(x.cost)
	}
	if !left && h.owner != nil && x.result != nil {
		h.owner.checkpoint.arrive(h)
	}
	h.mu.Unlock()
	if left && x.result != nil {
		h.run.pool.outside.Salvaged([]runPart{{h.run, x}})
	}
	h.progress.Store(math.Float64bits(1))
	if thief != nil && thief != by {
		thief.mail()
	}
	if was == lent {
		h.recall()
	}
	if waiter != nil {
		waiter.unpark()
	}
	if h.notify && h.owner != nil {
		h.owner.mail()
	}
	if ended != nil {
		ended(h)
	}
	return true
}

// over tells a thief that nobody waits for what it computes.
func (h *shared) over() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state == done || h.state == withdrawn
}

// await registers f as the one to wake, unless the job is done, withdrawn, or open
// to be claimed again.
func (h *shared) await(f *fiber) (out result, thief *fiber, open bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.state {
	case done:
		return h.out, nil, false
	case withdrawn:
		return h.job.refuse(ErrWithdrawn), nil, false
	case offered:
		return nil, nil, true
	}
	h.waiter = f
	return nil, h.thief, false
}
