package peer

import (
	"time"

	"satingrid/membership"
)

// repeats are what is said of a run until it is acknowledged, or asked until it is known: answers,
// failures, requests for roots, and whether the run is wanted.
type repeats struct {
	outbox
	self        membership.PeerID
	admission   *admission
	roots       *roots
	decisions   *decisions
	submissions *submissions
	mastership  *mastership
}

// tick says again of a run what is due.
func (x *repeats) tick(now time.Duration, r *run) []membership.Effect {
	x.also(x.roots.tick(now, r))
	x.also(x.decisions.tick(now, r))
	if r.itsMaster.isDue(now) {
		x.mastership.changed()
	}
	x.also(r.demand.tick(now, r.master == x.self, r.submissions))
	if r.master == x.self {
		x.also(r.demand.unheard(now, r.submissions, x.submissions.isOwn))
		x.also(x.admission.tick(now, r))
	}
	if r.master == x.self || r.isSpare() && now >= r.keptUntil() && x.mastership.isVacant() {
		x.also(r.outlived(now))
	}
	x.also(r.facts.tick(now))
	x.also(r.best.tick(now))
	return x.flush()
}
