package tsp

import (
	"encoding/binary"
	"errors"
	"fmt"

	"satingrid/satin"
)

// Subtree is a node of the tree of all tours and what is below it: the edges that are left, and the
// multipliers to start from. It is one to two KiB for a hundred cities.
type Subtree struct {
	// the edges free and in, by position in the upper triangle: gaps, times two, plus one for
	// in
	Edges []byte
	Pi    []byte // the multipliers
}

// Part is what exploring a subtree yields besides shorter tours.
type Part struct {
	Nodes int64
	Proof []byte // where one is asked for
}

// workMax is the budget of a job, in edges and cities that its 1-trees looked at: 20 to 50 ms.
const workMax = 4_000_000

// Run explores the subtree as far as the budget goes. What is then left on the way back up
// are jobs of their own.
func (t Subtree) Run(s *satin.Scope) (Part, error) {
	root := satin.Root[Solve](s)
	m := matrixOf(s)
	w := satin.Local(s, func() *search { return new(search) })
	part, pending, err := w.run(s, t, m, root.Certify)
	if err != nil {
		return Part{}, err
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

// run explores, and returns what must become jobs, in the order of the tree.
func (s *search) run(scope *satin.Scope, t Subtree, m *matrix, certify bool) (Part, []Subtree, error) {
	s.limit = func() int64 { return limit(scope) }
	s.found = func(tour []int16) { offerAgain(scope, m, tour) }
	if err := s.load(t, m); err != nil {
		return Part{}, nil, err
	}
	s.nodes, s.work, s.budget, s.pending, s.proof = 0, 0, workMax, nil, nil
	if certify {
		s.proof = new(proof)
		s.proof.reset(s.pi)
	}
	s.explore(0, nil)
	part := Part{Nodes: s.nodes}
	if certify {
		part.Proof = s.proof.data
	}
	return part, s.pending, nil
}

// subtree is the node where the search stands, as a job.
func (s *search) subtree() Subtree {
	var t Subtree
	n, before := s.cities, -1
	for e, state := range s.state {
		if state == out {
			continue
		}
		at := pairAt(n, int(s.u[e]), int(s.v[e]))
		gap := uint64(at-before-1) << 1
		if state == in {
			gap |= 1
		}
		t.Edges = binary.AppendUvarint(t.Edges, gap)
		before = at
	}
	for _, p := range s.pi {
		t.Pi = binary.AppendVarint(t.Pi, p)
	}
	return t
}

// pairAt is the position of a pair of cities u < v in the upper triangle.
func pairAt(n, u, v int) int { return u*(2*n-u-1)/2 + v - u - 1 }

var errSubtree = errors.New("tsp: a subtree's fields are damaged: its peers should run one build")

// load sets the search up for a job.
func (s *search) load(t Subtree, m *matrix) error {
	n := m.n
	s.cities = n
	s.u, s.v, s.graph.cost = s.u[:0], s.v[:0], s.graph.cost[:0]
	var chosen []int32
	u, end := 0, n-1 // the pairs of u end before position end
	at := -1
	for data := t.Edges; len(data) > 0; {
		gap, size := binary.Uvarint(data)
		if size <= 0 || gap>>1 > uint64(n*n) {
			return errSubtree
		}
		data = data[size:]
		at += int(gap>>1) + 1
		for at >= end && u < n-1 {
			u++
			end += n - 1 - u
		}
		if at >= end {
			return errSubtree
		}
		if gap&1 == 1 {
			chosen = append(chosen, int32(len(s.u)))
		}
		s.add(m, int16(u), int16(n-(end-at)))
	}
	s.index()
	s.reset()
	s.pi = s.pi[:0]
	for data := t.Pi; len(data) > 0; {
		p, size := binary.Varint(data)
		if size <= 0 || max(p, -p) > multiplierMax {
			return errSubtree
		}
		data = data[size:]
		s.pi = append(s.pi, p)
	}
	if len(s.pi) != n {
		return fmt.Errorf("%w (%d multipliers of %d cities)", errSubtree, len(s.pi), n)
	}
	for _, e := range chosen {
		if s.state[e] == out || s.state[e] == free && !s.include(e) {
			return errSubtree
		}
	}
	if !s.propagate() {
		return errSubtree
	}
	s.refresh()
	return nil
}

// add adds an edge; they come in order.
func (s *search) add(m *matrix, u, v int16) {
	s.u, s.v = append(s.u, u), append(s.v, v)
	s.graph.cost = append(s.graph.cost, int64(m.at(u, v))*scale)
}
