package satin

import "sync/atomic"

// readMail withdraws what is not wanted any more on this stack, the oldest first, and hands out
// values that came from elsewhere.
func (s *Scope) readMail() {
	list := s.letters.take()
	if len(s.deque.frames) == 0 {
		return
	}
	if s.run.isOver() {
		s.withdrawAt(0, nil, part{})
		return
	}
	s.stopOrphans()
	for _, f := range s.deque.frames {
		if f.of.over() {
			s.withdrawAt(f.index, nil, part{})
			break
		}
	}
	for _, x := range list {
		if x.run == s.run {
			s.deliver(x)
		}
	}
	for _, g := range s.deque.groups {
		if g.base < s.deque.dead && g.accepted() {
			s.decide(g)
			break
		}
	}
}

// decide withdraws what a call of First waits for, now that it has a winner: the child that runs on
// this stack, and those that others have.
func (s *Scope) decide(g *group) {
	for k := g.base; k < s.deque.top; k++ {
		h := s.deque.slots[k].head()
		if h.word == running {
			s.withdrawAt(k, nil, part{})
			return
		}
		if h.sh != nil && h.sh.withdraw(false) {
			s.run.aborted.Add(1)
		}
	}
}

// deliver gives a value to every unfinished job of this stack that has the letter's key.
func (s *Scope) deliver(x letter) {
	for k := 0; k < s.deque.top && k < s.deque.dead; k++ {
		j := s.deque.slots[k]
		sh := j.head().sh
		if f, ok := j.(*frame); ok {
			sh = f.of
		}
		if sh == nil || !sh.hasKey(x.key) {
			continue
		}
		out, err := outcomeOf(j, x.value)
		if err != nil {
			s.misread(j, err)
			return
		}
		came := s.run.partFrom(x.key, x.value)
		switch {
		case sh == j.head().sh && j.head().word == running:
			s.withdrawAt(k, out, came)
		case sh.owner == &s.fiber && sh.claim(&s.fiber):
			sh.store(out, came)
		default:
			sh.fulfil(out, came, nil)
		}
	}
}

// misread drops a value: whoever sent it has another idea of the job's type, and the job goes on.
// Where the program's own code panics on it the run fails.
func (s *Scope) misread(j slot, err error) {
	if isOfCode(err) {
		s.run.failJob(j, err)
	}
}

// stopOrphans stops the orphans on this stack, after it has given out what is finished of
// them. Jobs of others that run above an orphan, on the same stack, stop too and start anew;
// their parts are as good.
func (s *Scope) stopOrphans() {
	for _, f := range s.deque.frames {
		if !f.of.isOrphan() {
			continue
		}
		if f.index < s.deque.orphans {
			s.deque.orphans = f.index
			if all := s.checkpoint.giveOut(f.index); len(all) > 0 {
				s.pool.outside.Salvaged(all)
			}
		}
		s.withdrawAt(f.index, nil, part{})
		f.of.stop()
	}
}

// withdrawAt withdraws the running job in slot i and, with it, all that run above it. From now
// until its Run returns, every Spawn and Wait on this stack is slow and hands out nothing but
// ErrWithdrawn. With a value the job's Wait returns that value, otherwise ErrWithdrawn.
//
// There is no unwinding by panic: recover would have to stand in every Wait, which
// costs more than a spawn.
func (s *Scope) withdrawAt(i int, value result, came part) {
	if s.deque.dead <= i {
		return
	}
	t := s.track(i)
	t.value, t.came = value, came
	s.deque.dead = i
	s.checkpoint.unkey(i)
	atomic.OrUint32(&s.wire, tripDead)
	s.deque.refloor(true)
}

// revive ends the withdrawal of the job whose Run just returned.
func (s *Scope) revive() {
	s.deque.dead, s.deque.orphans = noSlot, noSlot
	atomic.AndUint32(&s.wire, ^uint32(tripDead))
}
