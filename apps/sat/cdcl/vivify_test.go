package cdcl_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"satingrid/apps/sat/cdcl"
	"satingrid/apps/sat/cnf"
	"satingrid/satin/effort"
)

// woven draws a formula that search alone decides: clauses of three literals and sums modulo 2, of
// at most 16 variables.
func woven(r *rand.Rand) *cnf.Formula {
	f := &cnf.Formula{Vars: 10 + r.IntN(7)}
	some := func(n int) []int32 {
		c := make([]int32, n)
		for i, v := range r.Perm(f.Vars)[:n] {
			c[i] = int32(v+1) * int32(1-2*r.IntN(2))
		}
		return c
	}
	for range f.Vars / 3 {
		c := some(4)
		for bits := range 16 {
			if bits&1^bits>>1&1^bits>>2&1^bits>>3&1 == 1 {
				f.Add(c[0]*int32(1-bits&1*2), c[1]*int32(1-bits>>1&1*2), c[2]*int32(1-bits>>2&1*2), c[3]*int32(1-bits>>3&1*2))
			}
		}
	}
	for range f.Vars*2 + r.IntN(f.Vars*2) {
		f.Add(some(3)...)
	}
	for range r.IntN(4) { // the same by two names
		c := some(2)
		f.Add(c[0], -c[1])
		f.Add(-c[0], c[1])
	}
	return f
}

// possible tries all assignments.
func possible(f *cnf.Formula, assumed []int32) bool {
	type masks struct{ yes, no int }
	var list []masks
	for c := range f.Clauses() {
		var m masks
		for _, l := range c {
			if l > 0 {
				m.yes |= 1 << (l - 1)
			} else {
				m.no |= 1 << (-l - 1)
			}
		}
		list = append(list, m)
	}
	for _, l := range assumed {
		if l > 0 {
			list = append(list, masks{yes: 1 << (l - 1)})
		} else {
			list = append(list, masks{no: 1 << (-l - 1)})
		}
	}
search:
	for bits := range 1 << f.Vars {
		for _, m := range list {
			if bits&m.yes == 0 && ^bits&m.no == 0 {
				continue search
			}
		}
		return true
	}
	return false
}

// TestOften has a solver make its clauses shorter, probe and merge variables after every few
// conflicts, and compares with trying all assignments. All refutations have proofs.
func TestOften(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	var all endings
	var shortened, merged, failures int64
	formulas := effort.Of(100, 1000, 5000)
	for n := range formulas {
		f := woven(r)
		var proof bytes.Buffer
		s := loaded(f, &proof)
		for round := range 3 {
			var assumed []int32
			for range r.IntN(4) * min(round, 1) {
				assumed = append(assumed, int32(1+r.IntN(f.Vars))*int32(1-2*r.IntN(2)))
			}
			status := cdcl.Unknown
			for status == cdcl.Unknown {
				status = s.Solve(assumed, 1+int64(r.IntN(9)))
				s.Often()
			}
			if possible(f, assumed) != (status == cdcl.Satisfiable) {
				t.Fatalf("formula %d %+v under %v: status %v", n, f, assumed, status)
			}
			all.see(t, f, s, status, assumed, proof.Bytes())
		}
		shortened, merged, failures = shortened+s.Shortened, merged+s.Merged, failures+s.Failures
	}
	all.areMixed(t, formulas)
	if min(shortened, merged, failures) < int64(formulas)/2 {
		t.Errorf("%d clauses were made shorter, %d variables had another put in their place, %d literals failed", shortened, merged, failures)
	}
}
