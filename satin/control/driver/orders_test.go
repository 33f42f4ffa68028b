package driver

import (
	"slices"
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// TestOrdersAreAnswered: who waits hears once what came of its order, and who does not wait any
// more hears nothing.
func TestOrdersAreAnswered(t *testing.T) {
	d, n := alone()
	d.orders.waiting = []peer.OrderNo{1, 2, 3}
	for _, e := range []peer.OrderDone{{Order: 1}, {Order: 1}, {Order: 3, Deserted: true}, {Order: 9}} {
		d.Do([]peer.Effect{e})
	}
	d.Recall(2)
	d.Recall(2)
	d.Do([]peer.Effect{peer.OrderDone{Order: 2}})
	if want := []peer.OrderDone{{Order: 1}, {Order: 3, Deserted: true}}; !slices.Equal(n.followed, want) || len(d.orders.waiting) > 0 {
		t.Errorf("heard is of %v, and %v wait", n.followed, d.orders.waiting)
	}
}

// TestAnOrderToOneself: it is followed while the effects of giving it are carried out, when who
// gave it knows its number.
func TestAnOrderToOneself(t *testing.T) {
	d, n := alone()
	no, effects, err := d.Order("me", peer.Order{Within: 1})
	if err != nil || len(n.followed) > 0 {
		t.Fatalf("%v, and %v is followed", err, n.followed)
	}
	d.Do(effects)
	if len(n.followed) != 1 || n.followed[0].Order != no {
		t.Errorf("followed is %v, given was %d", n.followed, no)
	}
}

// TestAProcessEndsOnce: of several reasons the first counts, and who has ended is not let in.
func TestAProcessEndsOnce(t *testing.T) {
	d, n := before()
	d.entry.open = true
	d.Do([]peer.Effect{peer.Stranded{Full: true}, peer.Stranded{}, membership.Banned{}})
	d.Down("x", TwinMet)
	if want := []peer.Effect{peer.Stranded{Full: true}}; !slices.Equal(n.ends, want) || n.entered > 0 {
		t.Errorf("it ends because of %v, let in %d times", n.ends, n.entered)
	}
	other, n := alone()
	other.Down("x", TwinMet)
	other.Do([]peer.Effect{peer.Left{Lost: 3}})
	if want := []peer.Effect{Twin{}}; !slices.Equal(n.ends, want) {
		t.Errorf("it ends because of %v", n.ends)
	}
}
