package peer

import (
	"slices"

	"satingrid/membership"
	"satingrid/steal"
)

// stops are the jobs that the workers were told to stop and of which something is still to be done
// when they say what became of them: orphans, and what a leave hands back.
type stops struct {
	outbox
	noFT    bool
	halted  []steal.Borrow // withdrawn by a leave, to be handed back
	orphans []orphaned
}

// orphaned is a job that nobody waits for, but that may be waited for again.
type orphaned struct {
	borrow steal.Borrow
	run    steal.Instance
	key    steal.Key
}

// withdraw stops a job that nobody waits for.
func (s *stops) withdraw(borrow steal.Borrow) []membership.Effect {
	if !slices.Contains(s.halted, borrow) { // or it has been withdrawn before
		s.do(Withdraw{Borrow: borrow})
	}
	return s.flush()
}

// salvage stops a job that nobody waits for now, but may be waited for again: an orphan, or
// a root that is left.
func (s *stops) salvage(o orphaned) []membership.Effect {
	if !slices.Contains(s.halted, o.borrow) {
		s.do(Withdraw{Borrow: o.borrow, Salvage: !s.noFT})
	}
	if !s.noFT {
		s.orphans = append(s.orphans, o)
	}
	return s.flush()
}

// halt stops a job so that it is handed back, or on. The workers say when, which may be after
// the leave was called off.
func (s *stops) halt(borrow steal.Borrow) []membership.Effect {
	if !slices.Contains(s.halted, borrow) {
		s.halted = append(s.halted, borrow)
		s.do(Withdraw{Borrow: borrow, Salvage: true})
	}
	return s.flush()
}

// handsBack hears that a job has ended, and tells whether it was to be handed back.
func (s *stops) handsBack(borrow steal.Borrow) bool {
	n := slices.Index(s.halted, borrow)
	if n >= 0 {
		s.halted = slices.Delete(s.halted, n, n+1)
	}
	return n >= 0
}

// ended hears that a job has ended, and tells which orphan it was.
func (s *stops) ended(borrow steal.Borrow) (orphaned, bool) {
	n := slices.IndexFunc(s.orphans, func(o orphaned) bool { return o.borrow == borrow })
	if n < 0 {
		return orphaned{}, false
	}
	o := s.orphans[n]
	s.orphans = slices.Delete(s.orphans, n, n+1)
	return o, true
}

// leaves begins a leave: it forgets what a former one has halted and is not here any more. Of jobs
// of runs that have ended nothing was heard.
func (s *stops) leaves(here []steal.Borrow) {
	s.halted = slices.DeleteFunc(s.halted, func(b steal.Borrow) bool {
		return !slices.Contains(here, b) && !slices.ContainsFunc(s.orphans, func(o orphaned) bool { return o.borrow == b })
	})
}

// runEnded forgets the orphans of a run.
func (s *stops) runEnded(run steal.Instance) {
	s.orphans = slices.DeleteFunc(s.orphans, func(o orphaned) bool { return o.run == run })
}
