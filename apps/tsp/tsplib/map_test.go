package tsplib

import "testing"

// TestMapFitsItsProblem: a map has none or one of each for each city. Another one comes from a root
// that nobody has read here, and is refused before anything is drawn.
func TestMapFitsItsProblem(t *testing.T) {
	p := Problem{Name: "three", Cities: 3, Metric: Euc2D, Points: make([]Point, 3)}
	m := p.Map([]string{"a", "b", "c"})
	if err := m.Check(3); err != nil || m.Name != "three" || m.Metric != Euc2D {
		t.Errorf("%+v, %v", m, err)
	}
	for _, wrong := range []Map{{Points: make([]Point, 2)}, {Display: make([]Point, 4)}, {Names: []string{"a"}}} {
		if wrong.Check(3) == nil {
			t.Errorf("%+v is a map of three cities", wrong)
		}
	}
}
