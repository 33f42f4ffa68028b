package control

import "satingrid/satin/peer"

// orders are those that were given here, and who waits for them to be followed; the machine bounds
// them. The loop has them.
type orders struct {
	waiting map[peer.OrderNo]chan<- error
}

// given notes that somebody waits for an order to be followed.
func (o *orders) given(no peer.OrderNo, done chan<- error) { o.waiting[no] = done }

// recalled hears that nobody waits for it any more.
func (o *orders) recalled(no peer.OrderNo) { delete(o.waiting, no) }

// done tells who gave an order what came of it.
func (o *orders) done(e peer.OrderDone) {
	done, ok := o.waiting[e.Order]
	if !ok {
		return // nobody waits for it any more
	}
	delete(o.waiting, e.Order)
	if e.Deserted {
		done <- ErrDeserted
		return
	}
	done <- nil
}
