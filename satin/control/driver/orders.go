package driver

import (
	"slices"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// orders are those to leave that were given here and that somebody waits for; the machine bounds
// them.
type orders struct{ waiting []peer.OrderNo }

// Order tells a member to leave. Owner.Followed hears what comes of it, when the effects have been
// carried out or later, unless it is recalled before.
func (d *Driver) Order(id membership.PeerID, o peer.Order) (peer.OrderNo, []peer.Effect, error) {
	no, effects, err := d.machine.Order(d.owner.Now(), id, o)
	if err == nil {
		d.orders.waiting = append(d.orders.waiting, no)
	}
	return no, effects, err
}

// Recall says that nobody waits for an order any more: who does not know of it yet will not.
func (d *Driver) Recall(no peer.OrderNo) {
	if d.orders.done(no) {
		d.Do(d.machine.Recall(d.owner.Now(), no))
	}
}

// done forgets an order, and tells whether somebody waited for it.
func (o *orders) done(no peer.OrderNo) bool {
	at := slices.Index(o.waiting, no)
	if at >= 0 {
		o.waiting = slices.Delete(o.waiting, at, at+1)
	}
	return at >= 0
}
