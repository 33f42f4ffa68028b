package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// stayEvery is how often a leave that is off looks whether the peer may take the
// life in which it stays.
const stayEvery = 100 * time.Millisecond

// A bound leave asks those at its site whether they are there, some of them and until one answers.
const (
	pingEvery = 300 * time.Millisecond
	pingsMax  = 8
)

// isDeserted tells whether nobody who stays is at a site. One that is suspected may be there still:
// surely says that it counts as there.
func isDeserted(all members, site membership.Site, surely bool) bool {
	for m := range all.Present() {
		if m.Site == site && (m.State == membership.Here || surely && m.State == membership.Suspected) {
			return false
		}
	}
	return true
}

// isOff tells whether a bound leave must be called off: nobody is there, or nobody
// has been heard in time.
func (l *leaving) isOff(now time.Duration) bool {
	return isDeserted(l.members, l.site, now < l.until) || now >= l.until && !l.met
}

// maySettle tells whether nothing speaks against leaving: those at the site to which a leave is
// bound have answered, and are not suspected.
func (l *leaving) maySettle() bool {
	return !l.bound || l.met && !isDeserted(l.members, l.site, false)
}

// greetSite asks some of those at the site to which a leave is bound whether they are there. What
// is believed of them may be old by the time that it takes to notice a death, and a peer that has
// nothing to hand on would be gone before.
func (l *leaving) greetSite(now time.Duration) {
	if !l.bound || l.met || now < l.pingAt {
		return
	}
	l.pingAt = now + pingEvery
	asked := 0
	for m := range l.members.Present() {
		if m.Site == l.site && m.State == membership.Here && asked < pingsMax {
			l.send(life{m.ID, m.Incarnation}, membership.Ping{})
			asked++
		}
	}
}

// hearPong hears a member's answer to a ping: that one is there. It tells whether it was waited
// for.
func (l *leaving) hearPong(who membership.Member) bool {
	if !l.bound || l.pingAt == 0 || who.Site != l.site || who.State != membership.Here {
		return false
	}
	l.met = true
	return true
}

// stayDeadline is when a bound leave has something to do by itself: its site is deserted
// and the rate of lives is limited.
func (l *leaving) stayDeadline(now time.Duration) time.Duration {
	switch {
	case isDeserted(l.members, l.site, true):
		return now + stayEvery
	case !l.met && l.pingAt > 0:
		return l.pingAt
	}
	return steal.Never
}
