// Package tree generates the trees of the Unbalanced Tree Search benchmark.
//
// A tree is decided by its [Params] alone. A node is 20 bytes, the SHA-1 of its parent's bytes and
// its own number among the siblings, and how many children it has follows from those bytes and its
// depth; so a tree of a hundred million nodes needs no memory, and any part of it can be walked
// anywhere. [New] makes the [Generator] that answers how many children a node has;
// [Generator.Count] walks a whole tree alone.
//
// The trees are those of the benchmark's authors (Olivier, Huan, Liu, Prins, Dinan, Sadayappan,
// Tseng: UTS: An Unbalanced Tree Search Benchmark, LCPC 2006), node by node; parameters bear the
// letters of their command.
//
// This package does no I/O, starts no goroutine and imports nothing else of this module.
//
// # Costs
//
// A node costs one SHA-1 of one block, about 90 ns, and a few comparisons. A hand-written
// SHA-1 of the one block was a third slower than crypto/sha1, which uses the processor's
// instructions for it.
package tree

import (
	"fmt"
	"math"
)

// Kind is how a tree grows: the reference's -t.
type Kind uint8

// The kinds, numbered as the reference has them.
const (
	// below the root, a node has Children children with probability Prob, else none
	Binomial Kind = iota
	// the number of children is drawn from a geometric distribution whose mean depends on the
	// depth
	Geometric
	Hybrid   // geometric near the root, binomial below
	Balanced // every node above Depth has Branching children
	kinds
)

// Shape is how the mean number of children of a geometric tree depends on the
// depth: the reference's -a.
type Shape uint8

// The shapes, numbered as the reference has them.
const (
	Linear      Shape = iota // falls linearly to 0 at Depth
	Exponential              // falls as a power of the depth, to 1 at Depth
	Cyclic                   // rises and falls with a period of Depth; 0 beyond 5 periods
	Fixed                    // the same everywhere above Depth, 0 from there on
	shapes
)

// Params describe a tree. Start from [Default]: the zero value is no default.
type Params struct {
	Kind      Kind    // -t
	Shape     Shape   // -a, for Geometric and Hybrid
	Depth     int     // -d, in levels; a limit, a period or a slope, as Kind and Shape have it
	Branching float64 // -b, children of the root, or their mean
	Prob      float64 // -q, probability of children in a binomial tree, 0 to 1
	Children  int     // -m, children of a node of a binomial tree that has any
	Seed      int     // -r
	Shift     float64 // -f, the share of Depth where a hybrid tree turns binomial
}

// Default are the reference's defaults: a small geometric tree of 1732 nodes.
var Default = Params{Kind: Geometric, Shape: Linear, Depth: 6, Branching: 4, Prob: 15.0 / 64, Children: 4, Shift: 0.5}

const (
	// ChildrenMax is the most children a node has, but for a binomial root and balanced trees:
	// the reference's cap.
	ChildrenMax = 100

	// branchingMax bounds the children of a root, so that a job's children fit in memory
	// everywhere.
	branchingMax = 100_000

	// depthMax bounds -d. The benchmark's largest tree has 18.
	depthMax = 100_000
)

// Check says what is wrong with p, or nil.
func (p Params) Check() error {
	switch {
	case p.Kind >= kinds:
		return fmt.Errorf("-t is %d: 0 binomial, 1 geometric, 2 hybrid or 3 balanced is expected", p.Kind)
	case p.Shape >= shapes:
		return fmt.Errorf("-a is %d: 0 linear, 1 exponential, 2 cyclic or 3 fixed is expected", p.Shape)
	case p.Depth < 1 || p.Depth > depthMax:
		return fmt.Errorf("-d is %d: 1 to %d is expected", p.Depth, depthMax)
	case !(p.Branching >= 0 && p.Branching <= branchingMax):
		return fmt.Errorf("-b is %v: 0 to %d is expected", p.Branching, branchingMax)
	case !(p.Prob >= 0 && p.Prob <= 1):
		return fmt.Errorf("-q is %v: a probability from 0 to 1 is expected", p.Prob)
	case p.Children < 0 || p.Children > ChildrenMax:
		return fmt.Errorf("-m is %d: 0 to %d is expected", p.Children, ChildrenMax)
	case p.Seed < 0 || p.Seed > math.MaxInt32:
		return fmt.Errorf("-r is %d: 0 to %d is expected", p.Seed, math.MaxInt32)
	case !(p.Shift >= 0 && p.Shift <= 1):
		return fmt.Errorf("-f is %v: a share from 0 to 1 is expected", p.Shift)
	}
	return p.checkFinite()
}

// growthMax bounds the mean number of children below the root of a binomial tree. A little above 1
// the tree may still end, and T3L with 1.00007 does; well above, no run would.
const growthMax = 1.01

// checkFinite refuses trees that as good as certainly have no end. Others may still be larger than
// anybody's patience, as some of the benchmark's own are.
func (p Params) checkFinite() error {
	growth := p.Prob * float64(p.Children)
	if (p.Kind == Binomial || p.Kind == Hybrid) && growth > growthMax {
		return fmt.Errorf("-q %v times -m %d is %v: at most %v is expected, or the tree has no end",
			p.Prob, p.Children, growth, growthMax)
	}
	if (p.Kind == Geometric || p.Kind == Hybrid) && p.Shape == Exponential && p.Branching < 1 {
		return fmt.Errorf("-b is %v with -a 1: at least 1 is expected, or the tree has no end", p.Branching)
	}
	return nil
}

// String is the tree's parameters as the reference's command takes them.
func (p Params) String() string {
	switch p.Kind {
	case Binomial:
		return fmt.Sprintf("-t 0 -b %v -q %v -m %d -r %d", p.Branching, p.Prob, p.Children, p.Seed)
	case Hybrid:
		return fmt.Sprintf("-t 2 -a %d -d %d -b %v -q %v -m %d -r %d -f %v",
			p.Shape, p.Depth, p.Branching, p.Prob, p.Children, p.Seed, p.Shift)
	case Balanced:
		return fmt.Sprintf("-t 3 -d %d -b %v -r %d", p.Depth, p.Branching, p.Seed)
	default:
		return fmt.Sprintf("-t 1 -a %d -d %d -b %v -r %d", p.Shape, p.Depth, p.Branching, p.Seed)
	}
}
