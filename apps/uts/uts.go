// Package uts counts the nodes of an unbalanced tree, a job a node: the benchmark that
// load balancers fear.
//
// [Tree] is the root task; [Count] is its answer. The trees themselves are in package tree.
// [Tree.Sequential] is the same walk without a single spawn, and what the parallel one is compared
// with.
//
// # Costs
//
// Whether a node has children is found out before it becomes a job, so a leaf costs no spawn; and
// the last child that has children is walked by its parent's own job.
package uts

import (
	"strconv"
	"strings"

	"satingrid/apps/uts/tree"
	"satingrid/satin"
)

// Count is what was counted.
type Count = tree.Count

// Tree is the whole tree, the root of a run. Make it with New: the generator must fit its
// parameters.
type Tree struct{ Generator tree.Generator }

// New is the task that counts the tree of these parameters.
func New(p tree.Params) (Tree, error) {
	if err := p.Check(); err != nil {
		return Tree{}, err
	}
	return Tree{*tree.New(p)}, nil
}

// Run counts the tree.
func (t Tree) Run(s *satin.Scope) (Count, error) {
	root := t.Generator.Root()
	return Node{State: root, Children: t.Generator.Children(&root, 0)}.Run(s)
}

// Node is a node and all that is below it. That it has children, and how many, its
// parent has found out.
type Node struct {
	State    tree.State
	Depth    int
	Children int
}

// Label says how deep the node is.
func (n Node) Label() string { return labelPrefix + strconv.Itoa(n.Depth) }

const labelPrefix = "depth "

// DepthOf is how deep the node of a label is.
func DepthOf(label string) (depth int, ok bool) {
	text, ok := strings.CutPrefix(label, labelPrefix)
	depth, err := strconv.Atoi(text)
	return depth, ok && err == nil && depth >= 0
}

// futuresInline is how many futures a node keeps without an allocation; T1 has a
// node with more in 2000.
const futuresInline = 8

// Run counts the nodes below n, and n.
func (n Node) Run(s *satin.Scope) (Count, error) {
	g := &satin.Root[Tree](s).Generator
	total := Count{Nodes: 1, Depth: n.Depth}
	if n.Children == 0 {
		total.Leaves++
		return total, nil
	}
	var inline [futuresInline]satin.Future[Node, Count]
	futures := inline[:0]
	var last Node // with children, and not yet spawned
	family := n.State.Family()
	for i := range n.Children {
		child := family.Child(i)
		children := g.Children(&child, n.Depth+1)
		if children == 0 {
			total.Nodes++
			total.Leaves++
			continue
		}
		if last.Children > 0 {
			futures = append(futures, satin.Spawn(s, last))
		}
		last = Node{child, n.Depth + 1, children}
	}
	if total.Leaves > 0 {
		total.Depth++
	}
	if last.Children > 0 {
		part, err := last.Run(s)
		if err != nil {
			return total, err
		}
		total.Add(part)
	}
	for i := len(futures) - 1; i >= 0; i-- {
		part, err := futures[i].Wait(s)
		if err != nil {
			return total, err
		}
		total.Add(part)
	}
	return total, nil
}

// App is what a peer needs to take part.
func App() satin.App {
	return satin.App{
		Name:    "uts",
		Version: "1",
		Tasks:   []satin.TaskType{satin.Type[Tree](), satin.Type[Node]()},
	}
}
