package membership

import (
	"fmt"
	"slices"
	"testing"
)

// Who asks for a ping hears that the target lives, once, and nobody hears it of another life.
func TestErrands(t *testing.T) {
	var e errands
	life := func(n uint64) Incarnation { return Incarnation{Join: n, Random: n} }
	e.take("a", PingFor{"x", life(1)})
	e.take("b", PingFor{"x", life(1)})
	e.take("c", PingFor{"x", life(2)})
	e.take("a", PingFor{"y", life(1)})
	e.take("a", PingFor{"x", life(1)}) // again: it is the latest now
	if got := e.answered("x", life(1)); !slices.Equal(got, []PeerID{"b", "a"}) {
		t.Errorf("%v hear that x lives", got)
	}
	if got := e.answered("x", life(2)); got != nil {
		t.Errorf("%v hear of a life that x does not have any more", got)
	}
	e.lost("a")
	if got := e.answered("y", life(1)); got != nil {
		t.Errorf("%v hear of y, and are gone", got)
	}
	e.take("b", PingFor{"z", life(1)})
	e.lost("z")
	if len(e.all) != 0 {
		t.Errorf("what is left of errands to those who are gone: %v", e.all)
	}
}

// A flood of requests displaces its own.
func TestErrandsAreBounded(t *testing.T) {
	var e errands
	for n := range 2 * errandsMax {
		e.take("a", PingFor{PeerID(fmt.Sprint("x", n)), Incarnation{}})
	}
	if len(e.all) != errandsMax || e.answered("x0", Incarnation{}) != nil || len(e.answered(PeerID(fmt.Sprint("x", 2*errandsMax-1)), Incarnation{})) != 1 {
		t.Errorf("%d errands, the first %v", len(e.all), e.all[0])
	}
}
