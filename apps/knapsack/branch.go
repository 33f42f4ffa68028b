package knapsack

import (
	"errors"
	"slices"

	"satingrid/satin"
)

// Done is what jobs below the root return: what they have found they have offered.
type Done struct{}

// Branch is a node of the tree of all choices and what is below it.
type Branch struct {
	Node Node
	Wide bool // whether it begins with lists as long as memory allows
}

// Node is a node on its way: each a set of the ground's items, eight to a byte.
type Node struct{ In, Free []byte }

const (
	widthBranch  = 1 << 14
	statesBranch = 1 << (meetItems / 2)
	workBranch   = 3_000_000 // states that a job looks at, twice, before it splits: 20 to 50 ms
	// of the tree, between two jobs: most of the work is in those that do not split
	levelsSplit = 4
	leafItems   = 60 // whose half sums can be gone through: 2^31 in some tens of seconds
	meetItems   = 36 // whose half sums, fewer than workBranch, take milliseconds
	coreItems   = 46 // whose half sums take half a second, and often have the best of all
)

// Run solves the node by lists, or splits it.
func (t Branch) Run(s *satin.Scope) (Done, error) {
	g := groundOf(s)
	n, err := unpack(g, t.Node)
	if err != nil {
		return Done{}, err
	}
	n, open := n.remains(s, g)
	if !open {
		return Done{}, nil
	}
	z := max(limit(s, g)-n.profit, -1)
	bound := min(n.bound(), n.cardinality(z))
	if bound <= z {
		return Done{}, nil
	}
	if t.Wide {
		if searchOf(s, g).lists(n, n.profit+bound, widthLast, workRoot) {
			return Done{}, nil
		}
		if n, open = n.remains(s, g); !open {
			return Done{}, nil
		}
	}
	if len(n.items) > leafItems || len(n.items) <= meetItems {
		e := searchOf(s, g)
		if e.lists(n, n.profit+bound, widthBranch, workBranch) || e.meet(n, statesBranch, workBranch) {
			return Done{}, nil
		}
		if s.Aborted() {
			return Done{}, satin.ErrWithdrawn
		}
		if n, open = n.remains(s, g); !open {
			return Done{}, nil
		}
	}
	if len(n.items) <= leafItems {
		return satin.Spawn(s, n.span(g)).Wait(s)
	}
	return Done{}, n.split(s, g)
}

// span is the whole of a node as a span.
func (n node) span(g *ground) Span { return Span{pack(g, n), 0, n.room + 1} }

// split divides a node by the items around the break item. The children that follow the fraction
// are run first: they find the best packings.
func (n node) split(s *satin.Scope, g *ground) error {
	z := limit(s, g)
	nodes := []node{n}
	for range levelsSplit {
		var below []node
		for _, m := range nodes {
			below = append(below, m.children(z)...)
		}
		nodes = below
	}
	futures := make([]satin.Future[Branch, Done], len(nodes))
	for k, m := range nodes {
		futures[k] = satin.Spawn(s, Branch{Node: pack(g, m)})
	}
	for k := len(futures) - 1; k >= 0; k-- {
		if _, err := futures[k].Wait(s); err != nil {
			return err
		}
	}
	return nil
}

// core is a node with only so many free items, those around the break item: the denser ones
// are in, the others out.
func (n node) core(items int) node {
	from := min(max(n.middle-items/2, 0), max(len(n.items)-items, 0))
	to := min(from+items, len(n.items))
	c := node{newProblem(n.items[from:to], n.room-n.w[from]), n.profit + n.p[from], slices.Clip(n.in)}
	for _, x := range n.items[:from] {
		c.in = append(c.in, x.at)
	}
	return c
}

// children are those of a node that may have something better than limit, the most promising last.
func (n node) children(limit int64) []node {
	if len(n.items) == 0 {
		return []node{n}
	}
	j := min(n.middle, len(n.items)-1)
	var out []node
	for _, in := range [2]bool{true, false} {
		m := n.decide(j, in)
		if m.room < 0 {
			continue
		}
		if m, open := m.narrow(limit); open {
			out = append(out, m)
		}
	}
	return out
}

// decide puts item j in or out.
func (n node) decide(j int, in bool) node {
	x := n.items[j]
	items := slices.Concat(n.items[:j], n.items[j+1:])
	if !in {
		return node{newProblem(items, n.room), n.profit, n.in}
	}
	return node{newProblem(items, n.room-x.w), n.profit + x.p, append(slices.Clip(n.in), x.at)}
}

func newNode(items int) Node { return Node{make([]byte, (items+7)/8), make([]byte, (items+7)/8)} }

// split are the items that are in, and those that are free.
func (t Node) split(items int) (in, free []int32, err error) {
	if size := (items + 7) / 8; len(t.In) != size || len(t.Free) != size {
		return nil, nil, errNode
	}
	for k := range items {
		bit := byte(1) << (k % 8)
		switch is, may := t.In[k/8]&bit != 0, t.Free[k/8]&bit != 0; {
		case is && may:
			return nil, nil, errNode
		case is:
			in = append(in, int32(k))
		case may:
			free = append(free, int32(k))
		}
	}
	return in, free, nil
}

// pack makes a node ready to travel.
func pack(g *ground, n node) Node {
	t := newNode(len(g.items))
	for _, at := range n.in {
		t.In[at/8] |= 1 << (at % 8)
	}
	for _, x := range n.items {
		t.Free[x.at/8] |= 1 << (x.at % 8)
	}
	return t
}

var errNode = errors.New("knapsack: a job's fields are damaged: its peers should run one build")

// unpack is the inverse of pack.
func unpack(g *ground, t Node) (node, error) {
	in, may, err := t.split(len(g.items))
	if err != nil {
		return node{}, err
	}
	n := node{in: in}
	free := make([]item, len(may))
	room := g.room
	for _, at := range in {
		n.profit += g.items[at].p
		room -= g.items[at].w
	}
	for k, at := range may {
		free[k] = g.items[at]
	}
	if room < 0 {
		return node{}, errNode
	}
	n.problem = newProblem(free, room)
	return n, nil
}

// searchOf is this worker's search, set up for a job.
func searchOf(s *satin.Scope, g *ground) *search {
	e := satin.Local(s, func() *search { return new(search) })
	e.limit = func() (int64, bool) { return limit(s, g), !s.Aborted() && !settled(s) }
	e.found = func(chosen []int32) { offerAgain(s, g, chosen) }
	return e
}
