package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// KeysMax bounds the keys that the workers list at a time.
const KeysMax = 1024

// What a result must have cost to be worth keeping for others: to fetch it takes a round trip, and
// its bytes take their time.
const (
	worthCostMin  = 1       // milliseconds
	worthBytes    = 4 << 10 // a millisecond, as many as a slow link carries
	worthBytesMin = 16 << 10
)

// isWorth tells whether a result is worth keeping for somebody who may need it.
func isWorth(r steal.Result) bool {
	return r.Outcome != steal.Panicked && r.Cost >= worthCostMin && uint64(len(r.Bytes)) <= worthBytesMin+uint64(r.Cost)*worthBytes
}

// salvage keeps what lost or withdrawn work has come to, and uses it where that work would be done
// again.
type salvage struct {
	outbox
	runs       *runs
	mastership *mastership
	ledger     *steal.Ledger
	results    *orphan.Results
	stops      *stops
	losses     *losses
	noFT       bool

	again   uint64 // jobs put back after a loss
	fetched uint64 // results of others that came when they were asked for
	reused  uint64 // results that spared their work
}

// keep keeps a result that nobody waits for yet, and advertises it.
func (s *salvage) keep(now time.Duration, run steal.Instance, key steal.Key, result steal.Result) {
	r := s.runs.find(run)
	if s.noFT || r == nil || !isWorth(result) {
		return
	}
	s.results.Orphan(now, run, key, result)
	r.look.listed(now)
}

// salvaged hears the parts of jobs that were withdrawn with Salvage.
func (s *salvage) salvaged(now time.Duration, all []Part) {
	for _, part := range all {
		if r := s.runs.numbered(part.Run); r != nil {
			s.keep(now, r.instance, part.Key, part.Result)
		}
	}
}

// finished keeps what an orphan came to that was never told. Any other job that is not known any
// more was withdrawn while the news was on its way.
func (s *salvage) finished(now time.Duration, borrow steal.Borrow, result steal.Result) []membership.Effect {
	o, ok := s.stops.ended(borrow)
	switch {
	case !ok:
	case result.Outcome == steal.Panicked:
		s.do(fails{run: o.run, result: result, again: true})
	default:
		s.keep(now, o.run, o.key, result)
	}
	return s.flush()
}

// stopped hears that a job that was withdrawn with Salvage will not finish. One that a leave has
// withdrawn goes back to its owner. A root waits for its next master, which is this peer again when
// the leave was called off meanwhile.
func (s *salvage) stopped(borrow steal.Borrow) []membership.Effect {
	_, orphan := s.stops.ended(borrow)
	if !s.stops.handsBack(borrow) || orphan {
		return nil
	}
	if r := s.runs.executing(borrow); r != nil {
		r.root.borrow = 0
		if !s.mastership.leaves() {
			s.mastership.changed()
		}
	}
	s.also(s.ledger.HandBack(borrow))
	return s.flush()
}

// putBack gives the workers a job back whose loan was lost. It is looked up before it starts: what
// is held here settles it, and what another holds is fetched while it is done again.
func (s *salvage) putBack(now time.Duration, e steal.LoanLost) []membership.Effect {
	r := s.runs.find(e.Run)
	if r == nil {
		return nil // the run has ended, and its jobs with it
	}
	if result, ok := s.results.Get(e.Run, e.Key); ok {
		s.spared(r, e.Key, result, false)
		s.do(Settle{Ref: e.Ref, Result: result})
		return s.flush()
	}
	s.also(r.look.lookFirst(now, e.Key))
	s.again++
	s.do(PutBack{Ref: e.Ref, Loss: s.losses.charge(r.no)})
	return s.flush()
}

// found hears that the workers are given a result that a look-up has found.
func (s *salvage) found(e reuses) {
	if e.fetched {
		s.fetched++
	}
	if r := s.runs.numbered(e.Run); r != nil {
		s.spared(r, e.Key, e.Result, e.stored)
	}
}

// spared counts a result that spared a run its work. One that was stored before, here or where it
// comes from, would have done so without any loss.
func (s *salvage) spared(r *run, key steal.Key, result steal.Result, stored bool) {
	s.reused++
	if cost := milliseconds(result.Cost); stored || r.disk.found(key) {
		r.disk.resumed = added(r.disk.resumed, cost)
	} else {
		s.losses.reused(r.no, cost)
	}
}
