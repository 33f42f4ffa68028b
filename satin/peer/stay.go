package peer

import (
	"slices"
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

// Stayed is the effect that this peer does not leave after all: nobody is at the site
// that was to take over.
type Stayed struct{}

// Move is Leave for as long as somebody is at heirSite who stays there. When nobody is any more,
// this peer stays, too, with the effect [Stayed]: what it has handed back is elsewhere, and a root
// that it has stopped starts again.
func (p *Peer) Move(now, deadline time.Duration, heirSite membership.Site) []Effect {
	p.begin(now)
	p.beginLeave(deadline, heirSite, true)
	return p.end()
}

// isDeserted tells whether nobody who stays is at a site. One that is suspected may be there still:
// surely says that it counts as there.
func (p *Peer) isDeserted(site membership.Site, surely bool) bool {
	for m := range p.view.Present() {
		if m.Site == site && (m.State == membership.Here || surely && m.State == membership.Suspected) {
			return false
		}
	}
	return true
}

// isOff tells whether a bound leave must be called off: nobody is there, or nobody
// has been heard in time.
func (p *Peer) isOff() bool {
	l := &p.leaving
	return p.isDeserted(l.site, p.now < l.until) || p.now >= l.until && !l.met
}

// maySettle tells whether nothing speaks against leaving: those at the site to which a leave is
// bound have answered, and are not suspected.
func (p *Peer) maySettle() bool {
	l := &p.leaving
	return !l.bound || l.met && !p.isDeserted(l.site, false)
}

// greetSite asks some of those at the site to which a leave is bound whether they are there. What
// is believed of them may be old by the time that it takes to notice a death, and a peer that has
// nothing to hand on would be gone before.
func (p *Peer) greetSite() {
	l := &p.leaving
	if !l.bound || l.met || p.now < l.pingAt {
		return
	}
	l.pingAt = p.now + pingEvery
	asked := 0
	for _, m := range p.view.Others(nil) {
		if m.Site == l.site && m.State == membership.Here && asked < pingsMax {
			p.sendTo(m.ID, m.Incarnation, membership.Ping{})
			asked++
		}
	}
}

// ponged hears that a member is there.
func (p *Peer) ponged(who membership.Member) {
	if l := &p.leaving; l.bound && l.pingAt > 0 && who.Site == l.site && who.State == membership.Here {
		l.met = true
		p.tickLeave()
	}
}

// stay calls the leave off.
func (p *Peer) stay() {
	effects, ok := p.view.Stay(p.now)
	if !ok {
		return
	}
	p.leaving = leaving{}
	p.apply(effects)
	p.apply(p.victim.Working(p.now, p.idle < int(p.conf.Member.Workers)))
	p.opened()
	p.succession = true // its roots start again
	p.out = append(p.out, Stayed{})
}

// stayDeadline is when a bound leave has something to do by itself: its site is deserted
// and lives are rationed.
func (p *Peer) stayDeadline() time.Duration {
	switch l := &p.leaving; {
	case p.isDeserted(l.site, true):
		return p.now + stayEvery
	case !l.met && l.pingAt > 0:
		return l.pingAt
	}
	return steal.Never
}

// halt withdraws a job so that it is handed back, or on. The workers say when, which may be after
// the leave was called off.
func (p *Peer) halt(borrow steal.Borrow) {
	if slices.Contains(p.halted, borrow) {
		return
	}
	p.halted = append(p.halted, borrow)
	p.out = append(p.out, Withdraw{Borrow: borrow, Salvage: true})
}

// unhalt hears that a job has ended, and tells whether it was to be handed back.
func (p *Peer) unhalt(borrow steal.Borrow) bool {
	n := slices.Index(p.halted, borrow)
	if n >= 0 {
		p.halted = slices.Delete(p.halted, n, n+1)
	}
	return n >= 0
}

// forgetHalted drops the jobs of a former leave that are not here any more: of those of runs that
// have ended nothing was heard.
func (p *Peer) forgetHalted() {
	here := p.ledger.Borrowings()
	p.halted = slices.DeleteFunc(p.halted, func(b steal.Borrow) bool {
		return !slices.Contains(here, b) && !slices.ContainsFunc(p.runs, func(r *run) bool { return r.rootBorrow == b }) &&
			!slices.ContainsFunc(p.orphans, func(o orphaned) bool { return o.borrow == b })
	})
}
