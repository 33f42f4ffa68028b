package control

import (
	"errors"
	"testing"

	"satingrid/satin/peer"
)

// TestOrdersAreAnswered: who waits hears once what came of its order, and who does not wait any
// more hears nothing.
func TestOrdersAreAnswered(t *testing.T) {
	o := orders{waiting: map[peer.OrderNo]chan<- error{}}
	done := make(chan error, 3)
	for no := range peer.OrderNo(3) {
		o.given(no, done)
	}
	o.done(peer.OrderDone{Order: 0})
	o.done(peer.OrderDone{Order: 0})
	o.recalled(1)
	o.done(peer.OrderDone{Order: 1})
	o.done(peer.OrderDone{Order: 2, Deserted: true})
	if len(done) != 2 || <-done != nil || !errors.Is(<-done, ErrDeserted) || len(o.waiting) > 0 {
		t.Errorf("%d more answers, %d wait", len(done), len(o.waiting))
	}
}
