package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// hearLend takes jobs that another peer lends to this one.
func (s *stealing) hearLend(now time.Duration, a *arrival, l steal.Lend) []membership.Effect {
	r := s.runs.find(l.Run)
	switch {
	case r == nil && s.runs.isFull(): // there is no room for its run, however long it waits
		return s.refuse(a.life, l)
	case r == nil || !r.root.isHere():
		return s.postponed.postpone(now, a.peer, a.message, l.Run, l.Best)
	case s.fences(r, *a.member, l.Epoch):
		return s.fence(now, r, a, l)
	case s.leaves():
		return s.refuse(a.life, l)
	}
	ok, effects := s.postponed.admits(now, a, r, l.Best)
	if s.also(effects); ok {
		s.borrow(now, r, a, l)
	}
	return s.flush()
}

// borrow has the workers execute what was lent.
func (s *stealing) borrow(now time.Duration, r *run, a *arrival, l steal.Lend) {
	started := 0
	for _, j := range l.Jobs[:min(len(l.Jobs), steal.LentMax)] {
		borrow, ok := s.ledger.Borrow(a.peer, a.incarnation, j.Number, l.Run, j.Key)
		if !ok {
			continue
		}
		started++
		s.borrowed++
		s.do(Execute{
			Run: r.no, Borrow: borrow, Key: j.Key, Task: j.Task, Args: j.Args, Owner: a.peer, Verifies: j.Verifies,
		})
	}
	s.also(s.thief.Got(now, *a.member, l.Answer, started))
	if started > 0 {
		s.also(s.victim.Started(now))
	}
}

// numbersOf are those of lent jobs.
func numbersOf(l steal.Lend) []steal.LoanNo {
	numbers := make([]steal.LoanNo, 0, len(l.Jobs))
	for _, j := range l.Jobs[:min(len(l.Jobs), steal.LentMax)] {
		numbers = append(numbers, j.Number)
	}
	return numbers
}

// refuse gives jobs back that cannot be begun here.
func (s *stealing) refuse(from life, l steal.Lend) []membership.Effect {
	return s.ledger.Refuse(from.peer, from.incarnation, numbersOf(l))
}

// fence refuses jobs of a root that another has superseded, and tells whose they are who that is.
func (s *stealing) fence(now time.Duration, r *run, a *arrival, l steal.Lend) []membership.Effect {
	missing := numbersOf(l)
	s.also(s.ledger.HearWithdraw(a.peer, a.incarnation, missing, false))
	s.send(a.life, steal.Missing{Numbers: missing})
	s.send(a.life, r.record(now))
	s.also(s.thief.HearNothing(now, *a.member, l.Answer))
	return s.flush()
}

// finished hears that an executed job returned that was borrowed, or is executed again, and nothing
// withdrew it.
func (s *stealing) finished(now time.Duration, borrow steal.Borrow, result steal.Result) (known bool, effects []membership.Effect) {
	if checked, effects := s.verifier.finished(borrow, result); checked {
		return true, effects
	}
	run, ok := s.ledger.Running(borrow)
	switch {
	case !ok:
		return false, nil
	case result.Outcome == steal.Panicked:
		s.do(fails{run: run, result: result, again: true})
		return true, s.flush()
	}
	s.ledger.Finish(now, borrow, result)
	s.also(s.repeat(borrow))
	s.also(s.thief.Finished(now))
	return true, s.flush()
}

// repeat returns a finished job to its owner, for the first time or again.
func (s *stealing) repeat(borrow steal.Borrow) []membership.Effect {
	to, i, ret := s.ledger.Outgoing(borrow)
	if r := s.runs.find(ret.Run); r != nil {
		ret.Best = r.best.stamp(to, i)
	}
	s.send(life{to, i}, ret)
	return s.flush()
}

// hearReturn takes the result of a job that this peer lent. It is acknowledged only when it was
// used, or never will be.
func (s *stealing) hearReturn(now time.Duration, a *arrival, ret steal.Return) []membership.Effect {
	if r := s.runs.find(ret.Run); r != nil {
		ok, effects := s.postponed.admits(now, a, r, ret.Best)
		if s.also(effects); !ok || !s.settle(r, *a.member, ret) {
			return s.flush()
		}
	}
	s.do(tells{a.peer, steal.Returned{Numbers: []steal.LoanNo{ret.Number}}})
	return s.flush()
}

// settle uses a result, and tells whether it has done so: one that is verified is acknowledged when
// it was compared.
func (s *stealing) settle(r *run, from membership.Member, ret steal.Return) bool {
	if ret.Result.Outcome == steal.Panicked {
		s.do(fails{run: r.instance, result: ret.Result, again: true})
		return true
	}
	if r.terms.Verify > 0 && !s.leaves() && r.root.isHere() {
		waits, effects := s.verifier.returned(r.no, from, ret)
		if s.also(effects); waits {
			return false
		}
	}
	if ref, ok := s.ledger.Settle(from.ID, ret.Number, ret.Run); ok {
		s.do(Settle{Ref: ref, Result: ret.Result})
		s.copier.settled(ret.Run, ret.Number)
	}
	return true
}
