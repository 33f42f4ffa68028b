package peer

import (
	"time"

	"satingrid/membership"
)

// Ordered is the effect that this peer begins to leave because a member has told it to.
type Ordered struct {
	By    membership.Member
	Order Order
}

// LeavesLate is the effect that a member is about to leave, and has not handed over everything.
type LeavesLate struct{ Member membership.PeerID }

// Order tells a member, this peer or another, to leave. It is repeated until that one is seen to be
// leaving or gone, or nobody is at the site to which it is bound: the effect [OrderDone] says so,
// maybe at once.
func (p *Peer) Order(now time.Duration, id membership.PeerID, o Order) (OrderNo, []Effect, error) {
	p.begin(now)
	if id != p.conf.Member.ID {
		no, effects, err := p.orders.give(p.now, id, o)
		p.apply(effects)
		return no, p.end(), err
	}
	done := OrderDone{Order: p.orders.next(), Deserted: p.forbids(o)}
	if !done.Deserted {
		p.beginLeave(p.now+o.grace(), o.Heirs, o.Bound)
	}
	p.out = append(p.out, done)
	return done.Order, p.end(), nil
}

// Recall hears that nobody waits for an order any more: it is not repeated.
func (p *Peer) Recall(now time.Duration, no OrderNo) []Effect {
	p.begin(now)
	p.orders.recall(no)
	return p.end()
}

// ordered follows an order that a member has given to this life of the peer.
func (p *Peer) ordered(a arrival, o Order) {
	self := p.view.Self()
	isMine := a.message.To == self.Incarnation && self.State == membership.Here
	if !isMine || o.Within < 0 || p.forbids(o) {
		return
	}
	p.out = append(p.out, Ordered{By: a.member, Order: o})
	p.beginLeave(p.now+o.grace(), o.Heirs, o.Bound)
}

// forbids tells whether an order is bound to a site where nobody is: one that is only suspected to
// be dead may not be there any more.
func (p *Peer) forbids(o Order) bool { return o.Bound && isDeserted(p.view, o.Heirs, false) }

// unsettled is how many jobs are borrowed or lent, or are roots and orphans that execute here.
func (p *Peer) unsettled() int {
	return p.ledger.Borrowed() + p.ledger.Lent() + len(p.stops.orphans) + len(p.runs.roots())
}

// tickOrders repeats the orders that this peer has given.
func (p *Peer) tickOrders() { p.apply(p.orders.tick(p.now)) }
