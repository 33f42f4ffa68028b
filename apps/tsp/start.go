package tsp

import (
	"math/rand/v2"

	"satingrid/satin"
)

const (
	startsMax = 3 // tours that are looked for
	// kicks of each, times the cities: on TSPLIB one of the tours is nearly always optimal
	kicksEach = 4
	kickedMin = 8  // cities; fewer leave nothing to find
	pieceMax  = 50 // cities of a piece that a kick exchanges with the next
)

// Start looks for a short tour, beginning at the city Number.
type Start struct{ Number int }

// Run returns the tour's nodes.
func (t Start) Run(s *satin.Scope) ([]int16, error) {
	m := matrixOf(s)
	var tour []int16
	if from := t.Number * m.n / startsMax; m.half > 0 {
		h := newShifter(m)
		h.begin(from / 2)
		h.descend()
		h.perturb(kicksOf(m.half), s.Rand(), s.Aborted)
		tour = m.nodes(h.tour)
	} else {
		h := newImprover(m)
		h.begin(int16(from))
		h.descend()
		if m.n >= kickedMin {
			h.perturb(kicksEach*m.n, s.Rand(), s.Aborted)
		}
		tour = h.tour
	}
	if s.Aborted() {
		return nil, satin.ErrWithdrawn
	}
	return tour, nil
}

// quick is a tour that is found at once.
func (m *matrix) quick(city int) []int16 {
	if m.half > 0 {
		h := newShifter(m)
		h.begin(city)
		h.descend()
		return m.nodes(h.tour)
	}
	h := newImprover(m)
	h.begin(int16(city))
	h.descend()
	return h.tour
}

// kick exchanges two short neighbouring pieces somewhere: the double bridge, which no move undoes.
// Where it would take a fixed edge apart, it does nothing.
func (m *improver) kick(rng *rand.Rand) {
	n := len(m.tour)
	longest := min(pieceMax, (n-2)/2)
	a, b := 1+rng.IntN(longest), 1+rng.IntN(longest)
	start := rng.IntN(n)
	for _, p := range [3]int{start, start + a, start + a + b} {
		if m.d.fixes(m.at((p+n-1)%n), m.at(p%n)) {
			return
		}
	}
	piece := make([]int16, 0, 2*pieceMax)
	for k := range a + b {
		piece = append(piece, m.at((start+(a+k)%(a+b))%n))
	}
	for k, c := range piece {
		p := (start + k) % n
		m.tour[p], m.pos[c] = c, int16(p)
	}
	for _, p := range [6]int{start - 1, start, start + b - 1, start + b, start + a + b - 1, start + a + b} {
		m.ask(m.tour[(p+n)%n])
	}
}

// perturb kicks and descends so many times, unless nobody wants to know any more, and keeps what is
// no longer than before. It returns the length.
func (m *improver) perturb(kicks int, rng *rand.Rand, aborted func() bool) int64 {
	length := m.d.length(m.tour)
	m.saved = append(m.saved[:0], m.tour...)
	for k := 0; k < kicks && !aborted(); k++ {
		m.kick(rng)
		m.descend()
		if l := m.d.length(m.tour); l <= length {
			length = l
			copy(m.saved, m.tour)
			continue
		}
		copy(m.tour, m.saved)
		for k, c := range m.tour {
			m.pos[c] = int16(k)
		}
	}
	return length
}
