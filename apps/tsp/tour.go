package tsp

import "satingrid/satin"

// Tour is a solution.
type Tour struct {
	Length int64
	Cities []int  // from 0, beginning with 0; a symmetric one towards its smaller neighbour
	Bound  int64  // no tour is shorter than this; it is the Length once that is proved
	Nodes  int64  // of the tree, once all of it is explored
	Proof  []byte // that the Length is the Bound, for package check, where one was asked for
}

// Better prefers the shorter tour, and of equally long ones that with the higher bound.
func (t Tour) Better(than Tour) bool {
	if t.Length != than.Length {
		return t.Length < than.Length
	}
	return t.Bound > than.Bound
}

// limit is the length that a tour must stay below to be of use.
func limit(s *satin.Scope) int64 {
	if best, ok := satin.Best[Tour](s); ok {
		return best.Length
	}
	panic("tsp: BUG: a job before the first tour was offered")
}

// offer offers a tour; bound is what is known of all tours, scaled.
func offer(s *satin.Scope, m *matrix, tour []int16, bound int64) {
	t := Tour{Length: m.length(tour), Cities: m.cities(tour)}
	t.Bound = min(wholeUp(bound), t.Length-1)
	satin.Offer(s, t)
}

// offerAgain offers a tour that a job below the root has found.
func offerAgain(s *satin.Scope, m *matrix, tour []int16) {
	t := Tour{Length: m.length(tour), Cities: m.cities(tour)}
	if best, ok := satin.Best[Tour](s); ok {
		t.Bound = min(best.Bound, t.Length-1)
	}
	satin.Offer(s, t)
}

// offerBound offers the best tour again, with what is now known of all tours.
func offerBound(s *satin.Scope, bound int64) {
	if best, ok := satin.Best[Tour](s); ok {
		t := *best
		if t.Bound = min(wholeUp(bound), t.Length-1); t.Bound > best.Bound {
			satin.Offer(s, t)
		}
	}
}

// wholeUp is the least length that a scaled bound allows.
func wholeUp(bound int64) int64 { return (bound + scale - 1) >> scaleBits }
