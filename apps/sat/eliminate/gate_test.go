package eliminate

import (
	"slices"
	"testing"

	"satingrid/apps/sat/cnf"
)

// TestGates asks for definitions of variable 1 among clauses that are none.
func TestGates(t *testing.T) {
	for name, c := range map[string]struct {
		lits []int32 // the definition's clauses come first
		size int
	}{
		"and":               {[]int32{1, -2, -3, 0, -1, 2, 0, -1, 3, 0, 1, 4, 5, 0, -1, 4, 0}, 3},
		"or of three":       {[]int32{-1, 2, 3, 4, 0, 1, -2, 0, 1, -3, 0, 1, -4, 0, -1, 5, 0}, 4},
		"choice":            {[]int32{1, 2, 3, 0, -1, 2, -3, 0, 1, -2, 4, 0, -1, -2, -4, 0, 1, 3, 4, 0}, 4},
		"sum":               {[]int32{1, 2, -3, 0, 1, -2, 3, 0, -1, 2, 3, 0, -1, -2, -3, 0, 1, 4, 5, 0}, 4},
		"and without a leg": {[]int32{1, -2, -3, 0, -1, 2, 0, -1, 4, 0}, 0},
		"half of a choice":  {[]int32{1, 2, 3, 0, -1, 2, -3, 0, 1, -2, 4, 0, -1, -2, 4, 0}, 0},
	} {
		w := newWork(&cnf.Formula{Vars: 5, Lits: c.lits}, nil, nil)
		x := cnf.Index(1)
		with, without := w.gate(x, w.live(x), w.live(x^1))
		got := slices.Sorted(slices.Values(slices.Concat(with, without)))
		want := []int32{0, 1, 2, 3}[:c.size]
		if !slices.Equal(got, want) {
			t.Errorf("%s: clauses %v define it, %v are expected", name, got, want)
		}
	}
}
