package satin

import (
	"runtime"

	"github.com/petermattis/goid"
)

// loop is the life of a fiber: it gets a worker, finds a job, runs it, and finds the next.
func (s *Scope) loop() {
	if s.pool.strict {
		s.goroutine = goid.Get()
	}
	s.worker = <-s.resume
	for s.worker != nil {
		h, ok := s.find()
		if !ok {
			return
		}
		if h == nil {
			s.idle()
			continue
		}
		s.runShared(h)
	}
}

// find returns a job for this worker; nil when the worker should rather go to a ready fiber; not ok
// when the pool has closed.
func (s *Scope) find() (h *shared, ok bool) {
	p := s.pool
	if h, ok, found := p.queued(&s.fiber); found {
		return h, ok
	}
	p.hungry.Add(1)
	defer p.hungry.Add(-1)
	for {
		for range spins {
			if h := p.rob(&s.fiber); h != nil {
				return h, true
			}
			runtime.Gosched()
			if h, ok, found := p.queued(&s.fiber); found {
				return h, ok
			}
		}
		p.sleep(&s.fiber)
		// a ready fiber comes before new work
		if h, ok, found := p.queued(&s.fiber); found {
			return h, ok
		}
	}
}

// queued looks where jobs and fibers wait for a worker, for a fiber that has one.
func (p *pool) queued(f *fiber) (h *shared, ok, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.turns.next(); r != nil && p.readyOf(r) < 0 &&
		(len(p.ready) == 0 || !p.ready[p.turns.nextReady()].run.isOver()) {
		if h := p.turns.claimJob(f, r); h != nil {
			return h, true, true
		}
	}
	if len(p.ready) > 0 {
		return nil, true, true
	}
	if h := p.backlog.claim(f); h != nil {
		return h, true, true
	}
	if p.closed && p.parked == 0 {
		p.dropFiber(f)
		p.releaseIdle()
		return nil, false, true
	}
	return nil, true, false
}

// rob takes the oldest published job of another fiber, beginning with a random one, and asks every
// running fiber to publish when there is none.
func (p *pool) rob(f *fiber) *shared {
	all := p.fibers.all()
	first := f.worker.rand.IntN(len(all))
	for k := range all {
		victim := all[(first+k)%len(all)]
		if victim == f {
			continue
		}
		if h := victim.public.take(f); h != nil {
			if victim.public.n.Load() == 0 {
				victim.ask() // so that the next thief need not wait
			}
			return h
		}
	}
	for _, victim := range all {
		if victim != f {
			victim.ask()
		}
	}
	return nil
}

// sleep blocks the worker until there may be something to do.
func (p *pool) sleep(f *fiber) {
	p.mu.Lock()
	if p.somethingToDo(f) {
		p.mu.Unlock()
		return
	}
	w := f.worker
	w.fiber = f
	p.asleep = append(p.asleep, w)
	p.forgetEnded(f)
	p.mu.Unlock()
	p.outside.Idle()
	<-w.wake
	p.outside.Idle()
}

// somethingToDo looks once more before a worker sleeps. The caller holds p.mu, so that whoever
// brings work afterwards finds the worker asleep.
func (p *pool) somethingToDo(f *fiber) bool {
	if len(p.ready) > 0 || len(p.inbox) > 0 || p.closed && p.parked == 0 {
		return true
	}
	for _, victim := range p.fibers.all() {
		if victim != f && victim.public.n.Load() > 0 {
			return true
		}
	}
	return false
}

// idle hands the worker to a ready fiber and waits for another time.
func (s *Scope) idle() {
	p := s.pool
	p.mu.Lock()
	if len(p.ready) == 0 {
		p.mu.Unlock()
		return
	}
	next := p.popReady()
	s.state = fiberIdle
	p.idle = append(p.idle, &s.fiber)
	p.mu.Unlock()
	s.handOver(next)
}

// releaseIdle ends the fibers that have no job, and wakes the workers that sleep, once the pool has
// closed. The caller holds p.mu.
func (p *pool) releaseIdle() {
	for _, f := range p.idle {
		f.resume <- nil
	}
	p.idle = nil
	for p.wakeOne() {
	}
}

// replace gives the worker of a fiber whose goroutine is ending to a new one.
func (p *pool) replace(f *fiber) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropFiber(f)
	p.newFiber().resume <- f.worker
}

// dropFiber forgets a fiber that ends. The caller holds p.mu.
func (p *pool) dropFiber(f *fiber) {
	p.fibers.drop(f)
	p.nfibers--
}

// newFiber starts a fiber; it waits for a worker. The caller holds p.mu.
func (p *pool) newFiber() *fiber {
	s := newScope(p)
	s.state = fiberActive
	p.nfibers++
	p.fibers.add(&s.fiber)
	p.ended.Add(1)
	go func() {
		defer p.ended.Done()
		exits := true
		defer func() {
			if bug := recover(); bug != nil {
				panic(bug)
			}
			if exits { // a job called runtime.Goexit
				p.replace(&s.fiber)
			}
		}()
		s.loop()
		exits = false
	}()
	return &s.fiber
}
