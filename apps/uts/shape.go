package uts

import (
	"math"
	"math/rand/v2"

	"satingrid/apps/uts/tree"
)

// Silhouette estimates how many nodes a tree has at each depth, from walks down it: D. E. Knuth,
// Estimating the efficiency of backtrack programs, Mathematics of Computation 29, 1975. Its first
// levels, while they are small, are counted, and each walk begins at a node below them.
//
// It is for whoever looks: nothing of a run depends on it.
type Silhouette struct {
	generator *tree.Generator
	rand      *rand.Rand
	exact     []float64 // nodes of the levels that are counted; the last of them is from
	from      []tree.State

	walks       int
	sum, square []float64 // of what walks said of the levels below
}

const (
	// shapeFrom is how many nodes the level has at most at whose nodes walks begin.
	shapeFrom = 4096
	// shapeDepth bounds the levels that are looked at.
	shapeDepth = 512
)

// Silhouette is the tree's, of which nothing is known yet but its first levels.
func (t Tree) Silhouette() *Silhouette {
	h := &Silhouette{generator: &t.Generator, rand: rand.New(rand.NewPCG(1, 2))}
	level := []tree.State{h.generator.Root()}
	for len(level) > 0 && len(h.exact) < shapeDepth {
		h.exact, h.from = append(h.exact, float64(len(level))), level
		var next []tree.State
		for i := range level {
			n := h.generator.Children(&level[i], len(h.exact)-1)
			if len(next)+n > shapeFrom {
				return h
			}
			family := level[i].Family()
			for c := range n {
				next = append(next, family.Child(c))
			}
		}
		level = next
	}
	h.from = nil // there is nothing below
	return h
}

// Walk walks down once more.
func (h *Silhouette) Walk() {
	if h.from == nil {
		return
	}
	h.walks++
	s, depth := h.from[h.rand.IntN(len(h.from))], len(h.exact)-1
	weight := float64(len(h.from))
	for below := 0; below < shapeDepth; below++ {
		n := h.generator.Children(&s, depth)
		if n == 0 {
			return
		}
		weight *= float64(n)
		if below == len(h.sum) {
			h.sum, h.square = append(h.sum, 0), append(h.square, 0)
		}
		h.sum[below] += weight
		h.square[below] += weight * weight
		family := s.Family()
		s = family.Child(h.rand.IntN(n))
		depth++
	}
}

// Width is how many nodes there are at a depth, and how far off that may be: two standard errors.
type Width struct{ Nodes, Off float64 }

// Levels are all depths at which nodes were seen.
func (h *Silhouette) Levels() (all []Width) {
	for _, n := range h.exact {
		all = append(all, Width{Nodes: n})
	}
	n := float64(h.walks)
	for i, sum := range h.sum {
		mean := sum / n
		all = append(all, Width{mean, 2 * math.Sqrt(max(h.square[i]/n-mean*mean, 0)/n)})
	}
	return all
}
