package tree

import (
	"crypto/sha1"
	"encoding/binary"
	"math"
)

// State is a node: the bytes that decide the subtree below it, with its depth.
type State [20]byte

// Family makes the children of one node. It keeps what siblings share, a tenth of the cost of a
// node.
type Family struct{ in [24]byte }

// Family is the family below s.
func (s *State) Family() Family {
	var f Family
	copy(f.in[:], s[:])
	return f
}

// Child is child number i, counted from 0.
func (f *Family) Child(i int) State {
	binary.BigEndian.PutUint32(f.in[20:], uint32(i))
	return sha1.Sum(f.in[:])
}

// draw is the node's random number, 31 bits: the last four bytes without the sign.
func (s *State) draw() uint32 { return binary.BigEndian.Uint32(s[16:]) & drawMax }

const (
	drawMax  = 1<<31 - 1
	drawUnit = 1 << 31 // a draw divided by it is uniform on [0, 1)
)

// Generator answers how many children a node has. It is read-only, and plain data that may travel:
// its thresholds are computed once, so that every machine that is handed it counts alike even where
// its logarithms differ in the last bit.
type Generator struct {
	Params Params
	Levels []Level // of the geometric part of the tree, by depth
	Prob   uint32  // of the binomial part: a node with a smaller draw has children
}

// Level holds a depth's thresholds: a node has as many children as there are
// thresholds its draw reaches.
type Level []uint32

// levelsMax bounds a Generator's size. Only exponential and cyclic trees reach beyond, and nodes
// there are computed one by one.
const levelsMax = 256

// New makes the generator of a tree. The parameters must pass Check.
func New(p Params) *Generator {
	g := &Generator{Params: p, Prob: uint32(math.Ceil(p.Prob * drawUnit))}
	if p.Kind != Geometric && p.Kind != Hybrid {
		return g
	}
	for d := 0; d < p.levels(); d++ {
		g.Levels = append(g.Levels, p.level(d))
	}
	return g
}

// Root is the tree's root.
func (g *Generator) Root() State {
	var in [20]byte
	binary.BigEndian.PutUint32(in[16:], uint32(g.Params.Seed))
	return sha1.Sum(in[:])
}

// Children is how many children the node s at this depth has.
func (g *Generator) Children(s *State, depth int) int {
	p := &g.Params
	switch p.Kind {
	case Binomial:
		if depth == 0 {
			return int(p.Branching)
		}
		return g.binomial(s)
	case Balanced:
		if depth < p.Depth {
			return int(p.Branching)
		}
		return 0
	case Hybrid:
		if float64(depth) >= p.Shift*float64(p.Depth) {
			return g.binomial(s)
		}
	}
	if depth < len(g.Levels) {
		return g.Levels[depth].children(s.draw())
	}
	return p.geometric(s.draw(), depth)
}

func (g *Generator) binomial(s *State) int {
	if s.draw() < g.Prob {
		return g.Params.Children
	}
	return 0
}

func (l Level) children(draw uint32) int {
	n := 0
	for n < len(l) && draw >= l[n] {
		n++
	}
	return n
}

// levels is how many levels are worth a table: those where a node may have children.
func (p *Params) levels() int {
	n := p.Depth
	switch {
	case p.Kind == Hybrid:
		n = int(math.Ceil(p.Shift * float64(p.Depth)))
	case p.Shape == Cyclic:
		n = 5*p.Depth + 1
	case p.Shape == Exponential:
		n = levelsMax
	}
	return min(n, levelsMax)
}

// level finds a depth's thresholds by bisection of the reference's own formula, which
// rises with the draw.
func (p *Params) level(depth int) Level {
	var l Level
	for k := p.geometric(0, depth) + 1; k <= p.geometric(drawMax, depth); k++ {
		// lo has fewer than k children, hi has k or more
		lo, hi := uint32(0), uint32(drawMax)
		for hi-lo > 1 {
			mid := lo + (hi-lo)/2
			if p.geometric(mid, depth) < k {
				lo = mid
			} else {
				hi = mid
			}
		}
		l = append(l, hi)
	}
	return l
}

// geometric is the reference's formula for the children of a node with this draw: the inverse of
// the cumulative distribution whose mean is the depth's branching factor.
func (p *Params) geometric(draw uint32, depth int) int {
	b := p.branching(depth)
	if !(b > 0) { // so that no NaN passes either
		return 0
	}
	u := float64(draw) / drawUnit
	n := math.Floor(math.Log(1-u) / math.Log(1-1/(1+b)))
	return int(min(n, ChildrenMax))
}

// branching is the mean number of children at a depth, by the tree's shape.
func (p *Params) branching(depth int) float64 {
	if depth == 0 {
		return p.Branching
	}
	d, limit := float64(depth), float64(p.Depth)
	switch p.Shape {
	case Exponential:
		return p.Branching * math.Pow(d, -math.Log(p.Branching)/math.Log(limit))
	case Cyclic:
		if depth > 5*p.Depth {
			return 0
		}
		return math.Pow(p.Branching, math.Sin(2*math.Pi*d/limit))
	case Fixed:
		if depth < p.Depth {
			return p.Branching
		}
		return 0
	default:
		return p.Branching * (1 - d/limit)
	}
}
