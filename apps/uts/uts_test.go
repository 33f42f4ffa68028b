package uts_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
	"satingrid/satin"
)

func Example() {
	task, err := uts.New(tree.Default)
	if err != nil {
		panic(err)
	}
	c, err := satin.Run(context.Background(), nil, task)
	fmt.Println(c.Nodes, c.Leaves, err)
	// Output: 1732 1050 <nil>
}

// TestTwins compares the walk by jobs and the walk by goroutines with the sequential
// one, on drawn trees.
func TestTwins(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		p := tree.Default
		p.Kind = tree.Kind(rnd.IntN(4))
		p.Shape = tree.Shape(rnd.IntN(4))
		p.Depth, p.Branching, p.Seed = 1+rnd.IntN(5), 1+3*rnd.Float64(), rnd.IntN(1000)
		p.Prob, p.Children = 0.3*rnd.Float64(), 1+rnd.IntN(3)
		task, err := uts.New(p)
		if err != nil {
			t.Fatal(err)
		}
		want := task.Sequential()
		got, err := satin.Run(t.Context(), nil, task)
		if err != nil || got != want {
			t.Errorf("%v: by jobs %+v (%v), alone %+v", p, got, err, want)
		}
		if got, _ := task.Goroutines(); got != want {
			t.Errorf("%v: by goroutines %+v, alone %+v", p, got, want)
		}
	}
}

// TestSequentialAllocatesNothing: what jobs are compared with is what a good programmer would
// write.
func TestSequentialAllocatesNothing(t *testing.T) {
	task, err := uts.New(tree.Default)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(10, func() { task.Sequential() }); n > 0 {
		t.Errorf("it allocated %v times", n)
	}
}

// TestWide has a root with 2000 children, and TestDeep a path of 20,000 nodes: the shapes of T3L.
func TestWide(t *testing.T) {
	p := tree.Default
	p.Kind, p.Branching, p.Prob, p.Children = tree.Binomial, 2000, 0.2, 4
	compare(t, p)
}

func TestDeep(t *testing.T) {
	p := tree.Default
	p.Kind, p.Branching, p.Depth = tree.Balanced, 1, 20_000
	compare(t, p)
}

func compare(t *testing.T, p tree.Params) {
	t.Helper()
	task, err := uts.New(p)
	if err != nil {
		t.Fatal(err)
	}
	want := task.Sequential()
	if got, err := satin.Run(t.Context(), nil, task); err != nil || got != want {
		t.Errorf("%v: by jobs %+v (%v), alone %+v", p, got, err, want)
	}
}

func TestBadParameters(t *testing.T) {
	if _, err := uts.New(tree.Params{}); err == nil {
		t.Error("the zero parameters were accepted")
	}
}
