package tree

// Count is what a walk of a tree, or of a part of it, has counted.
type Count struct {
	Nodes  int64
	Leaves int64
	Depth  int // of the deepest node, the root being 0
}

// Add adds the count of another part of the same tree.
func (c *Count) Add(part Count) {
	c.Nodes += part.Nodes
	c.Leaves += part.Leaves
	c.Depth = max(c.Depth, part.Depth)
}

// Count walks the whole tree, alone.
func (g *Generator) Count() Count {
	var c Count
	root := g.Root()
	g.walk(&c, &root, 0, g.Children(&root, 0))
	return c
}

// walk counts the node s and what is below it.
func (g *Generator) walk(c *Count, s *State, depth, children int) {
	c.Nodes++
	c.Depth = max(c.Depth, depth)
	if children == 0 {
		c.Leaves++
		return
	}
	family := s.Family()
	for i := range children {
		child := family.Child(i)
		g.walk(c, &child, depth+1, g.Children(&child, depth+1))
	}
}
