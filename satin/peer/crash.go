package peer

import (
	"satingrid/membership"
)

// lost is what a survivor does when an incarnation of a peer is gone: crashed, left, kicked or
// renewed. The order is that of the package documentation, and it is written only here.
func (p *Peer) lost(l membership.Lost) {
	id := l.Member.ID
	p.out = append(p.out, l)
	p.book.Present(id, false)
	p.losses.begins(p.now, l)
	p.apply(p.deaths.died(p.now, l))
	p.copier.died(p.now)
	p.mastership.lost(p.now, l)

	// 1. Await it no more.
	p.apply(p.thief.Lost(p.now, l.Member))
	p.victim.Lost(id)
	p.postponed.lost(id)
	p.bests.lost(id)
	p.looks.lost(id)
	for _, r := range p.runs.all {
		r.answering.lost(p.now, id)
	}
	p.copier.lost(p.now, id)
	p.apply(p.admission.lost(p.now, id))

	// 2. What it held is gone.
	p.table.Lost(id)

	// 3. What it lent us are orphans.
	p.apply(p.ledger.OwnerLost(id))

	// 4. What is kept for it is wanted now. It comes before 5, so that what goes back finds it.
	p.keeper.lost(p.now, id)
	p.looks.listed(p.now)

	// 5. What we lent it goes back.
	p.apply(p.ledger.Lost(id))

	// 6. Succession is looked at when the event ends.
	p.mastership.changed()
	p.losses.settled()
}

// rejoined is what this peer does when it learns that somebody holds it dead: it has taken a new
// incarnation. What it asked for in the old one will not be answered. Who held it dead says so when
// it hears of the new life; see forsaken. With all others its loans live.
func (p *Peer) rejoined(r membership.Rejoined) {
	p.out = append(p.out, r)
	p.victim.Void()
	p.apply(p.thief.Void(p.now))
	p.postponed.void()
	p.table.Reborn(p.now, r.Incarnation)
	p.ledger.Recheck(p.now)
	p.mastership.changed()
}

// forsaken is the path of a loss as far as it is about loans with a peer that held an earlier life
// of this one dead: they died there. What is kept and what is advertised stays, and copies go to
// one that did not advertise them.
func (p *Peer) forsaken(by membership.PeerID) {
	p.copier.lost(p.now, by)
	p.apply(p.ledger.Forsaken(by))
}

// livesOn is what this peer does when a member that others hold dead goes on under another
// incarnation: it is known by that from now on. Only messages between the two are lost.
func (p *Peer) livesOn(e membership.LivesOn) {
	m := e.Member
	was, is := life{m.ID, e.Was}, life{m.ID, m.Incarnation}
	p.ledger.LivesOn(m.ID, m.Incarnation)
	p.apply(p.thief.Lost(p.now, m))
	p.victim.Lost(m.ID)
	p.postponed.livesOn(was)
	p.table.Lost(m.ID)
	p.results.LivesOn(m.ID, e.Was, m.Incarnation)
	p.bests.lost(m.ID)
	p.looks.lost(m.ID)
	for _, r := range p.runs.all {
		r.answering.livesOn(was, is)
		r.handover.livesOn(was, is)
	}
	p.copier.livesOn(was, is)
	p.keeper.livesOn(was, is)
	p.leaving.livesOn(was, is)
	p.joined(m)
}
