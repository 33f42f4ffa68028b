package gridsim

import (
	"slices"

	"satingrid/steal"
)

// Search is a branch and bound over a generated tree: a leaf has a value, no leaf is above the
// bound that its ancestors' arguments carry, and a job whose bound is not above the best is
// pruned, at ties too. Children come in an order that the best decides. A best is a value and, as
// its witness, the leaf.
type Search struct {
	Tree
	Raises uint64 // the order panics on two values whose sum it divides; 0: never
}

// raised is what the order panics with.
const raised = "the order panics"

// raises tells whether comparing two values panics.
func (s *Search) raises(a, b []byte) bool {
	return s.Raises > 0 && len(a) == 24 && len(b) == 24 && (word(a, 0)+word(b, 0))%s.Raises == 0 && word(a, 0) != word(b, 0)
}

// Root carries the first bound.
func (s *Search) Root() []byte { return encode(mix(s.Seed), 0, 1000) }

// Expand prunes, offers or makes the children.
func (s *Search) Expand(args, best []byte) Step {
	state, depth, bound := word(args, 0), word(args, 1), word(args, 2)
	if best != nil && bound <= word(best, 0) {
		return Step{Value: []byte{}}
	}
	n := s.fanOut(state, depth)
	if n == 0 {
		leaf := encode(s.value(state, bound), state, bound)
		return Step{Value: leaf, Offer: leaf}
	}
	st := Step{Shuffled: s.Shuffled}
	for k := range n {
		kid := s.kid(state, depth, k)
		st.Children = append(st.Children, encode(kid, depth+1, bound-min(bound, kid>>40%12)))
	}
	if best != nil && word(best, 0)%2 == 1 {
		slices.Reverse(st.Children)
	}
	return st
}

// value is a leaf's: at most its bound, with many ties.
func (s *Search) value(state, bound uint64) uint64 { return bound - min(bound, mix(state^3)%8) }

// Combine is the better child's value: a value that a redone job may miss, which is
// what the best is for.
func (s *Search) Combine(_ []byte, results [][]byte) []byte {
	out := []byte{}
	for _, r := range results {
		if len(r) > 0 && (len(out) == 0 || s.Better("", r, out)) {
			out = r
		}
	}
	return out
}

// Better compares values.
func (s *Search) Better(_ string, a, b []byte) bool {
	if len(a) != 24 || len(b) != 24 {
		return false
	}
	return word(a, 0) > word(b, 0)
}

// Choosing is true: what a job returns depends on what was pruned.
func (s *Search) Choosing() bool { return true }

// Witnessed recomputes the leaf's value.
func (s *Search) Witnessed(best []byte) bool {
	return len(best) == 24 && s.value(word(best, 1), word(best, 2)) == word(best, 0)
}

// Right accepts any witness of the best value that there is.
func (s *Search) Right(answer steal.Result) error {
	if s.Raises > 0 && answer.Outcome == steal.Panicked && string(answer.Bytes) == raised {
		return nil
	}
	best := alone(s, s.Root())
	if answer.Outcome == steal.Value && len(answer.Bytes) == 24 && word(answer.Bytes, 0) == word(best.Bytes, 0) && s.Witnessed(answer.Bytes) {
		return nil
	}
	return same(answer, best)
}
