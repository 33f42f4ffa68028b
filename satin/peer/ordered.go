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

// followsSelf leaves, as this peer itself has been told here.
func (o *orders) followsSelf(now time.Duration, order Order) (OrderNo, []membership.Effect) {
	done := OrderDone{Order: o.next(), Deserted: o.forbids(order)}
	if !done.Deserted {
		o.do(order.departs(now))
	}
	o.do(done)
	return done.Order, o.flush()
}

// hearLate hears that a member is about to leave. It is shown to people, and changes nothing here.
func (o *orders) hearLate(from membership.PeerID) []membership.Effect {
	o.do(LeavesLate{from})
	return o.flush()
}

// hearOrder follows an order that a member has given to this life of the peer.
func (o *orders) hearOrder(now time.Duration, a *arrival, order Order) []membership.Effect {
	self := o.members.Self()
	isMine := a.message.To == self.Incarnation && self.State == membership.Here
	if isMine && order.Within >= 0 && !o.forbids(order) {
		o.do(Ordered{By: *a.member, Order: order})
		o.do(order.departs(now))
	}
	return o.flush()
}

// forbids tells whether an order is bound to a site where nobody is: one that is only suspected to
// be dead may not be there any more.
func (o *orders) forbids(order Order) bool {
	return order.Bound && isDeserted(o.members, order.Heirs, false)
}

// departs is what an order comes to where it is followed.
func (o Order) departs(now time.Duration) departs {
	return departs{deadline: now + o.grace(), heirs: o.Heirs, bound: o.Bound}
}
