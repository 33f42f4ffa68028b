package satin

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

// level is what is known of a special running job: one that a tick found unfinished, that was
// withdrawn, or that asked for its random source. While the current job has a level, its every Wait
// takes the slow path.
type level struct {
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

// levelAt is the level of the running job in slot i, if it has one. Levels are ascending by slot,
// and the one asked for is at the end or near it.
func (s *Scope) levelAt(i int) *level {
	for k := len(s.levels) - 1; k >= 0 && s.levels[k].slot >= i; k-- {
		if s.levels[k].slot == i {
			return s.levels[k]
		}
	}
	return nil
}

// makeLevel gives the running job in slot i a level, if it has none, and makes its slot special.
func (s *Scope) makeLevel(i int) *level {
	at, found := slices.BinarySearchFunc(s.levels, i, func(lv *level, i int) int { return lv.slot - i })
	if found {
		return s.levels[at]
	}
	lv := &level{slot: i}
	s.book.mu.Lock()
	s.levels = slices.Insert(s.levels, at, lv)
	s.book.mu.Unlock()
	s.high = max(s.high, i)
	return lv
}

// ownLevel is the level of the current job, made if it has none. The job of the last level is the
// current one when that is special, so that a job with many children can ask again and again.
func (s *Scope) ownLevel() *level {
	if s.special() && s.dead == noSlot {
		return s.levels[len(s.levels)-1]
	}
	return s.makeLevel(s.current())
}

// popLevel removes and returns the level of the job in slot i, which ends.
func (s *Scope) popLevel(i int) *level {
	last := len(s.levels) - 1
	if last < 0 || s.levels[last].slot < i {
		return nil
	}
	lv := s.levels[last]
	if lv.slot > i {
		panic("satin: BUG: a job outlived its parent")
	}
	s.dropLevel()
	return lv
}

// dropLevel removes the last level. The job's parts go with it: what holds them is
// the job's own result.
func (s *Scope) dropLevel() {
	last := len(s.levels) - 1
	lv := s.levels[last]
	s.book.mu.Lock()
	s.levels[last] = nil
	s.levels = s.levels[:last]
	s.book.mu.Unlock()
	for _, x := range lv.parts {
		s.pool.releaseBytes(len(x.result))
	}
}

// marked tells whether the current job, known to be special, keeps its children's results.
func (s *Scope) marked() bool {
	last := len(s.levels) - 1
	return last >= 0 && s.levels[last].marked
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
	lv := s.makeLevel(i)
	lv.value, lv.came = value, came
	s.dead = i
	s.book.mu.Lock()
	for _, lv := range s.levels {
		lv.keyed = lv.keyed && lv.slot < i // nobody needs their values any more
	}
	s.book.mu.Unlock()
	atomic.OrUint32(&s.wire, tripDead)
	s.refloor(true)
}

// revive ends the withdrawal of the job whose Run just returned.
func (s *Scope) revive() {
	s.dead, s.orphans = noSlot, noSlot
	atomic.AndUint32(&s.wire, ^uint32(tripDead))
}
