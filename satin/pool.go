package satin

import (
	"cmp"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

// pool is the workers of one peer, their fibers, and the jobs that wait for a worker.
type pool struct {
	poolConfig
	loans ledger

	start     time.Time
	partBytes atomic.Int64             // held by parts
	wanted    atomic.Bool              // the control loop waits for jobs to lend
	many      atomic.Bool              // there are several runs, which take turns
	hungry    atomic.Int32             // workers without work
	fibers    atomic.Pointer[[]*Scope] // all fibers that may have published something

	mu       sync.Mutex // protects what follows
	closed   bool
	ready    []*Scope // fibers that can go on, oldest first
	idle     []*Scope // fibers without a job, without a worker
	inbox    []*shared
	asleep   []*worker
	nfibers  int
	parked   int
	runs     map[*run]struct{}
	turns    turns
	yielding *time.Timer
	armed    bool          // yielding runs
	ticking  chan struct{} // closed to stop the ticks

	ended sync.WaitGroup // fibers and the ticker
	gone  chan struct{}  // closed when the pool is
}

// worker is one core of the peer. The fiber that has it runs.
type worker struct {
	id    int
	fiber *Scope // that sleeps with it; the pool's mu guards this
	wake  chan struct{}
	since time.Time  // when its fiber began, or went on with, a run
	rand  *rand.Rand // whom to steal from
}

const (
	// fibersMax bounds the fibers of a peer. A parked one holds a goroutine and its stack.
	fibersMax = 4096

	// tickPeriod is how often unfinished jobs are marked and counted.
	tickPeriod = 200 * time.Millisecond

	// readyMax is how long a ready fiber waits before a running one is asked to yield.
	readyMax = 5 * time.Millisecond
)

// poolConfig is what a pool is told.
type poolConfig struct {
	fiberCap  int // how many fibers there may be; 0 is fibersMax
	workers   int
	name      string // of the peer, in errors
	app       *registry
	strict    bool // Config.Strict
	staysHere bool // Config.StaysHere
	recording bool // marked jobs keep the keys and the results of their children
	outside   outside
	log       *slog.Logger
	period    time.Duration // of the ticks; 0 is tickPeriod
	worth     time.Duration // from which on a part is kept; 0 is partWorth
}

func newPool(c poolConfig) *pool {
	c.fiberCap = cmp.Or(c.fiberCap, fibersMax)
	c.worth = cmp.Or(c.worth, partWorth)
	p := &pool{poolConfig: c, start: time.Now(), runs: map[*run]struct{}{}, gone: make(chan struct{})}
	p.loans.lent = map[steal.Ref]*shared{}
	p.fibers.Store(new([]*Scope))
	p.yielding = time.AfterFunc(time.Hour, p.askYield)
	p.yielding.Stop()
	p.turns.timer = time.AfterFunc(time.Hour, p.takeTurns)
	p.turns.timer.Stop()
	for id := range c.workers {
		w := &worker{id: id, wake: make(chan struct{}, 1), rand: rand.New(rand.NewPCG(uint64(id), 0x5a71))}
		p.mu.Lock()
		s := p.newFiber()
		p.mu.Unlock()
		s.resume <- w
	}
	return p
}

// newFiber starts a fiber; it waits for a worker. The caller holds p.mu.
func (p *pool) newFiber() *Scope {
	s := newScope(p)
	s.state = fiberActive
	p.nfibers++
	all := *p.fibers.Load()
	more := append(all[:len(all):len(all)], s)
	p.fibers.Store(&more)
	p.ended.Add(1)
	go func() {
		defer p.ended.Done()
		exits := true
		defer func() {
			if bug := recover(); bug != nil {
				panic(bug)
			}
			if exits { // a job called runtime.Goexit
				p.replace(s)
			}
		}()
		s.loop()
		exits = false
	}()
	return s
}

// nextFiber is who gets the worker of a fiber that parks: a ready one, unless it is the turn of a
// run that has none, an idle one, or a new one; nil at the cap. The caller holds p.mu.
func (p *pool) nextFiber() *Scope {
	if len(p.ready) == 0 {
		return p.spareFiber()
	}
	if r := p.nextRun(); r != nil && p.readyOf(r) < 0 && !p.ready[p.nextReady()].run.isOver() {
		if s := p.spareFiber(); s != nil {
			return s
		}
	}
	return p.popReady()
}

// spareFiber is a fiber that has no job: an idle one, or a new one; nil at the cap.
// The caller holds p.mu.
func (p *pool) spareFiber() *Scope {
	if n := len(p.idle); n > 0 {
		s := p.idle[n-1]
		p.idle = p.idle[:n-1]
		s.state = fiberActive
		return s
	}
	if p.nfibers >= p.fiberCap {
		return nil
	}
	return p.newFiber()
}

// popReady takes the ready fiber whose turn it is. The caller holds p.mu.
func (p *pool) popReady() *Scope { return p.popAt(p.nextReady()) }

// popAt takes a ready fiber. The caller holds p.mu.
func (p *pool) popAt(i int) *Scope {
	s := p.ready[i]
	if i == 0 {
		p.ready[0] = nil
		p.ready = p.ready[1:]
	} else {
		p.ready = slices.Delete(p.ready, i, i+1)
	}
	s.state = fiberActive
	return s
}

// unpark makes a parked fiber ready. One that is not parked will not park before
// it has looked again.
func (p *pool) unpark(s *Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.state != fiberParked {
		s.notified = true
		return
	}
	p.parked--
	s.state = fiberReady
	p.ready = append(p.ready, s)
	p.wakeOne()
	p.armYield() // also then: the worker that wakes may be sent elsewhere
}

// submit queues a job that no deque holds: a root, a borrowed job, one that came back.
func (p *pool) submit(h *shared) {
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
	turns := p.many.Load()
	for _, s := range *p.fibers.Load() {
		if n == 0 {
			return
		}
		if s.state == fiberActive && (!turns || p.readyOf(s.serves.Load()) >= 0) {
			s.trip(tripYield)
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

// waitAtCap is how a worker spends its time when no further fiber may be made: it leaves the core
// to others and looks again.
func (p *pool) waitAtCap() {
	time.Sleep(100 * time.Microsecond)
}

// ticks trips every running fiber five times a second, while there are runs.
func (p *pool) ticks(stop chan struct{}) {
	defer p.ended.Done()
	t := time.NewTicker(cmp.Or(p.period, tickPeriod))
	defer t.Stop()
	for {
		select {
		case <-stop:
			return
		case <-t.C:
			p.tickSoon()
			p.appraise()
		}
	}
}

// tickSoon has every running fiber tick at its next Spawn or Wait.
func (p *pool) tickSoon() {
	for _, s := range *p.fibers.Load() {
		s.trip(tripTick)
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
