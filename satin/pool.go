package satin

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

// pool is the workers of one peer, their fibers, and the jobs that wait for a worker.
type pool struct {
	poolConfig
	loans loans
	room  room

	start  time.Time
	wanted atomic.Bool  // the control loop waits for jobs to lend, …
	many   atomic.Int32 // … so many
	hungry atomic.Int32 // workers without work
	fibers fiberList

	mu sync.Mutex // protects what follows
	backlog
	closed   bool
	idle     []*fiber // without a job, without a worker
	asleep   []*worker
	nfibers  int
	parked   int
	runs     map[*run]struct{}
	turns    turns
	yielding *time.Timer
	armed    bool          // yielding runs
	ticking  chan struct{} // closed to stop the ticks

	executed executed       // of others' jobs, and roots
	ended    sync.WaitGroup // fibers and the ticker
	gone     chan struct{}  // closed when the pool is
}

const (
	// fibersMax bounds the fibers of a peer. A parked one holds a goroutine and its stack.
	fibersMax = 4096

	// tickPeriod is how often unfinished jobs are marked and counted.
	tickPeriod = 200 * time.Millisecond

	// readyMax is how long a ready fiber waits before a running one is asked to yield.
	readyMax = 5 * time.Millisecond
)

func newPool(c poolConfig) *pool {
	c.fiberCap = cmp.Or(c.fiberCap, fibersMax)
	c.worth = cmp.Or(c.worth, partWorth)
	p := &pool{poolConfig: c, start: time.Now(), runs: map[*run]struct{}{}, gone: make(chan struct{})}
	p.loans.lent = map[steal.Ref]*shared{}
	p.turns.backlog, p.turns.fibers = &p.backlog, &p.fibers
	p.yielding = time.AfterFunc(time.Hour, p.askYield)
	p.yielding.Stop()
	p.turns.timer = time.AfterFunc(time.Hour, p.takeTurns)
	p.turns.timer.Stop()
	for id := range c.workers {
		p.mu.Lock()
		f := p.newFiber()
		p.mu.Unlock()
		f.resume <- newWorker(id)
	}
	return p
}

// nextFiber is who gets the worker of a fiber that parks: a ready one, unless it is the turn of a
// run that has none, an idle one, or a new one; nil at the cap. The caller holds p.mu.
func (p *pool) nextFiber() *fiber {
	if len(p.ready) == 0 {
		return p.spareFiber()
	}
	if r := p.turns.next(); r != nil && p.readyOf(r) < 0 && !p.ready[p.turns.nextReady()].run.isOver() {
		if f := p.spareFiber(); f != nil {
			return f
		}
	}
	return p.popReady()
}

// spareFiber is a fiber that has no job: an idle one, or a new one; nil at the cap.
// The caller holds p.mu.
func (p *pool) spareFiber() *fiber {
	if n := len(p.idle); n > 0 {
		f := p.idle[n-1]
		p.idle = p.idle[:n-1]
		f.state = fiberActive
		return f
	}
	if p.nfibers >= p.fiberCap {
		return nil
	}
	return p.newFiber()
}

// popReady takes the ready fiber whose turn it is. The caller holds p.mu.
func (p *pool) popReady() *fiber { return p.pop(p.turns.nextReady()) }

// unpark makes a parked fiber ready. One that is not parked will not park before
// it has looked again.
func (p *pool) unpark(f *fiber) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.state != fiberParked {
		f.notified = true
		return
	}
	p.parked--
	f.state = fiberReady
	p.ready = append(p.ready, f)
	p.wakeOne()
	p.armYield() // also then: the worker that wakes may be sent elsewhere
}

// isParked tells whether the fiber waits for a child that somebody else has.
func (p *pool) isParked(f *fiber) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f.state == fiberParked
}

// enqueue queues a job that no deque holds: a root, a borrowed job, one that came back.
func (p *pool) enqueue(h *shared) {
	p.mu.Lock()
	p.inbox = append(p.inbox, h)
	woken := p.wakeOne()
	p.mu.Unlock()
	if !woken {
		p.offerOutside()
	}
}

// offerOutside lets the loop look again, if it wants jobs: one lies open.
func (p *pool) offerOutside() {
	if p.wanted.Load() {
		p.outside.Published()
	}
}

// wake wakes up to n sleeping workers.
func (p *pool) wake(n int) {
	if p.hungry.Load() == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for ; n > 0 && p.wakeOne(); n-- {
	}
}

// wakeOne wakes a sleeping worker, if there is one. The caller holds p.mu.
func (p *pool) wakeOne() bool {
	n := len(p.asleep)
	if n == 0 {
		return false
	}
	w := p.asleep[n-1]
	p.asleep = p.asleep[:n-1]
	p.armTurns()
	w.wake <- struct{}{}
	return true
}

// armYield makes sure that a ready fiber gets a worker soon, though all of them are busy. A timer
// that runs is left alone: fibers that become ready all the time must not put it off for ever.
// The caller holds p.mu.
func (p *pool) armYield() {
	if !p.closed && !p.armed {
		p.armed = true
		p.yielding.Reset(readyMax)
	}
}

// askYield asks as many running fibers as there are ready ones to give up their workers. Where
// there are several runs, fibers of one change places with each other only: what the run has
// is settled by turns.
func (p *pool) askYield() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed = false
	n := len(p.ready)
	if n > 0 {
		p.armYield() // who is asked now may not hear of it
	}
	turns := p.turns.many.Load()
	for _, f := range p.fibers.all() {
		if n == 0 {
			return
		}
		if f.state == fiberActive && (!turns || p.readyOf(f.serves.Load()) >= 0) {
			f.trip(tripYield)
			n--
		}
	}
}

// atCap tells whether a fiber that parks now would find no other to give its worker to.
func (p *pool) atCap() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nfibers-len(p.idle) >= p.fiberCap
}

// ticks trips every running fiber five times a second, while there are runs.
func (p *pool) ticks(stop chan struct{}) {
	defer p.ended.Done()
	t := time.NewTicker(cmp.Or(p.period, tickPeriod))
	defer t.Stop()
	var next time.Time // that jobs are appraised: it takes a part of the time only
	for {
		select {
		case <-stop:
			return
		case <-t.C:
			p.fibers.trip(tripTick)
			if began := time.Now(); began.After(next) {
				p.appraise()
				next = time.Now().Add((tickShare - 1) * time.Since(began))
			}
		}
	}
}

// close withdraws all runs, and returns when every fiber has ended.
func (p *pool) close() {
	p.mu.Lock()
	if !p.closed {
		close(p.gone)
	}
	p.closed = true
	p.yielding.Stop()
	p.turns.timer.Stop()
	runs := slices.Collect(maps.Keys(p.runs))
	p.mu.Unlock()
	for _, r := range runs {
		r.fail(ErrClosed)
	}
	p.mu.Lock()
	if p.parked == 0 {
		p.releaseIdle()
	}
	p.mu.Unlock()
	p.ended.Wait()
}
