package tsp

import (
	"cmp"
	"slices"
)

const (
	// probesMax bounds the edges that are tried at a node. Most nodes have fewer: a probe
	// that closes a side pays for several that do not, and how an edge does in a probe is not
	// to be told beforehand.
	probesMax  = 30
	stepsProbe = 15 // of the multipliers, on each side of each
)

// candidate is an edge that may be branched on.
type candidate struct {
	edge int32
	loss int64 // what the bound gains at least without it
}

// candidates are the edges of the 1-tree at cities where it forks, those first without which
// the bound gains most.
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

// choose probes edges: it makes each decision and takes a few steps. An edge with a side that
// this closes is decided. It returns the edge to branch on, or -1 if all that is left must be
// looked at anew; open is false when the node is closed. In warm of the level are the multipliers
// to begin the sides with.
func (s *search) choose(depth int, bound int64) (edge int32, open bool) {
	edge = -1
	score := int64(-1)
	for _, c := range s.candidates() {
		if s.state[c.edge] != free {
			continue // by an earlier decision
		}
		l := s.levels[depth]
		gains, closed := s.probeBoth(c.edge, l, depth, bound)
		if closed != free {
			if !s.decide(c.edge, in+out-closed) {
				s.proof.dead()
				return -1, false
			}
			s.save(depth)
			continue
		}
		// An edge in says more about what follows than one out, so that its gain counts for
		// more.
		if p := gains[in] * min(gains[in], 2*gains[out]); p > score {
			score, edge = p, c.edge
			l.warm, l.tried = l.tried, l.warm
		}
	}
	if edge >= 0 && s.state[edge] != free {
		edge = -1
	}
	return edge, true
}

// probeBoth probes both sides of an edge. It returns what the bound gains on each, and the side
// that is closed, or free; the multipliers are in tried of the level.
func (s *search) probeBoth(e int32, l *level, depth int, bound int64) (gains [3]int64, closed int) {
	for _, side := range [2]int{out, in} {
		b, closed := s.probe(e, side)
		l.tried[side] = append(l.tried[side][:0], s.pi...)
		s.restore(depth)
		if closed {
			return gains, side
		}
		gains[side] = max((b-bound)>>gainShift, 1)
	}
	return gains, free
}

// gainShift keeps the product of two gains within 64 bits.
const gainShift = 6

// probe makes a decision and returns the bound after a few steps, and whether that closes this
// side, which then is part of the proof.
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
	if bound = s.ascend(stepsProbe, firstProbe); bound > s.cutoff {
		s.proof.branch(s.u[e], s.v[e], to)
		s.proof.bound(s.leaf, s.pi)
		return bound, true
	}
	return bound, false
}
