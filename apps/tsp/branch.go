package tsp

import (
	"cmp"
	"slices"
)

const (
	probesMax  = 10 // edges that are tried before one is branched on
	stepsProbe = 20 // of the multipliers, on each side of each
)

// candidate is an edge that may be branched on.
type candidate struct {
	edge int32
	loss int64 // what the bound gains at least without it
}

// candidates are the edges of the 1-tree at cities where it forks, those first without which the bound gains most.
func (s *search) candidates() []candidate {
	var list []candidate
	for k, x := range s.arcs {
		if (s.taken[k] || int32(k) == s.second) && (s.degree[x.u] > 2 || s.degree[x.v] > 2) {
			list = append(list, candidate{x.edge, s.without[k]})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.loss, a.loss), cmp.Compare(a.edge, b.edge))
	})
	return list[:min(len(list), probesMax)]
}

// choose probes edges: it makes each decision and takes a few steps. It returns the edge to branch on, and the side
// to explore first; or, with must, an edge whose other side the probe has closed.
func (s *search) choose(depth int, bound int64) (edge int32, to int, must bool) {
	score := int64(-1)
	for _, c := range s.candidates() {
		var gain [3]int64
		for _, side := range [2]int{out, in} {
			b, closed := s.probe(c.edge, side)
			s.restore(depth)
			if closed {
				return c.edge, in + out - side, true
			}
			gain[side] = max((b-bound)>>gainShift, 1)
		}
		if p := gain[in] * min(gain[in], gain[out]); p > score {
			score, edge = p, c.edge
		}
	}
	if score < 0 {
		panic("tsp: BUG: a 1-tree that does not fork is a tour")
	}
	return edge, out, false
}

// gainShift keeps the product of two gains within 64 bits.
const gainShift = 6

// probe makes a decision and returns the bound after a few steps, and whether that closes this side, which then is
// part of the proof.
func (s *search) probe(e int32, to int) (bound int64, closed bool) {
	if !s.decide(e, to) {
		s.proof.branch(s.u[e], s.v[e], to)
		s.proof.dead()
		return 0, true
	}
	if s.chosen == s.cities {
		if closed = s.fixing.cost > s.cutoff; closed {
			s.proof.branch(s.u[e], s.v[e], to)
			s.proof.dead()
		}
		return s.fixing.cost, closed
	}
	if bound = s.ascend(stepsProbe); bound > s.cutoff {
		s.proof.branch(s.u[e], s.v[e], to)
		s.proof.bound(s.leaf, s.pi)
		return bound, true
	}
	return bound, false
}
