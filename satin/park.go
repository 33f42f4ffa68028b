package satin

import (
	"runtime"
	"time"
)

// spins is how often a fiber that waits for a thief looks again before it parks; a Gosched each.
const spins = 20

// atCapPause is how long a fiber waits that cannot park, because no further fiber may be made.
const atCapPause = 100 * time.Microsecond

// waitFor waits until a job that somebody else has is done, and returns its result. It returns nil
// when the job may be claimed again, and when the current job turns out to be withdrawn.
//
// It leapfrogs: work stolen back from the thief is work the wait depends on. When there is none,
// the fiber parks, and its worker goes on with another.
func (s *Scope) waitFor(h *shared) result {
	for tries := 0; ; tries++ {
		out, thief, open := h.await(&s.fiber)
		if out != nil || open {
			return out
		}
		s.serve()
		if s.deque.dead != noSlot {
			return nil
		}
		if thief != nil {
			if stolen := thief.public.take(&s.fiber); stolen != nil {
				s.runShared(stolen)
				tries = 0
				continue
			}
			thief.trip(tripAsk)
		}
		if tries < spins && thief != nil {
			runtime.Gosched()
			continue
		}
		s.park()
	}
}

// park gives the worker to another fiber until this one is unparked. It may return early, so
// callers look again at what they wait for.
func (s *Scope) park() {
	s.publish()
	p := s.pool
	s.markRunning()
	s.checkpoint.estimate(&s.deque, s.clock())
	p.mu.Lock()
	if s.notified {
		s.notified = false
		p.mu.Unlock()
		return
	}
	next := p.nextFiber()
	if next == nil {
		p.mu.Unlock()
		time.Sleep(atCapPause) // leave the core to others, and look again
		return
	}
	s.state = fiberParked
	s.pending.Store(s.deque.more())
	p.parked++
	p.mu.Unlock()
	s.handOver(next)
	p.mu.Lock()
	s.notified = false
	p.mu.Unlock()
}

// yield lets another fiber have the worker, if it is the turn of one; this one
// becomes ready itself.
func (s *Scope) yield() {
	p := s.pool
	if p.turns.many.Load() {
		s.publish() // others may work for this run while this fiber does not
	}
	p.mu.Lock()
	next := p.displacing(&s.fiber)
	if next == nil {
		p.mu.Unlock()
		return
	}
	s.state = fiberReady
	p.ready = append(p.ready, &s.fiber)
	p.armYield()
	p.mu.Unlock()
	s.handOver(next)
}

// handOver gives this fiber's worker to next and waits until it is given one again.
func (s *Scope) handOver(next *fiber) {
	left := time.Now()
	if len(s.deque.frames) > 0 {
		s.worker.leaves(s.run)
	}
	w := s.worker
	s.worker = nil
	next.resume <- w
	s.worker = <-s.resume
	if len(s.deque.frames) > 0 {
		s.worker.enters()
		s.away += s.worker.since.Sub(left)
		if s.pool.hungry.Load() > 0 {
			s.trip(tripAsk)
		}
	}
}
