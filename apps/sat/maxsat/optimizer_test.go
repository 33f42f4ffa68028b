package maxsat_test

import (
	"math/rand/v2"
	"testing"

	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/maxsat"
	"satingrid/satin/effort"
)

// tiny draws a formula of few variables: its clauses have no to four literals, also double and
// opposite ones, its weights are 0, 1, small or large, and what must hold may contradict itself.
func tiny(r *rand.Rand) *cnf.Formula {
	f := &cnf.Formula{Vars: 2 + r.IntN(7), Weighed: true}
	clause := func(least, most int) (c []int32) {
		for range least + r.IntN(most-least+1) {
			c = append(c, int32(1+r.IntN(f.Vars))*int32(1-2*r.IntN(2)))
		}
		return c
	}
	for range r.IntN(3 * f.Vars) {
		f.Add(clause(1+r.IntN(2), 4)...)
	}
	heavy := []int64{1, 1, 3, 7, 1 << 40}[r.IntN(5)]
	for range r.IntN(6 * f.Vars) {
		f.AddSoft(r.Int64N(heavy+1)+r.Int64N(2), clause(r.IntN(2), 1+r.IntN(3))...)
	}
	return f
}

// cheapest is the least cost of all models, by trying all, or None.
func cheapest(f *cnf.Formula, under []int32) int64 {
	best := int64(maxsat.None)
	for bits := range 1 << f.Vars {
		holds := func(clause []int32) bool {
			for _, l := range clause {
				if bits>>(max(l, -l)-1)&1 != 0 == (l > 0) {
					return true
				}
			}
			return false
		}
		right, cost := true, int64(0)
		for _, l := range under {
			right = right && holds([]int32{l})
		}
		for c := range f.Clauses() {
			right = right && holds(c)
		}
		for c, w := range f.EachSoft() {
			if !holds(c) {
				cost += w
			}
		}
		if right {
			best = min(best, cost)
		}
	}
	return best
}

// TestTiny compares with trying all models: of the whole, with small budgets, and below literals
// after it.
func TestTiny(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	found := map[string]int{}
	for n := range effort.Of(400, 1500, 6000) {
		f := tiny(r)
		want := cheapest(f, nil)
		s := maxsat.New(maxsat.NewProblem(f, nil), nil)
		for s.Search(s.Whole(), 1+r.Int64N(4)) == maxsat.Open {
			if s.Whole().Lower > want {
				t.Fatalf("formula %d %+v: the bound is %d, and the least cost %d", n, f, s.Whole().Lower, want)
			}
		}
		if s.Best() != want {
			t.Fatalf("formula %d %+v: cost %d, wanted %d", n, f, s.Best(), want)
		}
		switch {
		case want == maxsat.None:
			found["none"]++
		case want == 0:
			found["free"]++
		default:
			found["dear"]++
		}
	}
	if min(found["none"], found["free"], found["dear"]) < 40 {
		t.Errorf("the formulas are not mixed: %v", found)
	}
}

// TestCubes divides tiny formulas: what is cheapest below all of four cubes is cheapest, also where
// some of them are searched by another solver that follows the first.
func TestCubes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 2))
	followed := 0
	for n := range effort.Of(1500, 4000, 9000) {
		f := tiny(r)
		want := cheapest(f, nil)
		p := maxsat.NewProblem(f, nil)
		one, two := maxsat.New(p, nil), maxsat.New(p, nil)
		status, log := one.Begin(1 + r.Int64N(2))
		two.Follow(log, nil)
		if status == maxsat.Closed {
			continue
		}
		followed++
		for k := range 4 {
			cube := []int32{int32(1 - k&1*2), int32(2 - k&2*2)}
			s := []*maxsat.Optimizer{one, two}[r.IntN(2)]
			before := s.Best()
			b := s.Under(s.Whole(), cube[:1])
			if s.Search(b, 1+r.Int64N(4)) == maxsat.Open {
				b = s.Under(b, cube[1:])
			} else {
				b = s.Under(s.Whole(), cube)
			}
			for s.Search(b, 1+r.Int64N(4)) == maxsat.Open {
			}
			if below := cheapest(f, cube); s.Best() > below || s.Best() < before && s.Best() < want {
				t.Fatalf("formula %d %+v under %v: cost %d after %d, wanted %d", n, f, cube, s.Best(), before, below)
			}
			for _, other := range []*maxsat.Optimizer{one, two} {
				clauses, under := s.Short()
				for _, c := range clauses {
					other.Import(c, under)
				}
				if r.IntN(2) == 0 {
					other.Know(s.Best())
				}
			}
		}
		if best := min(one.Best(), two.Best()); best != want {
			t.Fatalf("formula %d %+v: cost %d, wanted %d", n, f, best, want)
		}
	}
	if followed < 100 {
		t.Errorf("only %d formulas were divided", followed)
	}
}
