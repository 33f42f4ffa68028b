package cli

import (
	"strings"
	"testing"

	"satingrid/apps/tsp"
)

// TestPartial tells how far a tour that is not proved may be from the shortest.
func TestPartial(t *testing.T) {
	p, names := tsp.Example()
	cities := p.Map(names)
	a := answer{cities: &cities, tour: tsp.Tour{Length: 200, Bound: 190, Cities: make([]int, p.Cities)}}
	var b strings.Builder
	if err := a.Text(&b); err != nil || !strings.Contains(b.String(), "length 200; no tour is shorter than 190, a gap of 5.00 %") {
		t.Error(err, b.String())
	}
}

// TestDraw draws the tour, where the problem has coordinates.
func TestDraw(t *testing.T) {
	p, names := tsp.Example()
	cities := p.Map(names)
	a := answer{cities: &cities, tour: tsp.Tour{Length: 200, Bound: 190, Cities: []int{0, 1, 2}}}
	var b strings.Builder
	if err := a.Draw(&b); err != nil || !strings.HasPrefix(b.String(), "<svg ") {
		t.Errorf("%.80s, %v", b.String(), err)
	}
	cities.Points, cities.Display = nil, nil
	if err := a.Draw(&b); err == nil {
		t.Error("what has no coordinates is drawn")
	}
}
