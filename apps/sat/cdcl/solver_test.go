package cdcl_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/apps/sat/cdcl"
	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/satin/effort"
)

// loaded is a solver of a formula that writes its proof down.
func loaded(f *cnf.Formula, proof *bytes.Buffer) *cdcl.Solver {
	s := cdcl.New(f.Vars)
	s.Log = func(c []int32) { write(proof, c) }
	s.Forgot = func(c []int32) {
		proof.WriteString("d ")
		write(proof, c)
	}
	for c := range f.Clauses() {
		s.Add(c)
	}
	return s
}

func write(w *bytes.Buffer, clause []int32) {
	for _, l := range clause {
		fmt.Fprintf(w, "%d ", l)
	}
	w.WriteString("0\n")
}

// tiny draws a formula of few variables with clauses of one to four literals, also with
// double and opposite ones.
func tiny(r *rand.Rand) *cnf.Formula {
	f := &cnf.Formula{Vars: 3 + r.IntN(7)}
	longest := 2 + r.IntN(3)
	for range r.IntN(f.Vars*6) + 1 {
		clause := make([]int32, 0, 4)
		for range 1 + r.IntN(longest) + r.IntN(2) {
			clause = append(clause, int32(1+r.IntN(f.Vars))*int32(1-2*r.IntN(2)))
		}
		f.Add(clause...)
	}
	return f
}

// models counts by trying all, under assumptions.
func models(f *cnf.Formula, assumed []int32) int {
	count := 0
	model := make([]int32, f.Vars)
	for bits := range 1 << f.Vars {
		for v := range model {
			model[v] = int32(v + 1)
			if bits>>v&1 == 0 {
				model[v] = -model[v]
			}
		}
		if !slices.ContainsFunc(assumed, func(l int32) bool { return model[max(l, -l)-1] != l }) && check.Model(f, model) == nil {
			count++
		}
	}
	return count
}

func literals(model []bool) []int32 {
	out := make([]int32, len(model))
	for v, yes := range model {
		out[v] = int32(v + 1)
		if !yes {
			out[v] = -out[v]
		}
	}
	return out
}

// TestTiny asks one solver for the same formula again and again, under different assumptions and
// with small budgets, and compares with trying all assignments. All refutations have proofs.
func TestTiny(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 33))
	var all endings
	formulas := effort.Of(300, 1000, 3000)
	for n := range formulas {
		f := tiny(r)
		var proof bytes.Buffer
		s := loaded(f, &proof)
		for range 4 {
			var assumed []int32
			for range r.IntN(4) {
				assumed = append(assumed, int32(1+r.IntN(f.Vars))*int32(1-2*r.IntN(2)))
			}
			status := cdcl.Unknown
			for status == cdcl.Unknown {
				status = s.Solve(assumed, 1+int64(r.IntN(5)))
			}
			if (models(f, assumed) > 0) != (status == cdcl.Satisfiable) {
				t.Fatalf("formula %d %+v under %v: status %v", n, f, assumed, status)
			}
			all.see(t, f, s, status, assumed, proof.Bytes())
		}
	}
	all.areMixed(t, formulas)
}

// endings are how searches have ended, by how many.
type endings struct{ satisfiable, refuted, assumedAway int }

// see verifies what a search found: a model under the assumptions, which of them fail together, or
// a refutation with its proof.
func (e *endings) see(t *testing.T, f *cnf.Formula, s *cdcl.Solver, status cdcl.Status, assumed []int32, proof []byte) {
	t.Helper()
	switch {
	case status == cdcl.Satisfiable:
		e.satisfiable++
		model := literals(s.Model())
		if err := check.Model(f, model); err != nil {
			t.Fatalf("formula %+v: %v", f, err)
		}
		if slices.ContainsFunc(assumed, func(l int32) bool { return model[max(l, -l)-1] != l }) {
			t.Fatalf("formula %+v: the model contradicts the assumptions", f)
		}
	case len(s.Failed()) > 0:
		e.assumedAway++
		failedTogether(t, f, s.Failed(), assumed, proof)
	default:
		e.refuted++
		if _, err := check.Proof(f, bytes.NewReader(proof), "proof"); err != nil {
			t.Fatalf("formula %+v: %v\n%s", f, err, proof)
		}
	}
}

// areMixed tells whether there were enough of each for so many formulas.
func (e *endings) areMixed(t *testing.T, formulas int) {
	t.Helper()
	if min(e.satisfiable, e.refuted, 2*e.assumedAway) < formulas/3 {
		t.Errorf("the formulas are not mixed: %+v", *e)
	}
}

// failedTogether has the failed assumptions be some of those made, and impossible
// together, with a proof.
func failedTogether(t *testing.T, f *cnf.Formula, failed, assumed []int32, proof []byte) {
	t.Helper()
	with := *f
	with.Lits = slices.Clone(f.Lits)
	for _, l := range failed {
		if !slices.Contains(assumed, l) {
			t.Fatalf("%d failed, but %v were assumed", l, assumed)
		}
		with.Add(l)
	}
	if possible(f, failed) {
		t.Fatalf("%v are said to fail together, but do not", failed)
	}
	if _, err := check.Proof(&with, bytes.NewReader(append(slices.Clone(proof), "0\n"...)), "proof"); err != nil {
		t.Fatalf("%+v: %v\n%s", with, err, proof)
	}
}

// TestRandom3 has formulas that take thousands of conflicts, so that restarts, reductions and
// both phases are met.
func TestRandom3(t *testing.T) {
	found := map[cdcl.Status]int{}
	deleted := 0
	for seed := range uint64(12) {
		f := cnf.Random3(130, seed)
		var proof bytes.Buffer
		s := loaded(f, &proof)
		status := s.Solve(nil, 0)
		found[status]++
		if status == cdcl.Satisfiable {
			if err := check.Model(f, literals(s.Model())); err != nil {
				t.Error(err)
			}
			continue
		}
		r, err := check.Proof(f, &proof, "proof")
		if err != nil {
			t.Error(err)
		}
		deleted += r.Deleted
	}
	if deleted == 0 {
		t.Error("nothing was forgotten")
	}
	if found[cdcl.Satisfiable] == 0 || found[cdcl.Unsatisfiable] == 0 {
		t.Errorf("one kind of formula is missing: %v", found)
	}
}

func TestFamilies(t *testing.T) {
	for family, want := range map[string]cdcl.Status{
		"php,1": cdcl.Unsatisfiable, "php,6": cdcl.Unsatisfiable,
		"vdw,3,3,8": cdcl.Satisfiable, "vdw,3,3,9": cdcl.Unsatisfiable,
		"vdw,3,4,17": cdcl.Satisfiable, "vdw,3,4,18": cdcl.Unsatisfiable,
		"vdw,4,4,34": cdcl.Satisfiable, "vdw,4,4,35": cdcl.Unsatisfiable,
	} {
		f, err := cnf.Generate(family)
		if err != nil {
			t.Fatal(err)
		}
		var proof bytes.Buffer
		s := loaded(f, &proof)
		if status := s.Solve(nil, 0); status != want {
			t.Errorf("%s: status %v", family, status)
		}
		if want == cdcl.Unsatisfiable {
			if _, err := check.Proof(f, &proof, family); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPoll has a solver stop when it is told to, and go on.
func TestPoll(t *testing.T) {
	f := cnf.Pigeons(7)
	s := loaded(f, new(bytes.Buffer))
	polls := 0
	s.Poll = func() bool { polls++; return polls == 2 }
	if status := s.Solve(nil, 0); status != cdcl.Unknown {
		t.Errorf("status %v, although the poll said stop", status)
	}
	if status := s.Solve(nil, 0); status != cdcl.Unsatisfiable || polls < 3 {
		t.Errorf("status %v after %d polls", status, polls)
	}
}

// TestPollWithoutConflicts has a formula of nothing but decisions.
func TestPollWithoutConflicts(t *testing.T) {
	f := &cnf.Formula{Vars: 100_000}
	for v := int32(1); int(v) < f.Vars; v += 2 {
		f.Add(v, v+1)
	}
	s := loaded(f, new(bytes.Buffer))
	polls := 0
	s.Poll = func() bool { polls++; return polls == 3 }
	if status := s.Solve(nil, 0); status != cdcl.Unknown || s.Conflicts > 0 {
		t.Errorf("status %v after %d polls and %d conflicts", status, polls, s.Conflicts)
	}
}

// TestImport has one solver tell another what it has learned.
func TestImport(t *testing.T) {
	f := cnf.Random3(150, 5)
	a, b := loaded(f, new(bytes.Buffer)), loaded(f, new(bytes.Buffer))
	want, told := a.Solve(nil, 0), 0
	for _, c := range a.Short() {
		b.Import(c)
		told++
	}
	b.Import([]int32{int32(f.Vars) + 1}) // of another formula: not taken
	if status := b.Solve(nil, 0); status != want || told == 0 {
		t.Errorf("status %v with %d clauses of one that found %v", status, told, want)
	}
}

// TestImportWhileSolving has a poll import what refutes the formula.
func TestImportWhileSolving(t *testing.T) {
	f := cnf.Pigeons(9)
	s := loaded(f, new(bytes.Buffer))
	s.Poll = func() bool {
		s.Import([]int32{1})
		s.Import([]int32{-1, 2})
		s.Import([]int32{-2, -1})
		return false
	}
	if status := s.Solve(nil, 0); status != cdcl.Unsatisfiable || s.Conflicts > 1000 {
		t.Errorf("status %v after %d conflicts", status, s.Conflicts)
	}
}
