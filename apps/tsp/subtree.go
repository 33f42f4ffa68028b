package tsp

import (
	"encoding/binary"
	"errors"

	"satingrid/apps/tsp/cuts"
	"satingrid/satin"
)

// Subtree is a node of the tree of all tours and what is below it: the edges that are left, and
// the cuts and the basis to start from. It is some KiB for a hundred cities.
type Subtree struct {
	// the edges free and in, and those out that are in the basis, by position in the upper
	// triangle: gaps, times four, plus 0 for free, 1 for in, 2 for out
	Edges []byte
	Cuts  []byte
	Basis []byte // bits: for each of the edges, each city and each cut, whether it is in
}

// Part is what exploring a subtree yields besides shorter tours.
type Part struct {
	Nodes int64
	Proof []byte // where one is asked for
}

// workMax is the budget of a job, in numbers that its programs looked at: 20 to 50 ms.
const workMax = 1_000_000

// Run explores the subtree as far as the budget goes. What is then left on the way back up
// are jobs of their own.
func (t Subtree) Run(s *satin.Scope) (Part, error) {
	root := satin.Root[Solve](s)
	m := matrixOf(s)
	w := satin.Local(s, func() *explorer { return new(explorer) })
	w.begin(s, m, root.Certify)
	w.budget = workMax
	if err := w.explore(t, m); err != nil {
		return Part{}, err
	}
	return w.finish(s)
}

// begin sets the explorer up for a job.
func (w *explorer) begin(s *satin.Scope, m *matrix, certify bool) {
	w.limit = func() int64 { return limit(s) }
	w.found = func(tour []int16) { offerAgain(s, m, tour) }
	w.aborted = s.Aborted
	w.nodes, w.work, w.budget, w.pending, w.proof = 0, 0, 0, nil, nil
	if certify {
		w.proof = new(proof)
		w.proof.part()
	}
}

// finish has what was not explored explored by jobs of their own.
func (w *explorer) finish(s *satin.Scope) (Part, error) {
	if s.Aborted() {
		return Part{}, satin.ErrWithdrawn
	}
	part, pending := Part{Nodes: w.nodes}, w.pending
	if w.proof != nil {
		part.Proof = w.proof.data
	}
	// The last is the shallowest and has most below it: spawned first, it is what a thief gets.
	futures := make([]satin.Future[Subtree, Part], len(pending))
	for k := len(pending) - 1; k >= 0; k-- {
		futures[k] = satin.Spawn(s, pending[k])
	}
	for _, f := range futures {
		below, err := f.Wait(s)
		if err != nil {
			return Part{}, err
		}
		part.Nodes += below.Nodes
		part.Proof = append(part.Proof, below.Proof...)
	}
	return part, nil
}

// edgesLeft are those that are not out, and those of the basis.
func (f *fixing) edgesLeft(basic func(e int) bool) []byte {
	var data []byte
	before := -1
	for e, state := range f.state {
		if state == out && !basic(e) {
			continue
		}
		at := pairAt(f.cities, int(f.u[e]), int(f.v[e]))
		data = binary.AppendUvarint(data, uint64(at-before-1)<<2|uint64(state))
		before = at
	}
	return data
}

// subtree is the node where the explorer stands, as a job.
func (s *explorer) subtree() Subtree {
	t := Subtree{Edges: s.edgesLeft(s.program.Basic)}
	for _, c := range s.cuts {
		t.Cuts = c.Append(t.Cuts)
	}
	k := 0
	bit := func(set bool) {
		if k%8 == 0 {
			t.Basis = append(t.Basis, 0)
		}
		if set {
			t.Basis[k/8] |= 1 << (k % 8)
		}
		k++
	}
	for e, state := range s.state {
		if state != out || s.program.Basic(e) {
			bit(s.program.Basic(e))
		}
	}
	for row := range s.program.Rows() {
		bit(s.program.Loose(row))
	}
	return t
}

// pairAt is the position of a pair of cities u < v in the upper triangle.
func pairAt(n, u, v int) int { return u*(2*n-u-1)/2 + v - u - 1 }

var errSubtree = errors.New("tsp: a subtree's fields are damaged: its peers should run one build")

// load sets the explorer up for a job.
func (s *explorer) load(t Subtree, m *matrix) error {
	if err := s.take(t.Edges, m); err != nil {
		return err
	}
	s.cuts = s.cuts[:0]
	for data := t.Cuts; len(data) > 0; {
		c, rest, ok := cuts.Read(data, m.n)
		if !ok || len(s.cuts) == cutsMost {
			return errSubtree
		}
		s.cuts, data = append(s.cuts, c), rest
	}
	if t.Basis == nil {
		s.arm(s.limit(), nil, nil)
		return nil
	}
	bits := make([]bool, len(s.u)+m.n+len(s.cuts))
	if len(t.Basis) != (len(bits)+7)/8 {
		return errSubtree
	}
	for k := range bits {
		bits[k] = t.Basis[k/8]>>(k%8)&1 == 1
	}
	s.arm(s.limit(), bits[:len(s.u)], bits[len(s.u):])
	return nil
}

// cutsMost bounds the cuts of a program.
const cutsMost = 4096

// take starts with these edges.
func (f *fixing) take(edges []byte, m *matrix) error {
	n := m.n
	f.cities = n
	f.u, f.v, f.graph.cost = f.u[:0], f.v[:0], f.graph.cost[:0]
	var sides []uint8 // by edge
	u, end := 0, n-1  // the pairs of u end before position end
	at := -1
	for data := edges; len(data) > 0; {
		gap, size := binary.Uvarint(data)
		if size <= 0 || gap>>2 > uint64(n*n) || gap&3 > out {
			return errSubtree
		}
		data = data[size:]
		at += int(gap>>2) + 1
		for at >= end && u < n-1 {
			u++
			end += n - 1 - u
		}
		if at >= end {
			return errSubtree
		}
		sides = append(sides, uint8(gap&3))
		f.add(m, int16(u), int16(n-(end-at)))
	}
	f.index()
	f.reset()
	for e, side := range sides {
		if side == out {
			f.exclude(int32(e))
		}
	}
	for e, side := range sides {
		if side == in && (f.state[e] == out || f.state[e] == free && !f.include(int32(e))) {
			return errSubtree
		}
	}
	if !f.propagate() {
		return errSubtree
	}
	return nil
}

// add adds an edge; they come in order.
func (g *graph) add(m *matrix, u, v int16) {
	g.u, g.v = append(g.u, u), append(g.v, v)
	g.cost = append(g.cost, int64(m.at(u, v))*scale)
}
