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
	root := g.Root()
	c := Count{Nodes: 1}
	if n := g.Children(&root, 0); n > 0 {
		g.walk(&c, &root, 1, n)
	} else {
		c.Leaves++
	}
	return c
}

// walk counts what is below the node s, whose children are at this depth.
func (g *Generator) walk(c *Count, s *State, depth, children int) {
	c.Nodes += int64(children)
	c.Depth = max(c.Depth, depth)
	family := s.Family()
	for i := range children {
		child := family.Child(i)
		if n := g.Children(&child, depth); n > 0 {
			g.walk(c, &child, depth+1, n)
		} else {
			c.Leaves++
		}
	}
}
