package gridsim

import "time"

// Tree is a generated tree: a job is a 64-bit state and a depth, the state decides the children. Its value is the number of
// leaves, and the sum of their states.
type Tree struct {
	Seed  uint64
	Depth int // leaves are at this depth, or above by chance
	Width int // at most so many children
	Leaf  time.Duration
}

// Root is the tree's root.
func (t *Tree) Root() []byte { return encode(mix(t.Seed), 0) }

// fullLevels have all children, so that no tree dies young.
const fullLevels = 2

// fanOut is how many children a job has.
func (t *Tree) fanOut(state, depth uint64) int {
	if int(depth) >= t.Depth {
		return 0
	}
	if depth < fullLevels {
		return t.Width
	}
	return int(mix(state^1) % uint64(t.Width+1))
}

// Cost is what a job takes: around Leaf, now and then ten times as much.
func (t *Tree) Cost(args []byte) time.Duration {
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
	n := t.fanOut(state, depth)
	if n == 0 {
		return Step{Value: encode(1, state)}
	}
	var s Step
	for k := range n {
		s.Children = append(s.Children, encode(mix(state+uint64(k)), depth+1))
	}
	return s
}

// Combine adds up.
func (t *Tree) Combine(_ []byte, results [][]byte) []byte {
	var leaves, sum uint64
	for _, r := range results {
		leaves += word(r, 0)
		sum += word(r, 1)
	}
	return encode(leaves, sum)
}

// Better is never asked: the tree has no best.
func (t *Tree) Better(string, []byte, []byte) bool { return false }

// Choosing is false.
func (t *Tree) Choosing() bool { return false }

// Witnessed is never asked.
func (t *Tree) Witnessed([]byte) bool { return true }

// Implied is never asked.
func (t *Tree) Implied([]byte) bool { return false }

// Right compares with the tree computed alone.
func (t *Tree) Right(answer []byte) error { return same(answer, alone(t, t.Root())) }
