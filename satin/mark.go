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
	s.run.leave(s)
	s.run.enter(s)
	s.trim()
	s.markRunning()
	s.estimate()
	now := time.Now()
	s.nextTick = now.Add((tickShare - 1) * now.Sub(began))
}

// markRunning makes the oldest markMax running jobs tracked, and one more barely, so that its
// end takes the slow path and its parent finds itself special.
func (s *Scope) markRunning() {
	now := s.clock()
	n := 0
	last := noIndex
	for k := 0; k < s.top; k++ {
		if s.slots[k].head().word != running {
			continue
		}
		last = k
		if n > markMax {
			continue
		}
		lv := s.track(k)
		lv.parentSpecial = n > 0
		if n < markMax {
			s.mark(lv, now)
		}
		n++
	}
	if s.run.lookups.Load() {
		s.keyWaiting()
	}
	if last != noIndex {
		s.refloor(s.trackedAt(last) != nil)
	}
}

// mark makes a job keep the parts of its children from now on.
func (s *Scope) mark(lv *tracked, now time.Duration) {
	if lv.marked {
		return
	}
	var key steal.Key
	keyed := false
	if s.pool.recording {
		k, err := s.pin(s.slots[lv.slot])
		key, keyed = k, err == nil
	}
	s.checkpoint.mu.Lock()
	lv.marked, lv.markedAt, lv.key, lv.keyed = true, now, key, keyed
	s.checkpoint.mu.Unlock()
}

// pin makes the key of a job and keeps it: of a marked job, and of its child before that starts.
func (s *Scope) pin(j slot) (steal.Key, error) {
	if f, ok := j.(*frame); ok {
		return f.of.keyOf()
	}
	return s.aside(j).keyOf()
}

// keyWaiting makes the keys of the oldest jobs that wait in this deque. Those in the
// public part are found there.
func (s *Scope) keyWaiting() {
	var all []*shared
	for k := 0; k < s.top && len(all) < waitingKeysMax; k++ {
		h := s.slots[k].head()
		if h.word != waiting || h.sh != nil && !h.sh.private() {
			continue
		}
		if _, err := s.pin(s.slots[k]); err == nil {
			all = append(all, h.sh)
		}
	}
	s.checkpoint.mu.Lock()
	s.checkpoint.waiting = all
	s.checkpoint.mu.Unlock()
}

// trim drops the job objects far above the top, and what their tasks hold on to.
func (s *Scope) trim() {
	const slack = 1024
	if len(s.slots) <= 4*slack || s.top+slack > len(s.slots)/4 {
		return
	}
	less := make([]slot, len(s.slots)/2)
	copy(less, s.slots[:s.top])
	s.slots = less
}
