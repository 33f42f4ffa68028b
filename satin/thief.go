package satin

import (
	"runtime"
	"slices"
)

// loop is the life of a fiber: it gets a worker, finds a job, runs it, and finds the next.
func (s *Scope) loop() {
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
	if h, ok, found := s.queued(); found {
		return h, ok
	}
	p.hungry.Add(1)
	defer p.hungry.Add(-1)
	for {
		for range spins {
			if h := s.rob(); h != nil {
				return h, true
			}
			runtime.Gosched()
			if h, ok, found := s.queued(); found {
				return h, ok
			}
		}
		p.sleep(s)
		if h, ok, found := s.queued(); found { // a ready fiber comes before new work
			return h, ok
		}
	}
}

// queued looks where jobs and fibers wait for a worker.
func (s *Scope) queued() (h *shared, ok, found bool) {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.nextRun(); r != nil && p.readyOf(r) < 0 && (len(p.ready) == 0 || !p.ready[p.nextReady()].run.isOver()) {
		if h := p.claimOf(s, r); h != nil {
			return h, true, true
		}
	}
	if len(p.ready) > 0 {
		return nil, true, true
	}
	for len(p.inbox) > 0 {
		h := p.inbox[0]
		p.inbox[0] = nil
		p.inbox = p.inbox[1:]
		if h.claim(s) {
			return h, true, true
		}
	}
	if p.closed && p.parked == 0 {
		p.dropFiber(s)
		p.releaseIdle()
		return nil, false, true
	}
	return nil, true, false
}

// rob takes the oldest published job of a fiber, beginning with a random one, and asks every
// running fiber to publish when there is none.
func (s *Scope) rob() *shared {
	all := *s.pool.fibers.Load()
	first := s.worker.rand.IntN(len(all))
	for k := range all {
		victim := all[(first+k)%len(all)]
		if victim == s {
			continue
		}
		if h := victim.public.take(s); h != nil {
			if victim.public.n.Load() == 0 {
				victim.ask() // so that the next thief need not wait
			}
			return h
		}
	}
	for _, victim := range all {
		if victim != s {
			victim.ask()
		}
	}
	return nil
}

// ask asks a fiber for work. A parked one that could not publish all it has is woken for it.
func (s *Scope) ask() {
	s.trip(tripAsk)
	p := s.pool
	if !s.pending.Load() {
		return
	}
	p.mu.Lock()
	parked := s.state == fiberParked
	p.mu.Unlock()
	if parked {
		p.unpark(s)
	}
}

// sleep blocks the worker until there may be something to do.
func (p *pool) sleep(s *Scope) {
	p.mu.Lock()
	if p.somethingToDo(s) {
		p.mu.Unlock()
		return
	}
	w := s.worker
	w.fiber = s
	p.asleep = append(p.asleep, w)
	p.forgetEnded(s)
	p.mu.Unlock()
	p.outside.Idle()
	<-w.wake
	p.outside.Idle()
}

// somethingToDo looks once more before a worker sleeps. The caller holds p.mu, so that whoever
// brings work afterwards finds the worker asleep.
func (p *pool) somethingToDo(s *Scope) bool {
	if len(p.ready) > 0 || len(p.inbox) > 0 || p.closed && p.parked == 0 {
		return true
	}
	for _, victim := range *p.fibers.Load() {
		if victim != s && victim.public.n.Load() > 0 {
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
	p.idle = append(p.idle, s)
	p.mu.Unlock()
	s.handOver(next)
}

// releaseIdle ends the fibers that have no job, and wakes the workers that sleep, once the pool has
// closed. The caller holds p.mu.
func (p *pool) releaseIdle() {
	for _, s := range p.idle {
		s.resume <- nil
	}
	p.idle = nil
	for p.wakeOne() {
	}
}

// replace gives the worker of a fiber whose goroutine is ending to a new one.
func (p *pool) replace(s *Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropFiber(s)
	p.newFiber().resume <- s.worker
}

// dropFiber forgets a fiber that ends. The caller holds p.mu.
func (p *pool) dropFiber(s *Scope) {
	all := *p.fibers.Load()
	less := slices.DeleteFunc(slices.Clone(all), func(x *Scope) bool { return x == s })
	p.fibers.Store(&less)
	p.nfibers--
}
