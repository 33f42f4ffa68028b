package tsp

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// longest is longer than any tour of small problems, so that their nodes stay open.
func longest() int64 { return 1000 }

// someProgram is such a node's program, solved after some rounds of cuts.
func someProgram(rng *rand.Rand, n int) (e *explorer, m *matrix, ok bool) {
	s, m, ok := someNode(rng, n)
	if !ok {
		return nil, nil, false
	}
	e = &explorer{limit: longest, found: func([]int16) {}}
	if err := e.load(Subtree{Edges: s.edgesLeft(func(int) bool { return false })}, m); err != nil {
		panic(err)
	}
	e.lower()
	for range 1 + rng.IntN(8) {
		if _, done := e.solve(); !done {
			return nil, nil, false
		}
		if !e.separate() {
			break
		}
	}
	_, ok = e.solve()
	return e, m, ok
}

// TestSubtree makes a job of a node and a node of the job, which has the same program and begins
// where the first has ended.
func TestSubtree(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	tried := 0
	for range 200 {
		e, m, ok := someProgram(rng, 5+rng.IntN(12))
		if !ok {
			continue
		}
		tried++
		job := e.subtree()
		again := &explorer{limit: longest}
		if err := again.load(job, m); err != nil {
			t.Fatal(err)
		}
		if job2 := again.subtree(); !slices.Equal(job.Edges, job2.Edges) || !slices.Equal(job.Cuts, job2.Cuts) || !slices.Equal(job.Basis, job2.Basis) {
			t.Fatalf("%v became %v", job, job2)
		}
		again.lower()
		bound, _ := e.solve()
		if b, done := again.solve(); !done || max(b-bound, bound-b) > fine/1000 || again.program.Steps > 0 {
			t.Fatalf("the bound was %d and is %d, after %d steps", bound, b, again.program.Steps)
		}
	}
	if tried < 100 {
		t.Errorf("%d nodes are not enough", tried)
	}
}

// TestJobSize keeps jobs to a few KiB.
func TestJobSize(t *testing.T) {
	p, optimum := shared(t, "pr76")
	d, err := DistancesOf(p)
	if err != nil {
		t.Fatal(err)
	}
	m := newMatrix(&d, nil)
	im := newImprover(m)
	im.begin(0)
	im.descend()
	s := &search{cutoff: (optimum - 1) * scale}
	s.first(m)
	if !rootOf(s, m, im.tour) {
		t.Fatal("the root is closed")
	}
	e := &explorer{limit: func() int64 { return optimum }, budget: 1}
	if err := e.explore(Subtree{Edges: s.edgesLeft(func(int) bool { return false })}, m); err != nil {
		t.Fatal(err)
	}
	if len(e.pending) != 2 {
		t.Fatalf("%d jobs, want 2", len(e.pending))
	}
	for _, job := range e.pending {
		if len(job.Edges)+len(job.Cuts)+len(job.Basis) > 4<<10 {
			t.Errorf("a job of %d, %d and %d bytes", len(job.Edges), len(job.Cuts), len(job.Basis))
		}
	}
}

// FuzzSubtree loads jobs of damaged fields.
func FuzzSubtree(f *testing.F) {
	rng := rand.New(rand.NewPCG(11, 12))
	var m *matrix
	for m == nil {
		e, about, ok := someProgram(rng, 8)
		if ok && len(e.cuts) > 0 {
			job := e.subtree()
			f.Add(job.Edges, job.Cuts, job.Basis)
			m = about
		}
	}
	f.Fuzz(func(t *testing.T, edges, cuts, basis []byte) {
		s := &explorer{limit: longest}
		if err := s.load(Subtree{edges, cuts, basis}, m); err != nil {
			return
		}
		s.lower()
		s.solve()
		again := &explorer{limit: longest}
		if err := again.load(s.subtree(), m); err != nil {
			t.Fatalf("a job that was loaded cannot be sent on: %v", err)
		}
	})
}
