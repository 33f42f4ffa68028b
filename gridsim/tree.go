package gridsim

import (
	"fmt"
	"time"

	"satingrid/steal"
)

// Tree is a generated tree: a job is a 64-bit state and a depth, the state decides the children.
// Its value is the number of leaves, the sum of their states, and the number of errors.
type Tree struct {
	Seed     uint64
	Depth    int // leaves are at this depth, or above by chance
	Width    int // at most so many children
	Leaf     time.Duration
	Shuffled bool // the order of spawning is drawn anew at each execution
	Twins    bool // some jobs are equal, and so have one key
	Errors   bool // some leaves fail
	Facts    bool // some leaves tell a fact
	// some leaves are no function of their fields: each execution gives another value
	Fickle bool
	Panics uint64 // the state of the jobs that panic; 0: none
	// all jobs above Depth have Width children and cost next to nothing, and each leaf costs
	// the same
	Regular bool
}

// Root is the tree's root.
func (t *Tree) Root() []byte { return encode(mix(t.Seed), 0) }

// fullLevels have all children, so that no tree dies young.
const fullLevels = 2

// innerCost is what a job takes that only spawns others.
const innerCost = time.Microsecond

// fanOut is how many children a job has.
func (t *Tree) fanOut(state, depth uint64) int {
	if int(depth) >= t.Depth {
		return 0
	}
	if depth < fullLevels || t.Regular {
		return t.Width
	}
	return int(mix(state^1) % uint64(t.Width+1))
}

// twinPool is how many different states the twins of a level have.
const twinPool = 3

// kid is the state of a job's child.
func (t *Tree) kid(state, depth uint64, k int) uint64 {
	kid := mix(state + uint64(k))
	if t.Twins && depth > 0 && kid>>61 == 0 {
		return mix(t.Seed ^ depth<<32 ^ kid%twinPool)
	}
	return kid
}

// Cost is what a job takes: around Leaf, now and then ten times as much.
func (t *Tree) Cost(args []byte) time.Duration {
	switch {
	case t.Regular && int(word(args, 1)) < t.Depth:
		return innerCost
	case t.Regular:
		return t.Leaf
	}
	h := mix(word(args, 0) ^ 2)
	c := t.Leaf/2 + time.Duration(h%uint64(t.Leaf))
	if h>>60 == 0 {
		c *= 10
	}
	return c
}

// Expand makes the children.
func (t *Tree) Expand(args, _ []byte) Step {
	state, depth := word(args, 0), word(args, 1)
	if t.Panics != 0 && state == t.Panics {
		return Step{Panic: fmt.Sprintf("job %x panics", state)}
	}
	n := t.fanOut(state, depth)
	if n == 0 {
		return t.leaf(state)
	}
	s := Step{Shuffled: t.Shuffled, Catches: depth%2 == 1, Children: make([][]byte, n)}
	for k := range n {
		s.Children[k] = encode(t.kid(state, depth, k), depth+1)
	}
	return s
}

// leaf is what a leaf comes to.
func (t *Tree) leaf(state uint64) Step {
	h := mix(state ^ 7)
	if t.Errors && h%24 == 0 {
		return Step{Err: fmt.Sprintf("leaf %x has no value", state)}
	}
	s := Step{Value: encode(1, state, 0), Fickle: t.Fickle && h%8 == 1}
	if t.Facts && h>>60 == 0 {
		s.Fact = encode(state, mix(state^t.Seed))
	}
	return s
}

// Combine adds up.
func (t *Tree) Combine(_ []byte, results [][]byte) []byte {
	var leaves, sum, errors uint64
	for _, r := range results {
		if r == nil {
			errors++
			continue
		}
		leaves += word(r, 0)
		sum += word(r, 1)
		errors += word(r, 2)
	}
	return encode(leaves, sum, errors)
}

// Better is never asked: the tree has no best.
func (t *Tree) Better(string, []byte, []byte) bool { return false }

// Choosing is false.
func (t *Tree) Choosing() bool { return false }

// Witnessed is never asked.
func (t *Tree) Witnessed([]byte) bool { return true }

// Implied tells whether a leaf may have told that.
func (t *Tree) Implied(fact []byte) bool {
	return t.Facts && len(fact) == 16 && word(fact, 1) == mix(word(fact, 0)^t.Seed)
}

// Right compares with the tree computed alone.
func (t *Tree) Right(answer steal.Result) error { return same(answer, alone(t, t.Root())) }
