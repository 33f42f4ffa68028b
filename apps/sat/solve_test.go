package sat_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/apps/sat"
	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/satin"
	"satingrid/satin/effort"
	"satingrid/satin/satintest"
)

// verify has the checker accept an answer.
func verify(t *testing.T, f *cnf.Formula, a sat.Answer, proved bool) {
	t.Helper()
	switch a.Status {
	case sat.Satisfiable:
		if err := check.Model(f, a.Literals(f.Vars)); err != nil {
			t.Error(err)
		}
	case sat.Unsatisfiable:
		if !proved {
			return
		}
		var proof bytes.Buffer
		if err := sat.WriteProof(&proof, a); err != nil {
			t.Fatal(err)
		}
		if _, err := check.Proof(f, &proof, "proof"); err != nil {
			t.Error(err)
		}
	default:
		t.Errorf("a run that ended found nothing: %+v", a)
	}
}

func solve(t *testing.T, task sat.Solve) sat.Answer {
	t.Helper()
	a, err := satin.Run(t.Context(), nil, task)
	if err != nil {
		t.Fatal(err)
	}
	verify(t, &task.Formula, a, task.Certify)
	return a
}

// TestSmall has formulas that take one cube or a few, with and without proofs;
// both must find the same.
func TestSmall(t *testing.T) {
	found := map[sat.Status]int{}
	rounds := effort.Of(20, 40, 60)
	for seed := range uint64(rounds) {
		f := cnf.Random3(20+int(seed)*2, seed)
		a, b := solve(t, sat.Solve{Formula: *f}), solve(t, sat.Solve{Formula: *f, Certify: true})
		if a.Status != b.Status {
			t.Errorf("seed %d: %v, but %v with a proof", seed, a.Status, b.Status)
		}
		found[a.Status]++
	}
	if min(found[sat.Satisfiable], found[sat.Unsatisfiable]) < rounds/6 {
		t.Errorf("the formulas are not mixed: %v", found)
	}
}

// TestCubes has cubes that leave something open: a model there is found, or the proof has it too.
func TestCubes(t *testing.T) {
	for seed := range uint64(20) {
		f := cnf.Random3(60, seed)
		want := solve(t, sat.Solve{Formula: *f}).Status
		f.Cubes = []int32{1, 2, 0, 1, -2, 0, -1, 3, 4, 0}
		if got := solve(t, sat.Solve{Formula: *f, Certify: true}); got.Status != want {
			t.Errorf("seed %d: %v with cubes, %v without", seed, got.Status, want)
		}
		f.Cubes = []int32{0}
		if got := solve(t, sat.Solve{Formula: *f, Certify: true}); got.Status != want {
			t.Errorf("seed %d: %v with the empty cube, %v without", seed, got.Status, want)
		}
	}
}

func TestEdges(t *testing.T) {
	for name, c := range map[string]struct {
		f    cnf.Formula
		want sat.Status
	}{
		"nothing":          {cnf.Formula{}, sat.Satisfiable},
		"no clauses":       {cnf.Formula{Vars: 9}, sat.Satisfiable},
		"the empty clause": {cnf.Formula{Vars: 1, Lits: []int32{0}}, sat.Unsatisfiable},
		"a contradiction":  {cnf.Formula{Vars: 1, Lits: []int32{1, 0, -1, 0}}, sat.Unsatisfiable},
		"a tautology":      {cnf.Formula{Vars: 1, Lits: []int32{1, -1, 0}}, sat.Satisfiable},
	} {
		if got := solve(t, sat.Solve{Formula: c.f, Certify: true}); got.Status != c.want {
			t.Errorf("%s: %v", name, got.Status)
		}
	}
	for _, f := range []cnf.Formula{{Vars: 1, Lits: []int32{1}}, {Vars: 1, Lits: []int32{2, 0}}, {Vars: -1}, {Vars: 2, Cubes: []int32{-3, 0}}} {
		if _, err := satin.Run(t.Context(), nil, sat.Solve{Formula: f}); err == nil || !strings.Contains(err.Error(), "sat: ") {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// TestSplits has a formula that is split, and a proof of many pieces.
func TestSplits(t *testing.T) {
	f := cnf.Random3(200, 1)
	a := solve(t, sat.Solve{Formula: *f, Certify: true})
	if a.Status != sat.Unsatisfiable || a.Conflicts < 5000 {
		t.Errorf("%v with %d conflicts: the formula should take some cubes", a.Status, a.Conflicts)
	}
}

// TestCrowded has formulas that no search would refute, also beyond what a proof may
// take, and one with cubes.
func TestCrowded(t *testing.T) {
	for _, task := range []sat.Solve{
		{Formula: *cnf.Pigeons(15), Certify: true},
		{Formula: *cnf.Pigeons(60)},
		{Formula: cnf.Formula{Vars: 2, Lits: []int32{1, 0, 2, 0, -1, -2, 0}, Cubes: []int32{1, 0}}, Certify: true},
	} {
		if a := solve(t, task); a.Status != sat.Unsatisfiable || a.Conflicts > 0 {
			t.Errorf("%d variables: %v with %d conflicts", task.Formula.Vars, a.Status, a.Conflicts)
		}
	}
}

// TestGrid loses a peer and gains one while a proof is made, and a model be found. On a busy
// machine a peer may come too late to a small formula: then it is tried with a larger one.
func TestGrid(t *testing.T) {
	for _, seed := range []uint64{1, 17} { // one of each kind
		sizes := []int{200, 220, 240, 260}
		for n, vars := range sizes {
			f := cnf.Random3(vars, seed)
			a, worked := losesOne(t, sat.Solve{Formula: *f, Certify: true})
			verify(t, f, a, true)
			if worked {
				break
			}
			if n == len(sizes)-1 {
				t.Error("all runs had ended before a peer worked for them: the test does less than it claims")
			}
		}
	}
}

// losesOne is the answer of a grid that has lost a peer on the way, and whether that one worked.
func losesOne(t *testing.T, task sat.Solve) (a sat.Answer, worked bool) {
	t.Helper()
	g := satintest.Start(t, satintest.Config{App: sat.App(), Delay: time.Millisecond, Strict: true})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	sub, err := satin.Submit(ctx, g.Client, task)
	if err != nil {
		t.Fatal(err)
	}
	worked = g.Works("b/1", sub.Done())
	g.Kill("b/1")
	if _, err := g.Add("b"); err != nil {
		t.Fatal(err)
	}
	if a, err = sub.Wait(); err != nil {
		t.Fatal(err)
	}
	return a, worked
}

func TestWriteProofOfNothing(t *testing.T) {
	var out bytes.Buffer
	if err := sat.WriteProof(&out, sat.Answer{}); err != nil || out.Len() > 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestAnswer(t *testing.T) {
	a := sat.Answer{Status: sat.Satisfiable, Model: []byte{5, 1}}
	if got := a.Literals(9); !slices.Equal(got, []int32{1, -2, 3, -4, -5, -6, -7, -8, 9}) {
		t.Error(got)
	}
	var none, unsat sat.Answer
	unsat.Status = sat.Unsatisfiable
	if a.Better(a) || unsat.Better(none) || !a.Better(none) || none.Better(a) {
		t.Error("the order of answers")
	}
}

func ExampleSolve() {
	f := &cnf.Formula{Vars: 2, Lits: []int32{1, 2, 0, 1, -2, 0}}
	a, err := satin.Run(context.Background(), nil, sat.Solve{Formula: *f})
	if err != nil {
		panic(err)
	}
	fmt.Println(a.Status, a.Literals(f.Vars)[0], check.Model(f, a.Literals(f.Vars)))

	f.Add(-1)
	a, err = satin.Run(context.Background(), nil, sat.Solve{Formula: *f})
	if err != nil {
		panic(err)
	}
	fmt.Println(a.Status)
	// Output:
	// SATISFIABLE 1 <nil>
	// UNSATISFIABLE
}
