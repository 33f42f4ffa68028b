package satin

import (
	"sync/atomic"
)

// serve does what the trip wire asks for, in the context of the running job.
func (s *Scope) serve() {
	s.attend()
	if atomic.LoadUint32(&s.wire)&tripYield != 0 {
		atomic.AndUint32(&s.wire, ^uint32(tripYield))
		s.yield()
	}
}

// attend does what the trip wire asks for, but keeps the worker: another fiber would find in its
// Local what the running job is working on.
func (s *Scope) attend() {
	const kept = tripDead | tripStrict | tripYield | tripIdle
	bits := atomic.LoadUint32(&s.wire)
	if bits&(tripIdle|tripStrict) != 0 {
		s.checkOwn(bits)
	}
	if bits&^kept == 0 {
		return
	}
	atomic.AndUint32(&s.wire, ^(bits &^ kept))
	if bits&tripMail != 0 {
		s.readMail()
	}
	if bits&tripTick != 0 {
		s.tick()
	}
	if bits&tripAsk != 0 {
		s.publish()
	}
}

// publish makes the older half of the waiting jobs public. The oldest come first: they are the
// biggest. It looks at no more than twice as many as one request makes public.
func (s *Scope) publish() {
	most, n := 2*max(publishMax, int(s.pool.many.Load())), 0
	k := s.deque.low
	for ; k < s.deque.top && n < most; k++ {
		if s.deque.isPrivate(k) {
			n++
		}
	}
	if n == 0 {
		s.deque.low = k // which is the top: the next request need not look again
		s.deque.floor = max(s.deque.floor, k-1)
		if s.pool.hungry.Load() > 0 || s.pool.wanted.Load() {
			s.trip(tripAsk) // the next spawn answers
		}
		return
	}
	give := (n + 1) / 2
	last := s.deque.low
	for k, n := last, 0; n < give && k < s.deque.top; k++ {
		if !s.deque.isPrivate(k) {
			continue
		}
		sh := s.aside(s.deque.slots[k])
		sh.notify = len(s.deque.groups) > 0
		sh.offer()
		s.public.push(sh)
		last = k
		n++
	}
	s.deque.low = last + 1
	s.deque.floor = max(s.deque.floor, last)
	s.pool.wake(give)
	s.pool.offerOutside()
}
