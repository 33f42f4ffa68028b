package peer

import (
	"errors"
	"math"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

const (
	// orderEvery is how often an order is repeated until it is seen to be followed.
	orderEvery = 300 * time.Millisecond

	// ordersMax bounds the orders that are under way: two to each member of a full grid.
	ordersMax = 2 * membership.MembersMax

	// graceMax is the longest time to leave that a member's record can tell of.
	graceMax = math.MaxUint32 * time.Millisecond
)

// The kinds of an order, and of a leaver's debt. They are above those of other messages as they
// once were none of the machine's.
const (
	KindOrder uint8 = 201
	KindLate  uint8 = 203
)

// Order tells a member to leave. Any member may give it: it could as well bar that one. Whoever
// gave it sees in the membership that it was followed.
type Order struct {
	Within time.Duration
	Heirs  membership.Site // where the heirs shall be; "" for anywhere
	Bound  bool            // only while somebody is at Heirs
}

// Late is what a peer says to all members before its last word, if it leaves and has not handed
// over everything: whoever waits for it to leave in order must not believe that it did.
type Late struct{}

func (Order) Kind() uint8 { return KindOrder }
func (Late) Kind() uint8  { return KindLate }

// grace is how long an order gives, whatever it says.
func (o Order) grace() time.Duration { return min(max(o.Within, 0), graceMax) }

// OrderNo is this process's number for an order that it has given.
type OrderNo uint64

// OrderDone is the effect that an order which was given here is not repeated any more: its receiver
// is leaving, or gone. Deserted: it stays, as nobody is at the site to which the order is bound.
type OrderDone struct {
	Order    OrderNo
	Deserted bool
}

// ErrOrders is why an order is not given: too many are under way.
var ErrOrders = errors.New("peer: too many members are being told to leave; wait until some have left")

// orders are the orders that this peer has given to others, until they are followed.
type orders struct {
	outbox
	self    membership.PeerID
	members members
	given   []given
	last    OrderNo
}

// given is one of them.
type given struct {
	no    OrderNo
	to    membership.PeerID
	order Order
	again time.Duration // when it is repeated
}

// next is the number of a new order.
func (o *orders) next() OrderNo {
	o.last++
	return o.last
}

// give gives an order to a member, which may be this peer.
func (o *orders) give(now time.Duration, to membership.PeerID, order Order) (OrderNo, []membership.Effect, error) {
	if to == o.self {
		no, effects := o.followsSelf(now, order)
		return no, effects, nil
	}
	if len(o.given) >= ordersMax {
		return 0, nil, ErrOrders
	}
	order.Within = order.grace()
	g := given{o.next(), to, order, now}
	o.given = append(o.given, g)
	return g.no, o.tick(now), nil
}

// recall hears that nobody waits for an order any more. What was said is not taken back.
func (o *orders) recall(no OrderNo) {
	o.given = slices.DeleteFunc(o.given, func(g given) bool { return g.no == no })
}

// tick repeats what is not seen to be followed.
func (o *orders) tick(now time.Duration) []membership.Effect {
	o.given = slices.DeleteFunc(o.given, func(g given) bool { return g.again <= now && o.isDone(g) })
	for i := range o.given {
		g := &o.given[i]
		if m, ok := o.members.Member(g.to); ok && g.again <= now {
			g.again = now + orderEvery
			o.send(life{m.ID, m.Incarnation}, g.order)
		}
	}
	return o.flush()
}

// isDone tells whether an order need not be repeated, and says so.
func (o *orders) isDone(g given) bool {
	m, present := o.members.Member(g.to)
	stays := present && m.State != membership.Leaving
	deserted := stays && g.order.Bound && isDeserted(o.members, g.order.Heirs, false)
	if !stays || deserted {
		o.do(OrderDone{Order: g.no, Deserted: deserted})
	}
	return !stays || deserted
}

// deadline is when tick has something to do by itself.
func (o *orders) deadline() time.Duration {
	at := steal.Never
	for _, g := range o.given {
		at = min(at, g.again)
	}
	return at
}
