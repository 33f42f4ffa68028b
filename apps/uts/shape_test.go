package uts_test

import (
	"math"
	"testing"

	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
)

// counted is how many nodes a tree has at each depth.
func counted(g *tree.Generator) (levels []float64) {
	level := []tree.State{g.Root()}
	for depth := 0; len(level) > 0; depth++ {
		levels = append(levels, float64(len(level)))
		var next []tree.State
		for i := range level {
			family := level[i].Family()
			for c := range g.Children(&level[i], depth) {
				next = append(next, family.Child(c))
			}
		}
		level = next
	}
	return levels
}

// TestShape: walks say how many nodes there are at each depth, within what they say that they may
// be off; a small tree is counted.
func TestShape(t *testing.T) {
	for _, c := range []struct {
		kind             tree.Kind
		depth            int
		prob             float64
		children, branch int
	}{
		{tree.Geometric, 9, 0, 0, 4}, {tree.Binomial, 1, 0.3, 3, 500}, {tree.Geometric, 4, 0, 0, 3}, {tree.Balanced, 12, 0, 0, 2},
	} {
		p := tree.Default
		p.Kind, p.Depth, p.Prob, p.Children, p.Branching = c.kind, c.depth, c.prob, max(c.children, 1), float64(c.branch)
		task, err := uts.New(p)
		if err != nil {
			t.Fatal(err)
		}
		h := task.Silhouette()
		for range 20_000 {
			h.Walk()
		}
		real, levels := counted(&task.Generator), h.Levels()
		inside := 0
		for i, l := range levels {
			if i >= len(real) || l.Nodes <= 0 || math.IsNaN(l.Off) {
				t.Fatalf("%v: at depth %d of %d there are %+v", p, i, len(real), l)
			}
			if math.Abs(l.Nodes-real[i]) <= 1.5*l.Off+1e-6 {
				inside++
			}
		}
		if inside < len(levels)*4/5 || len(levels) < len(real)/2 {
			t.Errorf("%v: %d of %d depths are within, of %d; %v, and it has %v", p, inside, len(levels), len(real), levels, real)
		}
	}
}

// TestNodesSayHowDeepTheyAre, and are known by it.
func TestNodesSayHowDeepTheyAre(t *testing.T) {
	if d, ok := uts.DepthOf(uts.Node{Depth: 17}.Label()); !ok || d != 17 {
		t.Errorf("%d, %v", d, ok)
	}
	for _, label := range []string{"", "17", "depth", "depth -1", "depth x", "tile 1"} {
		if d, ok := uts.DepthOf(label); ok {
			t.Errorf("%q is of depth %d", label, d)
		}
	}
}
