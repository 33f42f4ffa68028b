package uts

import "satingrid/apps/uts/tree"

// Sequential counts the tree alone, without the scheduler: the yardstick for what jobs cost. It
// allocates nothing: a family goes down by value, since of a child whose address did, Go would make
// one on the heap.
func (t Tree) Sequential() Count {
	root := t.Generator.Root()
	total := Count{Nodes: 1}
	if n := t.Generator.Children(&root, 0); n > 0 {
		count(&t.Generator, &total, root.Family(), 1, n)
	} else {
		total.Leaves++
	}
	return total
}

// count counts the members of a family, which are at this depth, and what is below them.
func count(g *tree.Generator, total *Count, family tree.Family, depth, children int) {
	total.Nodes += int64(children)
	total.Depth = max(total.Depth, depth)
	for i := range children {
		child := family.Child(i)
		if n := g.Children(&child, depth); n > 0 {
			count(g, total, child.Family(), depth+1, n)
		} else {
			total.Leaves++
		}
	}
}

// Spawns is how many spawns counting the tree takes.
func (t Tree) Spawns() int64 {
	root := t.Generator.Root()
	return spawns(&t.Generator, root.Family(), 1, t.Generator.Children(&root, 0))
}

// spawns is how many it takes to count the members of a family, and what is below them.
func spawns(g *tree.Generator, family tree.Family, depth, children int) int64 {
	var total, inner int64
	for i := range children {
		child := family.Child(i)
		if n := g.Children(&child, depth); n > 0 {
			inner++
			total += spawns(g, child.Family(), depth+1, n)
		}
	}
	return total + max(inner-1, 0)
}
