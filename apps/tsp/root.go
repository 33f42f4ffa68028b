package tsp

import (
	"cmp"
	"slices"
)

const (
	nearEdges       = 8  // to near cities, with which the root begins
	addedEdges      = 5  // at each city, that a round adds
	roundsMax       = 12 // of adding edges
	stepsClimb      = 300
	stepsRoot       = 100
	precisionRoot   = 64 // the part of the gap that missing edges may feign
	eliminationsMax = 4
	// with more paths that are fixed, or cities, there is more than one tour
	pathsFew = 3
)

// first is the bound of the root before any multipliers: something to say about a
// tour if time is short. It returns false where what is fixed leaves one tour, or none.
func (s *search) first(m *matrix) (bound int64, open bool) {
	s.cities = m.n
	s.pi = append(s.pi[:0], make([]int64, m.n)...)
	if paths := m.n - len(m.fixed); m.n >= manyCities && paths > pathsFew {
		bound, _ = s.whole(m)
		return bound, true
	}
	if !s.restart(m, m.pairs()) {
		return s.fixing.cost, false
	}
	return s.build(), true
}

// rounds brings the root's multipliers to their best. It begins with few edges of each city,
// and adds those that the bound of all edges misses. It returns that bound.
func (s *search) rounds(m *matrix, tour []int16) (bound int64) {
	few := sparse(m, tour)
	for k := 0; k < roundsMax && s.wanted(); k++ {
		if !s.restart(m, few) { // with what is fixed few edges may leave but the tour
			break
		}
		s.climb(stepsClimb)
		feigned := s.ascend(stepsRoot, firstShare)
		whole, missing := s.whole(m)
		if whole > bound {
			bound = whole
			s.raised(bound)
		}
		if bound > s.cutoff || feigned-whole <= (s.cutoff-whole)/precisionRoot {
			break
		}
		few = ordered(append(few, missing...))
	}
	return bound
}

// open takes all edges that a tour may have, and returns the bound of their 1-tree.
func (s *search) open(m *matrix) (bound int64) {
	s.restart(m, m.pairs())
	if s.chosen == s.cities {
		return s.fixing.cost
	}
	return s.build()
}

// eliminate takes all edges, and leaves those that a tour shorter than the best may have. It
// returns false when there are too few, and the root is closed.
func (s *search) eliminate(m *matrix) bool {
	if !s.wanted() {
		return true
	}
	bound := s.open(m)
	for k := 0; k < eliminationsMax && s.wanted(); k++ {
		if bound > s.cutoff {
			s.proof.bound(s.leaf, s.pi)
			return false
		}
		before := len(s.arcs)
		s.measure()
		s.proof.reduce(s.leaf, s.pi)
		if !s.restart(m, s.possible(bound)) {
			if !s.complete() {
				s.proof.dead()
			}
			return false
		}
		if len(s.arcs) > before*9/10 {
			break
		}
		s.climb(stepsClimb)
		bound = s.ascend(stepsRoot, firstShare)
	}
	return true
}

// restart starts over with these edges, all free but those that all tours have. It returns false
// where that leaves one tour, or none.
func (s *search) restart(m *matrix, pairs [][2]int16) (open bool) {
	s.u, s.v, s.graph.cost = s.u[:0], s.v[:0], s.graph.cost[:0]
	for _, p := range pairs {
		s.add(m, p[0], p[1])
	}
	s.index()
	s.reset()
	open = s.require(m)
	s.refresh()
	return open && s.chosen < s.cities
}

// require puts edges in, and what follows from that.
func (s *search) require(m *matrix) bool {
	for _, e := range m.fixed {
		k := s.edge(e[0], e[1])
		if k < 0 || s.state[k] == out || s.state[k] == free && !s.include(k) {
			return false
		}
	}
	return len(m.fixed) == 0 || s.propagate()
}

// sparse are the edges to near cities and those of a tour, which connects them and has all that are
// fixed.
func sparse(m *matrix, tour []int16) [][2]int16 {
	var pairs [][2]int16
	for c, near := range nearCities(m, nearEdges) {
		for _, d := range near {
			pairs = append(pairs, pair(int16(c), d))
		}
	}
	for k, c := range tour {
		pairs = append(pairs, pair(c, tour[(k+1)%len(tour)]))
	}
	return ordered(pairs)
}

func pair(a, b int16) [2]int16 { return [2]int16{min(a, b), max(a, b)} }

func ordered(pairs [][2]int16) [][2]int16 {
	slices.SortFunc(pairs, func(a, b [2]int16) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	return slices.Compact(pairs)
}

// possible are the edges whose inclusion does not close the root, and those that are in.
func (s *search) possible(bound int64) [][2]int16 {
	var pairs [][2]int16
	for _, c := range s.trail {
		if c.to == in {
			pairs = append(pairs, pair(s.u[c.edge], s.v[c.edge]))
		}
	}
	for k, x := range s.arcs {
		if s.with[k] <= s.cutoff-bound {
			pairs = append(pairs, pair(x.u, x.v))
		}
	}
	return ordered(pairs)
}
