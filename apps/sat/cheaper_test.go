package sat_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"satingrid/apps/sat"
	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/maxsat"
	"satingrid/satin"
	"satingrid/satin/effort"
)

// cheapest solves a formula with weights on a peer, or alone where it is nil, and has the checker
// add up what the model costs: math.MaxInt64 where there is none.
func cheapest(t *testing.T, p *satin.Peer, f *cnf.Formula) int64 {
	t.Helper()
	a, err := satin.Run(t.Context(), p, sat.Solve{Formula: *f})
	if err != nil {
		t.Fatal(err)
	}
	return costs(t, f, a)
}

func costs(t *testing.T, f *cnf.Formula, a sat.Answer) int64 {
	t.Helper()
	if a.Status == sat.Unsatisfiable {
		return math.MaxInt64
	}
	model := a.Literals(f.Vars)
	cost, err := check.Cost(f, model)
	if err == nil {
		err = check.Model(f, model)
	}
	if err != nil || a.Status != sat.Optimal || a.Cost != cost || a.Bound != cost {
		t.Errorf("%v of cost %d and bound %d, and the model costs %d: %v", a.Status, a.Cost, a.Bound, cost, err)
	}
	return cost
}

// drawn draws a formula of few variables, with weights that are 1 or very large, and perhaps with
// clauses that must hold and cannot.
func drawn(r *rand.Rand) *cnf.Formula {
	f := &cnf.Formula{Vars: 2 + r.IntN(9), Weighed: true}
	clause := func(least, most int) (c []int32) {
		for range least + r.IntN(most-least+1) {
			c = append(c, int32(1+r.IntN(f.Vars))*int32(1-2*r.IntN(2)))
		}
		return c
	}
	for range r.IntN(3 * f.Vars) {
		f.Add(clause(1+r.IntN(2), 3)...)
	}
	for range r.IntN(5 * f.Vars) {
		f.AddSoft([]int64{0, 1, 1, 2, 1 << 50}[r.IntN(5)], clause(r.IntN(2), 1+r.IntN(3))...)
	}
	return f
}

// least is the least cost of all models, by trying all.
func least(f *cnf.Formula) int64 {
	best := int64(math.MaxInt64)
	model := make([]int32, f.Vars)
	for bits := range 1 << f.Vars {
		for v := range model {
			model[v] = int32(v+1) * int32(1-bits>>v&1*2)
		}
		if check.Model(f, model) == nil {
			cost, _ := check.Cost(f, model)
			best = min(best, cost)
		}
	}
	return best
}

// TestCheapestTiny compares with trying all models.
func TestCheapestTiny(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	none, formulas := 0, effort.Of(200, 500, 2000)
	for n := range formulas {
		f := drawn(r)
		want := least(f)
		if got := cheapest(t, nil, f); got != want {
			t.Fatalf("formula %d %+v: cost %d, wanted %d", n, f, got, want)
		}
		if want == math.MaxInt64 {
			none++
		}
	}
	if none < formulas/20 || none > formulas/2 {
		t.Errorf("%d of %d formulas have no model", none, formulas)
	}
}

// families are formulas that take some jobs, and more than a moment of none.
var families = []string{"cut,40,100,1", "cover,130,330,1", "late,22,4", "cut,50,110,2"}

func generated(t *testing.T, family string) *cnf.Formula {
	t.Helper()
	f, err := cnf.Generate(family)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// alone is the least cost that one solver finds that goes on until it is done.
func alone(f *cnf.Formula) int64 {
	s := maxsat.New(maxsat.NewProblem(f, nil), nil)
	s.Search(s.Whole(), 0)
	return s.Best()
}

// TestCheapestFamilies compares with one solver.
func TestCheapestFamilies(t *testing.T) {
	for _, family := range families {
		f := generated(t, family)
		if got, want := cheapest(t, nil, f), alone(f); got != want {
			t.Errorf("%s: cost %d, wanted %d", family, got, want)
		}
	}
}

// TestCheapestGrid loses a peer and gains one meanwhile. On a busy machine a peer may come too late
// to a small formula: then it is tried with a larger one.
func TestCheapestGrid(t *testing.T) {
	sat.SplitSooner(t)
	sizes := []string{"cut,40,90,1", "cut,45,110,1", "cut,50,120,1", "cut,50,130,3"}
	for n, family := range sizes {
		f := generated(t, family)
		a, worked := losesOne(t, sat.Solve{Formula: *f})
		if got, want := costs(t, f, a), alone(f); got != want {
			t.Errorf("%s: cost %d, wanted %d", family, got, want)
		}
		if worked {
			return
		}
		if n == len(sizes)-1 {
			t.Error("all runs had ended before a peer worked for them: the test does less than it claims")
		}
	}
}

// TestCheapestEdges has formulas of nothing but what is plain, and those that no reader makes.
func TestCheapestEdges(t *testing.T) {
	f := func(vars int, hard ...int32) cnf.Formula { return cnf.Formula{Vars: vars, Lits: hard, Weighed: true} }
	big := f(1)
	big.AddSoft(cnf.WeightMax-1, 1)
	big.AddSoft(1, -1)
	for _, c := range []struct {
		f    cnf.Formula
		want int64
	}{{f(0), 0}, {f(3), 0}, {f(1, 1, 0, -1, 0), math.MaxInt64}, {f(1, 0), math.MaxInt64}, {big, 1}} {
		if got := cheapest(t, nil, &c.f); got != c.want {
			t.Errorf("%+v: cost %d, wanted %d", c.f, got, c.want)
		}
	}
	for what, f := range map[string]cnf.Formula{
		"2 weights of 1 clauses":     {Weighed: true, Soft: []int32{0}, Weights: []int64{1, 1}},
		"weight -1":                  {Weighed: true, Soft: []int32{0}, Weights: []int64{-1}},
		"weight 4611686018427387904": {Weighed: true, Soft: []int32{0, 0}, Weights: []int64{1, cnf.WeightMax}},
		"either weights or cubes":    {Soft: []int32{0}, Weights: []int64{1}},
		"or cubes, and says so":      {Weighed: true, Cubes: []int32{0}},
		"literal 2 of 1 variables":   {Vars: 1, Weighed: true, Soft: []int32{2, 0}, Weights: []int64{1}},
		"does not end with 0":        {Vars: 1, Weighed: true, Soft: []int32{0, 1}, Weights: []int64{1}},
	} {
		if _, err := satin.Run(t.Context(), nil, sat.Solve{Formula: f}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%+v: %v, wanted %s", f, err, what)
		}
	}
	if err := (sat.Solve{Formula: f(1), Certify: true}).Check(); err == nil || !strings.Contains(err.Error(), "no proof") {
		t.Error(err)
	}
}

// TestBetterCosts has the order of answers that cost something.
func TestBetterCosts(t *testing.T) {
	order := []sat.Answer{
		{},
		{Status: sat.Satisfiable, Cost: 9, Bound: 3},
		{Status: sat.Satisfiable, Cost: 8, Bound: 2},
		{Status: sat.Satisfiable, Cost: 8, Bound: 8},
		{Status: sat.Optimal, Cost: 8, Bound: 8},
	}
	for i, a := range order {
		for k, b := range order {
			if a.Better(b) != (i > k) {
				t.Errorf("%+v is better than %+v: %v", a, b, a.Better(b))
			}
		}
	}
}

func ExampleCheaper() {
	f := cnf.Formula{Vars: 2, Lits: []int32{1, 2, 0}}
	f.AddSoft(3, -1)
	f.AddSoft(5, -2)
	a, err := satin.Run(context.Background(), nil, sat.Solve{Formula: f})
	fmt.Println(a.Status, a.Cost, a.Literals(2), err)
	// Output: OPTIMUM FOUND 3 [1 -2] <nil>
}
