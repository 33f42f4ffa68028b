package eliminate_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/apps/sat/cdcl"
	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/eliminate"
)

// solved solves what is left of a formula, and has the checker accept the model of the
// formula or the proof.
func solved(t *testing.T, f *cnf.Formula) (*eliminate.Rest, cdcl.Status) {
	t.Helper()
	var proof bytes.Buffer
	log := func(clause []int32) {
		for _, l := range clause {
			fmt.Fprintf(&proof, "%d ", l)
		}
		proof.WriteString("0\n")
	}
	rest := eliminate.Variables(f, log, nil)
	s := cdcl.New(rest.Formula.Vars)
	s.Log = log
	for c := range rest.Formula.Clauses() {
		s.Add(c)
	}
	status := s.Solve(nil, 0)
	if status == cdcl.Satisfiable {
		model := s.Model()
		rest.Complete(model)
		list := make([]int32, f.Vars)
		for v, yes := range model {
			list[v] = int32(v + 1)
			if !yes {
				list[v] = -list[v]
			}
		}
		if err := check.Model(f, list); err != nil {
			t.Fatalf("%+v, left %+v: %v", f, rest.Formula, err)
		}
	} else if _, err := check.Proof(f, bytes.NewReader(proof.Bytes()), "proof"); err != nil {
		t.Fatalf("%+v, left %+v: %v\n%s", f, rest.Formula, err, proof.String())
	}
	return rest, status
}

func variables(f *cnf.Formula) int {
	seen := make(map[int32]bool)
	for _, l := range f.Lits {
		seen[max(l, -l)] = true
	}
	delete(seen, 0)
	return len(seen)
}

// TestTiny has formulas with double and opposite literals, units and contradictions.
func TestTiny(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found := map[cdcl.Status]int{}
	gone := 0
	for range 4000 {
		f := &cnf.Formula{Vars: 3 + r.IntN(12)}
		longest := 2 + r.IntN(3)
		for range r.IntN(f.Vars*4) + 1 {
			c := make([]int32, 0, 5)
			for range 1 + r.IntN(longest) + r.IntN(2) {
				c = append(c, int32(1+r.IntN(f.Vars))*int32(1-2*r.IntN(2)))
			}
			f.Add(c...)
		}
		rest, status := solved(t, f)
		found[status]++
		gone += variables(f) - variables(&rest.Formula)
	}
	if found[cdcl.Satisfiable] < 500 || found[cdcl.Unsatisfiable] < 500 || gone < 10000 {
		t.Errorf("the formulas are not mixed: %v, and %d variables are gone", found, gone)
	}
}

// TestRandom3 has formulas that keep most of their variables, and are solved by search.
func TestRandom3(t *testing.T) {
	found := map[cdcl.Status]int{}
	for seed := range uint64(20) {
		f := cnf.Random3(90, seed)
		rest, status := solved(t, f)
		found[status]++
		if a, b := variables(f), variables(&rest.Formula); b >= a || b < a/2 {
			t.Errorf("seed %d: %d of %d variables are left", seed, b, a)
		}
	}
	if len(found) != 2 {
		t.Errorf("one kind of formula is missing: %v", found)
	}
}

// circuit draws gates, each of inputs and gates before it, and wants one of the last to be true.
func circuit(r *rand.Rand) *cnf.Formula {
	const inputs = 5
	f := &cnf.Formula{Vars: inputs + 8 + r.IntN(8)}
	for x := int32(inputs + 1); int(x) <= f.Vars; x++ {
		var in [3]int32
		for i, v := range r.Perm(int(x) - 1)[:3] {
			in[i] = int32(v+1) * int32(1-2*r.IntN(2))
		}
		a, b, c := in[0], in[1], in[2]
		switch x *= int32(1 - 2*r.IntN(2)); r.IntN(3) {
		case 0:
			f.Lits = append(f.Lits, x, -a, -b, -c, 0, -x, a, 0, -x, b, 0, -x, c, 0)
		case 1:
			f.Lits = append(f.Lits, x, a, -b, 0, x, -a, b, 0, -x, a, b, 0, -x, -a, -b, 0)
		default:
			f.Lits = append(f.Lits, -c, -a, x, 0, -c, a, -x, 0, c, -b, x, 0, c, b, -x, 0)
		}
		x = max(x, -x)
	}
	for range 6 {
		f.Add(int32(f.Vars-r.IntN(6))*int32(1-2*r.IntN(2)), int32(f.Vars-6-r.IntN(6))*int32(1-2*r.IntN(2)))
	}
	return f
}

// TestCircuits has formulas of gates.
func TestCircuits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	found := map[cdcl.Status]int{}
	for range 1000 {
		f := circuit(r)
		_, status := solved(t, f)
		found[status]++
	}
	if min(found[cdcl.Satisfiable], found[cdcl.Unsatisfiable]) < 100 {
		t.Errorf("the formulas are not mixed: %v", found)
	}
}

// TestChain has a chain of definitions that elimination solves alone.
func TestChain(t *testing.T) {
	f := &cnf.Formula{Vars: 3000}
	for v := int32(1); v < 3000; v++ {
		f.Add(-v, v+1)
		f.Add(v, -v-1)
	}
	if rest, status := solved(t, f); status != cdcl.Satisfiable || len(rest.Formula.Lits) > 0 {
		t.Errorf("%v, and %d literals are left", status, len(rest.Formula.Lits))
	}
	f.Add(1)
	f.Add(-3000)
	if rest, status := solved(t, f); status != cdcl.Unsatisfiable || !slices.Equal(rest.Formula.Lits, []int32{0}) {
		t.Errorf("%v, and %v is left", status, rest.Formula.Lits)
	}
}

// TestCubes keeps the variables of cubes, and the same formula always has the same rest.
func TestCubes(t *testing.T) {
	for seed := range uint64(20) {
		f := cnf.Random3(40, seed)
		f.Lits = f.Lits[:len(f.Lits)/8*4] // half of the clauses
		f.Cubes = []int32{1, -2, 0, 3, 0}
		f.Add(1, 2, 3)
		f.Add(-1, -2, -3)
		rest := eliminate.Variables(f, nil, nil)
		if again := eliminate.Variables(f, func([]int32) {}, func() bool { return false }); !slices.Equal(again.Formula.Lits, rest.Formula.Lits) {
			t.Errorf("seed %d: two rests", seed)
		}
		if !slices.Equal(rest.Formula.Cubes, f.Cubes) {
			t.Errorf("seed %d: cubes %v", seed, rest.Formula.Cubes)
		}
		for bits := range 8 {
			assumed := []int32{1, 2, 3}
			for i := range assumed {
				assumed[i] *= int32(1 - bits>>i&1*2)
			}
			if a, b := status(f, assumed), status(&rest.Formula, assumed); a != b {
				t.Errorf("seed %d under %v: %v, but %v of the rest", seed, assumed, a, b)
			}
		}
	}
}

// TestStop is told to stop while it reads the formula, before it does anything, and later: what it
// has done is right.
func TestStop(t *testing.T) {
	f := cnf.Random3(3000, 1)
	f.Lits = f.Lits[:len(f.Lits)/8*4] // half of the clauses
	all := eliminate.Variables(f, nil, nil)
	for _, last := range []int{1, 2, 4, 8} {
		asked := 0
		rest := eliminate.Variables(f, nil, func() bool { asked++; return asked >= last })
		if asked > last+1 || variables(&rest.Formula) <= variables(&all.Formula) {
			t.Errorf("asked %d times, %d variables are left, and %d otherwise", asked, variables(&rest.Formula), variables(&all.Formula))
		}
		if whole := slices.Equal(rest.Formula.Lits, f.Lits); whole != (last <= 2) {
			t.Errorf("stopped at question %d: the formula is whole: %v", last, whole)
		}
		s := cdcl.New(f.Vars)
		for c := range rest.Formula.Clauses() {
			s.Add(c)
		}
		if s.Solve(nil, 0) != cdcl.Satisfiable {
			t.Error("there is no model")
		}
	}
}

func status(f *cnf.Formula, assumed []int32) cdcl.Status {
	s := cdcl.New(f.Vars)
	for c := range f.Clauses() {
		s.Add(c)
	}
	return s.Solve(assumed, 0)
}

func ExampleVariables() {
	// Variable 2 is the same as 1, and 3 is what 2 says.
	f := &cnf.Formula{Vars: 4, Lits: []int32{-1, 2, 0, 1, -2, 0, -3, 2, 0, 3, -2, 0, 3, 4, 0, -3, -4, 0}}
	rest := eliminate.Variables(f, nil, nil)
	model := make([]bool, 4)
	rest.Complete(model)
	fmt.Println(len(rest.Formula.Lits), model)
	// Output: 0 [false false false true]
}
