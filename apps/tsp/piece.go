package tsp

import (
	"errors"
	"slices"

	"satingrid/satin"
)

const (
	// manyCities have their tours shortened piece by piece, by many workers at once: the kicks
	// of one worker would take long, and have the root wait.
	manyCities = 1000
	// pieceCities is how many cities a job gets: their distances stay in a processor's cache,
	// and a job takes a tenth of a second.
	pieceCities = 250
	kicksFirst  = 1 // of a piece of the first tour, times its cities: it is to be there soon
	kicksPiece  = 5 // of a piece of a later one
	// roundsPiece is how often a tour is taken apart. More find little: what is left to gain is
	// between pieces that are not neighbours in the tour.
	roundsPiece = 3
)

// Shorten looks for a shorter tour of many cities than this one: again and again it takes the tour
// apart, at other places each time, has the pieces shortened, and joins them.
type Shorten struct{ Tour []int16 }

// Run returns the tour.
func (t Shorten) Run(s *satin.Scope) ([]int16, error) {
	h := newImprover(matrixOf(s))
	if !allOf(t.Tour, h.d.n) {
		return nil, errPiece
	}
	h.tour = t.Tour
	for range roundsPiece {
		if err := h.pieces(s, kicksPiece); err != nil {
			return nil, err
		}
		if h.d.length(h.tour) < limit(s) {
			offerAgain(s, h.d, h.tour)
		}
	}
	return h.tour, nil
}

// startMany is the first tour of many cities, whose pieces were shortened by all workers.
func (v Solve) startMany(s *satin.Scope, m *matrix, bound int64) ([]int16, error) {
	h := newImprover(m)
	h.begin(0)
	offer(s, m, h.tour, bound)
	if err := h.pieces(s, kicksFirst); err != nil {
		return nil, err
	}
	offerAgain(s, m, h.tour)
	return h.tour, nil
}

// pieces has the pieces of the tour shortened, and then looks for moves between them. The tour
// begins half a piece further on than before, so that the next pieces are others.
func (h *improver) pieces(s *satin.Scope, kicks int) error {
	n := len(h.tour)
	count := n / pieceCities
	h.saved = append(h.saved[:0], h.tour...)
	begins := func(k int) int { return pieceCities/2 + k*n/count }
	futures := make([]satin.Future[Piece, []int16], count)
	for k := range futures {
		p := Piece{Kicks: kicks}
		for at := begins(k); at < begins(k+1); at++ {
			p.Cities = append(p.Cities, h.saved[at%n])
		}
		futures[k] = satin.Spawn(s, p)
	}
	pieces := make([][]int16, count)
	for k := count - 1; k >= 0; k-- {
		var err error
		if pieces[k], err = futures[k].Wait(s); err != nil {
			return err
		}
	}
	h.tour = slices.Concat(pieces...)
	if !allOf(h.tour, n) {
		return errPiece
	}
	h.index()
	h.aborted = s.Aborted
	h.descend()
	if s.Aborted() {
		return satin.ErrWithdrawn
	}
	return nil
}

// Piece looks for a short way through some cities, from the first to the last, and begins with the
// one that it is given. It makes so many kicks for each city.
type Piece struct {
	Cities []int16
	Kicks  int
}

// Run returns the way.
func (t Piece) Run(s *satin.Scope) ([]int16, error) {
	m, n := matrixOf(s), len(t.Cities)
	if n < kickedMin || n > 2*pieceCities {
		return nil, errPiece
	}
	p := &matrix{n: n, w: make([]int32, n*n)}
	for a, c := range t.Cities {
		if int(c) >= m.n || c < 0 {
			return nil, errPiece
		}
		for b, d := range t.Cities[:a] {
			p.w[a*n+b] = m.at(c, d)
			p.w[b*n+a] = p.w[a*n+b]
			if m.fixes(c, d) {
				p.fix(int16(b), int16(a))
			}
		}
	}
	// the rest of the tour; an edge of its own between both ends cannot be in a tour
	last := int16(n - 1)
	p.w[last], p.w[int(last)*n] = 0, 0
	p.fix(0, last)
	h := newImprover(p)
	for c := range p.n {
		h.tour = append(h.tour, int16(c))
	}
	h.index()
	h.descend()
	h.perturb(t.Kicks*n, s.Rand(), s.Aborted)
	if s.Aborted() {
		return nil, satin.ErrWithdrawn
	}
	way := make([]int16, 0, n)
	forward := h.pred(0) == last
	for c := int16(0); len(way) < n; c = h.next(c, forward) {
		way = append(way, t.Cities[c])
	}
	return way, nil
}

var errPiece = errors.New("tsp: a piece's fields are damaged: its peers should run one build")

// allOf tells whether a tour has each of so many cities once.
func allOf(tour []int16, n int) bool {
	seen := make([]bool, n)
	for _, c := range tour {
		if c < 0 || int(c) >= n || seen[c] {
			return false
		}
		seen[c] = true
	}
	return len(tour) == n
}
