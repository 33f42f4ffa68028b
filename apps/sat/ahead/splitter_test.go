package ahead_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/apps/sat/ahead"
	"satingrid/apps/sat/cnf"
)

// TestSplit splits cubes down to the leaves: the literal is never one of the cube, and a splitter
// that has seen many other cubes before splits as one that has not.
func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	splits := 0
	for n := range 200 {
		f := cnf.Random3(10+r.IntN(30), uint64(n))
		f.Add(int32(1+r.IntN(f.Vars)), int32(1+r.IntN(f.Vars)))
		warm := ahead.New(f, nil)
		var cube []int32
		for {
			l := warm.Split(cube)
			if fresh := ahead.New(f, nil).Split(cube); fresh != l {
				t.Fatalf("formula %d, cube %v: %d, but %d when asked first", n, cube, l, fresh)
			}
			if l == 0 {
				break
			}
			if int(max(l, -l)) > f.Vars || slices.Contains(cube, l) || slices.Contains(cube, -l) {
				t.Fatalf("formula %d: cube %v is split on %d", n, cube, l)
			}
			splits++
			cube = append(cube, l*int32(1-2*r.IntN(2)))
		}
	}
	if splits < 400 {
		t.Errorf("only %d splits", splits)
	}
}

// TestNothing has cubes that unit propagation decides.
func TestNothing(t *testing.T) {
	f := &cnf.Formula{Vars: 4, Lits: []int32{1, 2, 0, -1, 3, 0, -3, -2, 0, 4, 0}}
	for _, cube := range [][]int32{{1, 3, -2}, {-1}, {-4}, {1, -3}} {
		if l := ahead.New(f, nil).Split(cube); l != 0 {
			t.Errorf("cube %v is split on %d", cube, l)
		}
	}
	if l := ahead.New(&cnf.Formula{Vars: 1, Lits: []int32{0}}, nil).Split(nil); l != 0 {
		t.Errorf("the empty clause: %d", l)
	}
}

func ExampleSplitter_Split() {
	// Variable 2 decides about most.
	f := &cnf.Formula{Vars: 4, Lits: []int32{2, 1, 3, 0, 2, -1, 4, 0, -2, 3, 4, 0, -2, -3, 1, 0}}
	l := ahead.New(f, nil).Split(nil)
	fmt.Println(max(l, -l))
	// Output: 2
}
