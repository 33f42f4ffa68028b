package gridsim

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"satingrid/apps/uts/tree"
	"satingrid/steal"
)

// UTS is a tree of the Unbalanced Tree Search benchmark, a job a node; those of a level from which
// on a job counts alone are not spawned. Its value is the count of nodes, leaves and the depth.
type UTS struct {
	trees *tree.Generator
	node  time.Duration // what a node costs
	// jobs at this depth, counted from the root, count what is below them by themselves
	alone int
	total tree.Count
}

// NewUTS makes the workload of a tree, and counts it.
func NewUTS(p tree.Params, node time.Duration, alone int) *UTS {
	g := tree.New(p)
	return &UTS{trees: g, node: node, alone: alone, total: g.Count()}
}

// drawUTS draws a tree of some hundred to some thousand nodes.
func drawUTS(r *rand.Rand) *UTS {
	p := tree.Default
	p.Seed = r.IntN(1000)
	if r.IntN(2) == 0 {
		p = tree.Params{Kind: tree.Binomial, Depth: 1, Branching: 40, Prob: 0.23, Children: 4, Seed: r.IntN(1000)}
	}
	return NewUTS(p, time.Duration(1+r.IntN(10))*time.Millisecond, 4+r.IntN(20))
}

// Root is the tree's root.
func (u *UTS) Root() []byte {
	s := u.trees.Root()
	return binary.BigEndian.AppendUint32(s[:], 0)
}

func decodeUTS(args []byte) (s tree.State, depth int) {
	copy(s[:], args)
	return s, int(binary.BigEndian.Uint32(args[len(s):]))
}

// Cost is that of a node, or of all nodes that the job counts.
func (u *UTS) Cost(args []byte) time.Duration {
	if s, depth := decodeUTS(args); depth >= u.alone {
		return u.node * time.Duration(u.count(&s, depth).Nodes)
	}
	return u.node
}

func (u *UTS) count(s *tree.State, depth int) (c tree.Count) {
	n := u.trees.Children(s, depth)
	c = tree.Count{Nodes: 1, Depth: depth}
	if n == 0 {
		c.Leaves = 1
	}
	family := s.Family()
	for i := range n {
		kid := family.Child(i)
		c.Add(u.count(&kid, depth+1))
	}
	return c
}

// Expand makes a node's children, or counts.
func (u *UTS) Expand(args, _ []byte) Step {
	s, depth := decodeUTS(args)
	n := u.trees.Children(&s, depth)
	if depth >= u.alone || n == 0 {
		return Step{Value: encodeCount(u.count(&s, depth))}
	}
	var st Step
	family := s.Family()
	for i := range n {
		kid := family.Child(i)
		st.Children = append(st.Children, binary.BigEndian.AppendUint32(kid[:], uint32(depth+1)))
	}
	return st
}

func encodeCount(c tree.Count) []byte {
	return encode(uint64(c.Nodes), uint64(c.Leaves), uint64(c.Depth))
}

// Combine adds the node itself to what its children counted.
func (u *UTS) Combine(_ []byte, results [][]byte) []byte {
	c := tree.Count{Nodes: 1}
	for _, r := range results {
		c.Add(tree.Count{Nodes: int64(word(r, 0)), Leaves: int64(word(r, 1)), Depth: int(word(r, 2))})
	}
	return encodeCount(c)
}

// Better is never asked: a count has no best.
func (u *UTS) Better(string, []byte, []byte) bool { return false }

// Choosing is false.
func (u *UTS) Choosing() bool { return false }

// Witnessed is never asked.
func (u *UTS) Witnessed([]byte) bool { return true }

// Implied is never asked.
func (u *UTS) Implied([]byte) bool { return false }

// Right compares with the generator's own count.
func (u *UTS) Right(answer steal.Result) error {
	return same(answer, steal.Result{Bytes: encodeCount(u.total)})
}
