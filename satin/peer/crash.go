package peer

import (
	"slices"

	"satingrid/membership"
)

// lost is what a survivor does when an incarnation of a peer is gone: crashed, left, kicked or renewed. The order
// is that of the package documentation, and it is written only here.
func (p *Peer) lost(l membership.Lost) {
	id := l.Member.ID
	p.out = append(p.out, l)
	p.noteLoss(l.Member)
	p.losing = true
	p.died(l)
	p.unfollowed(l)

	// 1. Await it no more.
	p.apply(p.thief.Lost(p.now, l.Member))
	p.victim.Lost(id)
	p.held = slices.DeleteFunc(p.held, func(h held) bool { return h.from == id && h.message.From.Join != 0 })
	for _, r := range p.runs {
		r.best.lost(id)
	}
	p.holderLost(id)
	p.keeperLost(id)
	if p.copier.holder.peer == id {
		p.moveCopies()
	}

	// 2. What it held is gone.
	if !p.planted(PlantAdvertsUncleared) {
		p.table.Lost(id)
	}

	// 3. What it lent us are orphans.
	p.apply(p.ledger.OwnerLost(id))

	// 4. What is kept for it is wanted now. It comes before 5, so that what goes back finds it.
	p.stats.CopiesUsed += uint64(p.store.OwnerLost(p.now, id))
	for _, r := range p.runs {
		r.keptFor = slices.DeleteFunc(r.keptFor, func(k keptFor) bool { return k.owner.peer == id })
		p.listed(r)
	}

	// 5. What we lent it goes back.
	p.apply(p.ledger.Lost(id))

	// 6. Succession is looked at when the event ends.
	p.succession = true
	p.losing = false
}

// rejoined is what this peer does when it learns that it was held dead: it has taken a new incarnation, and all loans of the old one are void.
// That is the crash of everybody, as far as loans are concerned; what is kept and what is advertised stays, under the new incarnation.
func (p *Peer) rejoined(r membership.Rejoined) {
	p.out = append(p.out, r)
	p.victim.Void()
	p.apply(p.thief.Void(p.now))
	p.held = slices.DeleteFunc(p.held, func(h held) bool { return h.message.From.Join != 0 })
	p.table.Reborn(p.now, r.Incarnation)
	p.moveCopies()
	p.apply(p.ledger.Void())
	p.succession = true
}
