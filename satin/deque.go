package satin

import "fmt"

// grow makes room for one more slot.
func (s *Scope) grow() {
	if s.top < len(s.slots) {
		return
	}
	if s.top >= slotsMax {
		panic(fmt.Sprintf("satin: a job has more than %d pending spawns: wait for some before spawning more", slotsMax))
	}
	more := make([]slot, 2*len(s.slots))
	copy(more, s.slots)
	s.slots = more
}

// aside gives the job in slot k a shared part, which makes the slot special.
func (s *Scope) aside(j slot) *shared {
	h := j.head()
	if h.sh == nil {
		h.sh = &shared{job: j, run: s.run, owner: s, verifies: s.verifies(h.index)}
		s.high = max(s.high, h.index)
	}
	return h.sh
}

// verifies tells whether the job in slot k descends from one that verifies a result.
func (s *Scope) verifies(k int) bool {
	for n := len(s.frames) - 1; n >= 0; n-- {
		if f := s.frames[n]; f.index <= k {
			return f.of.verifies
		}
	}
	return false
}

// publishMax bounds what one request of a thief makes public: enough for several thieves, and
// cheap.
const publishMax = 64

// publish makes the older half of the waiting jobs public. The oldest come first: they are the
// biggest. It looks at no more than twice publishMax of them.
func (s *Scope) publish() {
	var found [2 * publishMax]int
	n := 0
	k := s.low
	for ; k < s.top && n < len(found); k++ {
		if h := s.slots[k].head(); h.word == waiting && (h.sh == nil || h.sh.private()) {
			found[n] = k
			n++
		}
	}
	if n == 0 {
		s.low = k // which is the top: the next request need not look again
		s.floor = max(s.floor, k-1)
		if s.pool.hungry.Load() > 0 || s.pool.wanted.Load() {
			s.trip(tripAsk) // the next spawn answers
		}
		return
	}
	give := (n + 1) / 2
	for _, k := range found[:give] {
		sh := s.aside(s.slots[k])
		sh.notify = len(s.groups) > 0
		sh.offer()
		s.public.push(sh)
	}
	s.low = found[give-1] + 1
	s.floor = max(s.floor, found[give-1])
	s.pool.wake(give)
	s.pool.offerOutside()
}

// more tells whether waiting jobs are left that publish would make public.
func (s *Scope) more() bool {
	for k := s.low; k < s.top; k++ {
		if h := s.slots[k].head(); h.word == waiting && (h.sh == nil || h.sh.private()) {
			return true
		}
	}
	return false
}
