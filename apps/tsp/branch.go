package tsp

import (
	"cmp"
	"math"
	"slices"

	"satingrid/apps/tsp/lp"
)

const (
	probesMax  = 12 // edges that are tried at a node
	stepsProbe = 30 // of the program, on each side of each
)

// candidate is an edge that may be branched on.
type candidate struct {
	edge int32
	half int // how far its value is from a half
}

// candidates are the edges with values nearest to a half, and of those with the same, the longest.
func (s *explorer) candidates() []candidate {
	var list []candidate
	for e, state := range s.state {
		if x := s.program.At(e); state == free && x > whole && x < 1-whole {
			list = append(list, candidate{int32(e), int(halves * max(x-0.5, 0.5-x))})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.half, b.half), cmp.Compare(s.graph.cost[b.edge], s.graph.cost[a.edge]), cmp.Compare(a.edge, b.edge))
	})
	return list[:min(len(list), probesMax)]
}

// halves is into how many parts a half is divided.
const halves = 100

// choose probes edges, and returns the one whose two sides gain most, or, where that closes a side,
// that one and the other side. Without candidates it is any edge that is free.
func (s *explorer) choose() (edge int32, closed int) {
	edge = int32(slices.Index(s.state, free))
	best := -1.0
	for _, c := range s.candidates() {
		var gains [3]float64
		for _, side := range [2]int{out, in} {
			status := s.probe(c.edge, side)
			if status == lp.Above || status == lp.Infeasible {
				if s.closes(c.edge, side) {
					return c.edge, side
				}
			}
			gains[side] = max(s.tried.Value-s.program.Value, 1e-6)
		}
		low, high := min(gains[in], gains[out]), max(gains[in], gains[out])
		if score := float64(low * math.Sqrt(high)); score > best {
			best, edge = score, c.edge
		}
	}
	return edge, free
}

// probe makes a decision in a copy of the program.
func (s *explorer) probe(e int32, side int) lp.Status {
	before := s.tried.Work
	s.tried.From(&s.program)
	at := 0.0
	if side == in {
		at = 1
	}
	s.tried.Bound(int(e), at, at)
	s.tried.Settle()
	status := s.tried.Solve(stepsProbe)
	s.work += s.tried.Work - before
	return status
}

// closes tells whether what the probe has left closes a side, which then is part of the proof.
func (s *explorer) closes(e int32, side int) bool {
	s.state[e] = uint8(side)
	bound := s.prices(&s.tried)
	s.state[e] = free
	if bound <= s.cutoff {
		return false
	}
	s.proof.branch(s.u[e], s.v[e], side)
	s.proof.priced(recordPriced, &s.relaxed)
	return true
}
