package tsp

import "math"

// marginals finds what the bound would be with another decision about one edge, by exchanging it
// for another one in the smallest 1-tree.
type marginals struct {
	relaxation
	// union-find without shortening: the way up has the links in order of their weights
	up     []int16
	link   []int64 // by city: the weight of the link up
	size   []int16
	parent []int16 // of the spanning tree, rooted at the city 0
	above  []int32 // the arc to the parent; -1 for an edge in
	depth  []int16
	order  []int16
	skip   []int16 // union-find that skips covered edges

	without []int64 // by arc of the 1-tree: how much its exclusion adds
	with    []int64 // by other arc: how much its inclusion adds

	firstAt, nextAt []int32 // the tree's adjacency: lists of half edges
	half            []halfEdge
}

type halfEdge struct {
	to  int16
	arc int32
}

const forever = math.MaxInt64 / 4

// measure computes without and with for the 1-tree that build has left.
func (m *marginals) measure() {
	k := len(m.arcs)
	m.without = append(m.without[:0], make([]int64, k)...)
	m.with = append(m.with[:0], make([]int64, k)...)
	m.merge()
	m.root()
	m.cover()
	m.atLeaf()
}

// merge repeats Kruskal's mergers in a forest that keeps their weights: the heaviest free edge on
// the tree's path between two cities is the heaviest link on the way between them.
func (m *marginals) merge() {
	n := m.cities
	m.up, m.link, m.size = m.up[:0], m.link[:0], m.size[:0]
	for c := range n {
		m.up = append(m.up, m.base[c])
		m.link = append(m.link, -forever)
		m.size = append(m.size, 0)
	}
	for c := range n {
		m.size[m.base[c]]++
	}
	for k, x := range m.arcs {
		if !m.taken[k] {
			continue
		}
		a, b := m.top(x.u), m.top(x.v)
		if m.size[a] > m.size[b] {
			a, b = b, a
		}
		m.up[a], m.link[a] = b, x.w
		m.size[b] += m.size[a]
	}
}

func (m *marginals) top(c int16) int16 {
	for m.up[c] != c {
		c = m.up[c]
	}
	return c
}

// heaviest is the weight of the heaviest free edge between two cities in the tree;
// -forever if there is none.
func (m *marginals) heaviest(a, b int16) int64 {
	h := int64(-forever)
	for a != b {
		// The links' weights grow upwards, so the end with the smaller link is never
		// past the meeting point.
		if m.up[b] == b || m.up[a] != a && m.link[a] <= m.link[b] {
			h = max(h, m.link[a])
			a = m.up[a]
		} else {
			h = max(h, m.link[b])
			b = m.up[b]
		}
	}
	return h
}

// root hangs the tree up at city 0.
func (m *marginals) root() {
	n := m.cities
	m.firstAt = m.firstAt[:0]
	m.half, m.nextAt = m.half[:0], m.nextAt[:0]
	for range n {
		m.firstAt = append(m.firstAt, -1)
	}
	add := func(u, v int16, arc int32) {
		m.half = append(m.half, halfEdge{v, arc}, halfEdge{u, arc})
		m.nextAt = append(m.nextAt, m.firstAt[u], m.firstAt[v])
		m.firstAt[u], m.firstAt[v] = int32(len(m.half)-2), int32(len(m.half)-1)
	}
	for _, c := range m.trail {
		if c.to == in {
			add(m.u[c.edge], m.v[c.edge], -1)
		}
	}
	for k, x := range m.arcs {
		if m.taken[k] {
			add(x.u, x.v, int32(k))
		}
	}
	m.parent = append(m.parent[:0], make([]int16, n)...)
	m.above = append(m.above[:0], make([]int32, n)...)
	m.depth = append(m.depth[:0], make([]int16, n)...)
	m.order = append(m.order[:0], 0)
	m.parent[0], m.above[0] = 0, -1
	for k := 0; k < len(m.order); k++ {
		c := m.order[k]
		for h := m.firstAt[c]; h >= 0; h = m.nextAt[h] {
			if x := m.half[h]; x.to != m.parent[c] {
				m.parent[x.to], m.above[x.to], m.depth[x.to] = c, x.arc, m.depth[c]+1
				m.order = append(m.order, x.to)
			}
		}
	}
}

// cover finds for each edge of the tree the lightest edge that replaces it, and for the
// others what they replace.
func (m *marginals) cover() {
	m.skip = m.skip[:0]
	for c := range m.cities {
		m.skip = append(m.skip, int16(c))
	}
	for _, c := range m.order[1:] {
		if m.above[c] < 0 {
			// parents come first in order, so their skip is final
			m.skip[c] = m.parent[c]
		}
	}
	for k, x := range m.arcs {
		if m.taken[k] {
			m.without[k] = forever
		}
		if m.taken[k] || x.u == m.leaf || x.v == m.leaf {
			continue
		}
		if h := m.heaviest(x.u, x.v); h > -forever {
			m.with[k] = x.w - h
		} else {
			m.with[k] = forever
		}
		a, b := find(m.skip, x.u), find(m.skip, x.v)
		for a != b {
			if m.depth[a] < m.depth[b] {
				a, b = b, a
			}
			above := m.above[a]
			m.without[above] = x.w - m.arcs[above].w
			m.skip[a] = m.parent[a]
			a = find(m.skip, a)
		}
	}
}

// atLeaf does the same for the edges of the leaf that has the second edge: the larger of
// its two is replaced.
func (m *marginals) atLeaf() {
	second := m.arcs[m.second].w
	third := int64(forever)
	for k := int(m.second) + 1; k < len(m.arcs); k++ {
		if x := &m.arcs[k]; x.u == m.leaf || x.v == m.leaf {
			third = min(third, x.w)
			m.with[k] = x.w - second
		}
	}
	for k := 0; k <= int(m.second); k++ {
		if x := &m.arcs[k]; x.u == m.leaf || x.v == m.leaf {
			m.without[k] = forever
			if third < forever {
				m.without[k] = third - x.w
			}
		}
	}
}
