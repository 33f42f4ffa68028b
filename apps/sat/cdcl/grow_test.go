package cdcl_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/apps/sat/cdcl"
	"satingrid/apps/sat/cnf"
	"satingrid/satin/effort"
)

// TestGrow has a solver get to know variables and clauses one after another, and asks it in
// between, under assumptions.
func TestGrow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 34))
	var all endings
	formulas := effort.Of(300, 1000, 3000)
	for range formulas {
		f := tiny(r)
		var proof bytes.Buffer
		s := loaded(&cnf.Formula{Vars: 1}, &proof)
		known := &cnf.Formula{Vars: 1}
		for c := range f.Clauses() {
			for _, l := range c {
				known.Vars = max(known.Vars, int(max(l, -l)))
			}
			s.Grow(known.Vars)
			s.Grow(known.Vars - 1) // it knows as many already
			s.Add(c)
			known.Add(slices.Clone(c)...)
			if r.IntN(4) > 0 {
				continue
			}
			assumed := []int32{int32(1+r.IntN(known.Vars)) * int32(1-2*r.IntN(2))}
			status := s.Solve(assumed, 0)
			if (models(known, assumed) > 0) != (status == cdcl.Satisfiable) || s.Vars() != known.Vars {
				t.Fatalf("formula %+v under %v: status %v with %d variables", known, assumed, status, s.Vars())
			}
			all.see(t, known, s, status, assumed, proof.Bytes())
		}
	}
	all.areMixed(t, formulas)
}
