package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// succession has roots start again here whose masters are gone, where it is this peer that follows.
type succession struct {
	outbox
	runs        *runs
	mastership  *mastership
	decisions   *decisions
	endings     *endings
	submissions *submissions
	ledger      *steal.Ledger
	victim      *steal.Victim
	results     *orphan.Results
	salvage     *salvage
}

// look looks at the master of every run. It stays until it has left or died; then the heir that
// it named succeeds it, else the oldest peer that is not leaving. When that is this one, it raises
// the epoch and puts the root back.
func (s *succession) look(now time.Duration) []membership.Effect {
	if !s.mastership.entered() {
		return nil
	}
	for _, r := range slices.Clone(s.runs.all) {
		if !s.mastership.isGone(now, r) {
			r.demand.doubted = 0
		} else if !s.succeeds(now, r) {
			continue
		}
		if s.mastership.mayStart(r) && !s.isPaused(now, r) && s.isVouched(now, r) {
			s.start(now, r)
		}
	}
	return s.flush()
}

// succeeds tells whether this peer follows the master of a run, which is gone. What it has kept for
// this, the answer, it sends whoever follows.
func (s *succession) succeeds(now time.Duration, r *run) bool {
	if r.answer != nil && !r.delivering {
		s.also(s.decisions.deliver(now, r))
		s.do(steal.Orphan{Run: r.instance, Key: r.instance.Run, Result: *r.answer})
		if s.decisions.isOwn(r) {
			return false // it ends
		}
	}
	if next, ok := s.mastership.successor(now, r); ok && next.ID == s.mastership.self && s.isDoubtful(now, r) {
		return false
	}
	is, effects := s.mastership.succeed(now, r)
	s.also(effects)
	return is
}

// isDoubtful tells whether a run may be made up that this peer would take over. Of such a one its
// submitters are asked first, and when none of them says in time that it is wanted, it ends.
func (s *succession) isDoubtful(now time.Duration, r *run) bool {
	if !r.demand.madeUp || r.disk.remembered || r.answer != nil || s.submissions.awaits(r.submissions) {
		return false
	}
	is, effects := r.demand.doubts(now, r.submissions)
	if s.also(effects); !is {
		return false
	}
	if r.lookAt = r.demand.doubted + unknownMax; now >= r.lookAt {
		s.also(s.endings.cancel(now, r, EndWithdrawn))
	}
	return true
}

// isWanted tells whether a run's root may be restarted, and asks where that is not known.
func (s *succession) isVouched(now time.Duration, r *run) bool {
	may, effects := r.demand.mayStart(now, r.submissions, r.isKept() || s.submissions.awaits(r.submissions))
	s.also(effects)
	return may
}

// isPaused tells whether a run's root waits, since it may be what has ended this peer before.
// Where others are they count whom it kills, and end it in time: see [poison].
func (s *succession) isPaused(now time.Duration, r *run) bool {
	if _, others := s.mastership.members.OldestOther(); others || now >= r.disk.pausedUntil {
		return false
	}
	r.lookAt = r.disk.pausedUntil
	return true
}

// start executes a run's root here, unless what it comes to is held here. When another holds
// it, it is fetched meanwhile.
func (s *succession) start(now time.Duration, r *run) {
	if result, ok := s.results.Get(r.instance, r.instance.Run); ok {
		s.salvage.spared(r, r.instance.Run, result, false)
		s.also(s.decisions.decide(now, r, result))
		return
	}
	s.also(r.look.lookFirst(now, r.instance.Run))
	r.root.borrow = s.ledger.NextBorrow()
	s.do(Execute{Run: r.no, Borrow: r.root.borrow, IsRoot: true, Key: r.instance.Run, Task: r.task, Args: r.root.bytes})
	s.also(s.victim.Started(now))
}
