package cdcl_test

import (
	"bytes"
	"slices"
	"testing"

	"satingrid/apps/sat/cdcl"
	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
)

// TestMergedAssumptions assumes variables that another stands for: what fails is named as it was
// said.
func TestMergedAssumptions(t *testing.T) {
	f := &cnf.Formula{Vars: 40}
	for v := int32(1); v < 40; v++ { // 1 = -2 = 3 = -4 …
		f.Add(v, v+1)
		f.Add(-v, -v-1)
	}
	var proof bytes.Buffer
	s := loaded(f, &proof)
	if status := s.Solve([]int32{7}, 0); status != cdcl.Satisfiable || s.Merged != 39 {
		t.Fatalf("status %v, and %d variables had another put in their place", status, s.Merged)
	}
	model := literals(s.Model())
	if err := check.Model(f, model); err != nil || model[6] != 7 {
		t.Errorf("%v: %v", model, err)
	}
	if status := s.Solve([]int32{5, 20, 30}, 0); status != cdcl.Unsatisfiable {
		t.Errorf("status %v", status)
	}
	failed := slices.Clone(s.Failed())
	slices.Sort(failed)
	if !slices.Equal(failed, []int32{5, 20}) {
		t.Errorf("%v are said to fail together", failed)
	}
	failedWith := *f
	failedWith.Lits = slices.Clone(f.Lits)
	for _, l := range failed {
		failedWith.Add(l)
	}
	if _, err := check.Proof(&failedWith, bytes.NewReader(append(proof.Bytes(), "0\n"...)), "proof"); err != nil {
		t.Error(err)
	}
	s.Add([]int32{39})
	s.Import([]int32{20})
	if status := s.Solve(nil, 0); status != cdcl.Unsatisfiable {
		t.Errorf("status %v of what is added by other names", status)
	}
}

// TestOpposites has a variable that is equal to its negation.
func TestOpposites(t *testing.T) {
	f := &cnf.Formula{Vars: 3, Lits: []int32{-1, 2, 0, -2, 3, 0, -3, -1, 0, 1, 3, 0, -3, 2, 0, -2, 1, 0}}
	var proof bytes.Buffer
	s := loaded(f, &proof)
	if status := s.Solve(nil, 0); status != cdcl.Unsatisfiable || s.Conflicts > 0 {
		t.Errorf("status %v after %d conflicts", status, s.Conflicts)
	}
	if _, err := check.Proof(f, &proof, "proof"); err != nil {
		t.Error(err)
	}
}

// TestProbes has literals that fail, but only by clauses of three.
func TestProbes(t *testing.T) {
	f := &cnf.Formula{Vars: 5, Lits: []int32{-1, 2, 0, -1, 3, 0, -2, -3, 4, 0, -2, -3, -4, 0, 1, 5, 2, 0}}
	s := loaded(f, new(bytes.Buffer))
	status := s.Solve(nil, 0)
	if model := s.Model(); status != cdcl.Satisfiable || s.Failures != 1 || model[0] {
		t.Errorf("status %v with the model %v, and %d literals failed", status, model, s.Failures)
	}
}
