package satin

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

// tracked is what is known of a special running job: one that a tick found unfinished, that was
// withdrawn, or that asked for its random source. While the current job is tracked, its every Wait
// takes the slow path.
type tracked struct {
	slot          int
	marked        bool // a tick found it unfinished: it keeps its children's keys and results
	parentSpecial bool // its parent became special while this job ran
	keyed         bool // it has a key, and is not withdrawn

	finished int           // children seen to end since it was marked
	markedAt time.Duration // by the fiber's clock
	key      steal.Key
	parts    []part
	value    result // for a withdrawn job whose value arrived from elsewhere
	came     part   // that value as it came
	rand     *rand.Rand
}

// trackedAt is what is known of the running job in slot i, if it is tracked. They are ascending by
// slot, and the one asked for is at the end or near it.
func (s *Scope) trackedAt(i int) *tracked {
	for k := len(s.tracked) - 1; k >= 0 && s.tracked[k].slot >= i; k-- {
		if s.tracked[k].slot == i {
			return s.tracked[k]
		}
	}
	return nil
}

// track makes the running job in slot i tracked, if it is not, and its slot special.
func (s *Scope) track(i int) *tracked {
	at, found := slices.BinarySearchFunc(s.tracked, i, func(lv *tracked, i int) int { return lv.slot - i })
	if found {
		return s.tracked[at]
	}
	lv := &tracked{slot: i}
	s.checkpoint.mu.Lock()
	s.tracked = slices.Insert(s.tracked, at, lv)
	s.checkpoint.mu.Unlock()
	s.high = max(s.high, i)
	return lv
}

// ownTracked is what is known of the current job, which is tracked from now on. The last one is the
// current one when that is special, so that a job with many children can ask again and again.
func (s *Scope) ownTracked() *tracked {
	if s.special() && s.dead == noSlot {
		return s.tracked[len(s.tracked)-1]
	}
	return s.track(s.current())
}

// popTracked removes and returns what is known of the job in slot i, which ends.
func (s *Scope) popTracked(i int) *tracked {
	last := len(s.tracked) - 1
	if last < 0 || s.tracked[last].slot < i {
		return nil
	}
	lv := s.tracked[last]
	if lv.slot > i {
		panic("satin: BUG: a job outlived its parent")
	}
	s.untrack()
	return lv
}

// untrack removes the last. The job's parts go with it: what holds them is
// the job's own result.
func (s *Scope) untrack() {
	last := len(s.tracked) - 1
	lv := s.tracked[last]
	s.checkpoint.mu.Lock()
	s.tracked[last] = nil
	s.tracked = s.tracked[:last]
	s.checkpoint.mu.Unlock()
	for _, x := range lv.parts {
		s.pool.releaseBytes(len(x.result))
	}
}

// marked tells whether the current job, known to be special, keeps its children's results.
func (s *Scope) marked() bool {
	last := len(s.tracked) - 1
	return last >= 0 && s.tracked[last].marked
}

// withdrawAt withdraws the running job in slot i and, with it, all that run above it. From now
// until its Run returns, every Spawn and Wait on this stack is slow and hands out nothing but
// ErrWithdrawn. With a value the job's Wait returns that value, otherwise ErrWithdrawn.
//
// There is no unwinding by panic: recover would have to stand in every Wait, which
// costs more than a spawn.
func (s *Scope) withdrawAt(i int, value result, came part) {
	if s.dead <= i {
		return
	}
	lv := s.track(i)
	lv.value, lv.came = value, came
	s.dead = i
	s.checkpoint.mu.Lock()
	for _, lv := range s.tracked {
		lv.keyed = lv.keyed && lv.slot < i // nobody needs their values any more
	}
	s.checkpoint.mu.Unlock()
	atomic.OrUint32(&s.wire, tripDead)
	s.refloor(true)
}

// revive ends the withdrawal of the job whose Run just returned.
func (s *Scope) revive() {
	s.dead, s.orphans = noSlot, noSlot
	atomic.AndUint32(&s.wire, ^uint32(tripDead))
}
