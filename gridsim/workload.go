package gridsim

import (
	"bytes"
	"encoding/binary"
	"slices"
	"time"
)

// taskName is the one kind of job that a workload has.
const taskName = "sim.Node"

// Workload is a tree of jobs. All of it is a function of the arguments, and of the best.
type Workload interface {
	Root() []byte
	Cost(args []byte) time.Duration
	Expand(args, best []byte) Step
	Combine(args []byte, results [][]byte) []byte
	Better(task string, a, b []byte) bool
	Choosing() bool
	// Right tells whether an answer is one that one core alone may find.
	Right(answer []byte) error
	// Witnessed tells whether a best has the value that it claims.
	Witnessed(best []byte) bool
}

// Step is what a job comes to when it has run: children to wait for, or a value; and maybe a best.
type Step struct {
	Children [][]byte
	Value    []byte
	Offer    []byte
}

// Tree is a generated tree: a job is a 64-bit state and a depth, the state decides the children. Its value is the number of
// leaves, and the sum of their states.
type Tree struct {
	Seed  uint64
	Depth int // leaves are at this depth, or above by chance
	Width int // at most so many children
	Leaf  time.Duration
}

// mix scatters a number (splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func encode(state uint64, more ...uint64) []byte {
	b := binary.BigEndian.AppendUint64(nil, state)
	for _, m := range more {
		b = binary.BigEndian.AppendUint64(b, m)
	}
	return b
}

func word(b []byte, n int) uint64 { return binary.BigEndian.Uint64(b[8*n:]) }

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

// Right compares with the tree computed alone.
func (t *Tree) Right(answer []byte) error { return same(answer, alone(t, t.Root())) }

// alone computes a job without a grid.
func alone(w Workload, args []byte) []byte {
	s := w.Expand(args, nil)
	if len(s.Children) == 0 {
		return s.Value
	}
	results := make([][]byte, len(s.Children))
	for n, c := range s.Children {
		results[n] = alone(w, c)
	}
	return w.Combine(args, results)
}

// Search is a branch and bound over a generated tree: a leaf has a value, no leaf is above the bound that its
// ancestors' arguments carry, and a job whose bound is not above the best is pruned, at ties too. Children come in an
// order that the best decides. A best is a value and, as its witness, the leaf.
type Search struct{ Tree }

// Root carries the first bound.
func (s *Search) Root() []byte { return encode(mix(s.Seed), 0, 1000) }

// Expand prunes, offers or makes the children.
func (s *Search) Expand(args, best []byte) Step {
	state, depth, bound := word(args, 0), word(args, 1), word(args, 2)
	if best != nil && bound <= word(best, 0) {
		return Step{Value: []byte{}}
	}
	n := s.fanOut(state, depth)
	if n == 0 {
		leaf := encode(s.value(state, bound), state, bound)
		return Step{Value: leaf, Offer: leaf}
	}
	var st Step
	for k := range n {
		kid := mix(state + uint64(k))
		st.Children = append(st.Children, encode(kid, depth+1, bound-min(bound, kid>>40%12)))
	}
	if best != nil && word(best, 0)%2 == 1 {
		slices.Reverse(st.Children)
	}
	return st
}

// value is a leaf's: at most its bound, with many ties.
func (s *Search) value(state, bound uint64) uint64 { return bound - min(bound, mix(state^3)%8) }

// Combine is the better child's value: a value that a redone job may miss, which is what the best is for.
func (s *Search) Combine(_ []byte, results [][]byte) []byte {
	out := []byte{}
	for _, r := range results {
		if len(r) > 0 && (len(out) == 0 || s.Better("", r, out)) {
			out = r
		}
	}
	return out
}

// Better compares values.
func (s *Search) Better(_ string, a, b []byte) bool {
	if len(a) != 24 || len(b) != 24 {
		return false
	}
	return word(a, 0) > word(b, 0)
}

// Choosing is true: what a job returns depends on what was pruned.
func (s *Search) Choosing() bool { return true }

// Witnessed recomputes the leaf's value.
func (s *Search) Witnessed(best []byte) bool {
	return len(best) == 24 && s.value(word(best, 1), word(best, 2)) == word(best, 0)
}

// Right accepts any witness of the best value that there is.
func (s *Search) Right(answer []byte) error {
	best := alone(s, s.Root())
	if len(answer) == 24 && word(answer, 0) == word(best, 0) && s.Witnessed(answer) {
		return nil
	}
	return same(answer, best)
}

func same(got, want []byte) error {
	if !bytes.Equal(got, want) {
		return &wrongAnswer{got, want}
	}
	return nil
}
