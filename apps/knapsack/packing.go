package knapsack

import "satingrid/satin"

// Packing is a solution.
type Packing struct {
	Value  int64
	Weight int64   // by the first constraint
	Items  []int32 // in increasing order, from 0
	Copies []int32 // of each of these; nil: one, as no item may be packed more often
	Bound  int64   // no packing is worth more than this; it is the Value once that is proved
}

// Better prefers the more valuable packing, and of equally valuable ones that with the lower bound.
func (t Packing) Better(than Packing) bool {
	if t.Value != than.Value {
		return t.Value > than.Value
	}
	return t.Bound < than.Bound
}

// limit is the profit, in the ground's units, that a packing must exceed to be of use.
func limit(s *satin.Scope, g *ground) int64 {
	if best, ok := satin.Best[Packing](s); ok {
		return g.scaled(best.Value)
	}
	panic("knapsack: BUG: a job before the first packing was offered")
}

// offer offers a choice of items of the ground; bound is what is known of all, in the ground's
// units.
func offer(s *satin.Scope, g *ground, chosen []int32, bound int64) {
	t := g.packing(satin.Root[Solve](s), chosen)
	t.Bound = max(g.value(bound), t.Value)
	satin.Offer(s, t)
}

// offerAgain offers a choice that a job below the root has found.
func offerAgain(s *satin.Scope, g *ground, chosen []int32) {
	t := g.packing(satin.Root[Solve](s), chosen)
	t.Bound = g.value(g.bound())
	if best, ok := satin.Best[Packing](s); ok {
		t.Bound = max(best.Bound, t.Value)
	}
	satin.Offer(s, t)
}

// settled tells whether the best is proved to be the best of all, so that all that is left
// to do can be dropped.
func settled(s *satin.Scope) bool {
	best, ok := satin.Best[Packing](s)
	return ok && best.Value >= best.Bound
}

// remains is what may still hold something better than the best.
func (n node) remains(s *satin.Scope, g *ground) (node, bool) {
	if settled(s) {
		return n, false
	}
	return n.narrow(limit(s, g))
}
