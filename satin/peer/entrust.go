package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/steal"
)

// How often another peer is asked whether it holds a run that is kept.
const (
	trustGapMin = 200 * time.Millisecond
	trustGapMax = 2 * time.Second
)

// trust is how a master finds out that a run that is kept does not depend on it alone: another
// peer has said that it holds the record and the root, or, where there is none, the disk has them.
type trust struct {
	by    life
	again time.Duration // when it is asked again; Never: it has answered, or need not
	gap   backoff.Backoff
	safe  bool
	alone bool // it is safe as far as it can be: nobody else was here
}

// isSafeStill tells whether that is still so of a run that is entered once more.
func (a *admission) isSafeStill(r *run) bool { return r.trust.safe }

// entrust asks the oldest other peer whether it holds a run of which this peer is master, unless
// that is known or has been asked.
func (a *admission) entrust(now time.Duration, r *run) {
	if r.isKept() && r.master == a.self && r.root.isHere() && !r.trust.safe && r.trust.again == steal.Never {
		r.trust.again = now
		a.askOther(now, r)
	}
}

// askOther asks the oldest other for that, again where it is due.
func (a *admission) askOther(now time.Duration, r *run) {
	t := &r.trust
	if now < t.again || r.master != a.self {
		return
	}
	m, ok := a.others.OldestOther()
	switch {
	case !ok && a.storing.lacks(r): // nobody else is here: then the disk is to have it
		t.again = now + trustGapMin
		return
	case !ok:
		a.isSafe(now, r)
		t.alone = true
		return
	}
	if by := (life{m.ID, m.Incarnation}); t.by != by {
		t.by, t.gap = by, backoff.New(trustGapMin+timeFor(int(r.root.size)), trustGapMax)
	}
	t.again = now + t.gap.Next()
	rec := r.recordFor(now, t.by, false)
	rec.Confirm = a.runs.questions.next()
	a.send(t.by, rec)
}

// tick asks again what was not answered.
func (a *admission) tick(now time.Duration, r *run) []membership.Effect {
	a.askOther(now, r)
	return a.flush()
}

// hearHolds hears that another has a run's record, and its root. A leaver may have asked it.
func (a *admission) hearHolds(now time.Duration, from life, h Holds) []membership.Effect {
	a.also(a.isHeldBy(now, from, h))
	a.leaving.heirHeard(now, from)
	a.do(goesOn{})
	return a.flush()
}

// isHeldBy takes another's word that it has a run's record, and its root.
func (a *admission) isHeldBy(now time.Duration, from life, h Holds) []membership.Effect {
	r := a.runs.find(h.Run)
	if r == nil {
		return nil
	}
	r.handover.hearHolds(from, h.Number)
	if r.master == a.self && r.isKept() && !r.trust.safe {
		a.isSafe(now, r)
		r.trust.by = from
	}
	return a.flush()
}

// comes hears that somebody has come: what was safe with the disk alone another is to hold, too.
func (a *admission) comes(now time.Duration) []membership.Effect {
	return a.anew(now, func(t *trust) bool { return t.alone })
}

// lost hears that somebody is gone: what it held another is to hold.
func (a *admission) lost(now time.Duration, id membership.PeerID) []membership.Effect {
	return a.anew(now, func(t *trust) bool { return t.safe && t.by.peer == id })
}

// anew asks anew of runs that are not as safe any more.
func (a *admission) anew(now time.Duration, is func(*trust) bool) []membership.Effect {
	for _, r := range a.runs.all {
		if is(&r.trust) {
			r.trust = trust{again: steal.Never}
			a.entrust(now, r)
		}
	}
	return a.flush()
}

// isSafe tells all who wait for a run that this peer's death would not lose it.
func (a *admission) isSafe(now time.Duration, r *run) {
	r.trust = trust{again: steal.Never, safe: true}
	for _, s := range r.submissions {
		a.tell(now, s.Submitter, Accepted{Nonce: s.Nonce, Run: r.instance, Master: r.master, Safe: true})
	}
}
