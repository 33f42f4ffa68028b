package maxsat

import (
	"math"
	"slices"
)

// Bound is what is known of the models in which some literals are true: none costs less than Lower,
// and what they cost beyond that is what the goals weigh yet that they fail.
type Bound struct {
	Lower int64

	fixed   []int32 // the literals, and what else holds in whatever is cheaper than the best
	weights []int64 // by goal of the solver; those behind its end weigh nothing
	waiting []core  // whose sums have not been made yet
	refuted bool    // nothing is cheaper than the best
	whole   bool    // it is about all models
}

// core are goals of which one at least fails, and what it costs.
type core struct {
	lits   []int32
	weight int64
}

// clone is a bound of its own with further literals.
func (b *Bound) clone(further ...int32) *Bound {
	return &Bound{
		Lower: b.Lower, fixed: slices.Concat(b.fixed, further), weights: slices.Clone(b.weights),
		waiting: slices.Clone(b.waiting), refuted: b.refuted, whole: b.whole && len(further) == 0,
	}
}

// weight is what a goal weighs yet.
func (b *Bound) weight(number int32) int64 {
	if int(number) < len(b.weights) {
		return b.weights[number]
	}
	return 0
}

// add makes a goal weigh more.
func (b *Bound) add(number int32, weight int64) {
	for int(number) >= len(b.weights) {
		b.weights = append(b.weights, 0)
	}
	b.weights[number] += weight
}

// dense is how many goals there should be in a stratum for each weight that they have.
const dense = 1.25

// below is the least weight of the next stratum below a level, 0 when there is none: so low that
// its weights are few beside its goals (Ansótegui, Bonet, Gabàs and Levy, CP 2012).
func (b *Bound) below(level int64) int64 {
	var all []int64
	for _, w := range b.weights {
		if w > 0 {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	weights, last := 0, int64(math.MaxInt64)
	for k := len(all) - 1; k >= 0; k-- {
		if w := all[k]; w != last {
			if last < level && float64(len(all)-1-k) > dense*float64(weights) {
				return last
			}
			weights, last = weights+1, w
		}
	}
	if last < level {
		return last
	}
	return 0
}
