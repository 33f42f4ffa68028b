package satin

import (
	"time"

	"satingrid/steal"
)

// markMax bounds the running jobs of a fiber that a tick marks, the oldest ones: below 256
// unfinished ancestors a subtree is too small to be worth a part, and a deep recursion stays fast.
const markMax = 256

// waitingKeysMax bounds the waiting jobs of a fiber whose keys a tick makes, while results of a run
// may be had from elsewhere: the oldest ones, which are the biggest. The others have their turn
// when these are done.
const waitingKeysMax = 64

// tickShare is the part of its time that a fiber may spend in ticks, which look at every
// slot: one in so many.
const tickShare = 20

// tick marks the unfinished jobs on this stack and estimates how far they are.
func (s *Scope) tick() {
	began := time.Now()
	if began.Before(s.nextTick) {
		return
	}
	s.countJobs()
	s.worker.leaves(s.run)
	s.worker.enters()
	s.deque.trim()
	s.markRunning()
	s.checkpoint.estimate(&s.deque, s.clock())
	now := time.Now()
	s.nextTick = now.Add((tickShare - 1) * now.Sub(began))
}

// markRunning makes the oldest markMax running jobs tracked, and one more barely, so that its
// end takes the slow path and its parent finds itself special.
func (s *Scope) markRunning() {
	now := s.clock()
	n := 0
	last := noIndex
	for k := 0; k < s.deque.top; k++ {
		if s.deque.slots[k].head().word != running {
			continue
		}
		last = k
		if n > markMax {
			continue
		}
		t := s.track(k)
		t.parentSpecial = n > 0
		if n < markMax {
			s.mark(t, now)
		}
		n++
	}
	if s.run.lookups.Load() {
		s.keyWaiting()
	}
	if last != noIndex {
		s.deque.refloor(s.checkpoint.at(last) != nil)
	}
}

// mark makes a job keep the parts of its children from now on.
func (s *Scope) mark(t *tracked, now time.Duration) {
	if t.marked {
		return
	}
	var key steal.Key
	keyed := false
	if s.pool.recording {
		key, keyed = s.pinFit(s.deque.slots[t.slot])
	}
	task, _ := s.deque.slots[t.slot].types()
	t.trend = s.run.trends.of(task)
	s.checkpoint.mark(t, now, key, keyed)
}

// keyWaiting makes the keys of the oldest jobs that wait in this deque. Those in the
// public part are found there.
func (s *Scope) keyWaiting() {
	var all []*shared
	for k := 0; k < s.deque.top && len(all) < waitingKeysMax; k++ {
		h := s.deque.slots[k].head()
		if h.word != waiting || h.sh != nil && !h.sh.private() {
			continue
		}
		if _, ok := s.pinFit(s.deque.slots[k]); ok {
			all = append(all, h.sh)
		}
	}
	s.checkpoint.mu.Lock()
	s.checkpoint.waiting = all
	s.checkpoint.mu.Unlock()
}

// track makes the running job in slot i tracked, if it is not, and its slot special.
func (s *Scope) track(i int) *tracked {
	s.deque.high = max(s.deque.high, i)
	return s.checkpoint.track(i)
}

// ownTracked is what is known of the current job, which is tracked from now on. The last one is the
// current one when that is special, so that a job with many children can ask again and again.
func (s *Scope) ownTracked() *tracked {
	if s.deque.special() && s.deque.dead == noSlot {
		return s.checkpoint.last()
	}
	return s.track(s.deque.current())
}
