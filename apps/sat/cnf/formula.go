package cnf

import "iter"

const (
	// VarsMax bounds the variables: a solver holds about a hundred bytes for each.
	VarsMax = 1 << 25

	// LitsMax bounds the length of Formula.Lits, which is 1 GiB there and a few in a solver.
	LitsMax = 1 << 28

	// WeightMax bounds the sum of all weights: as much again fits into 64 bits, so that costs
	// and bounds are added without a look at each sum.
	WeightMax = 1 << 62
)

// Formula is a conjunction of clauses. A literal is a variable, from 1, or its
// negation, a negative number.
type Formula struct {
	Vars int
	Lits []int32 // the clauses one after another, each with a 0 at its end
	// of a file with cubes: conjunctions that together cover what is asked; none: everything is
	// asked
	Cubes []int32

	Weighed bool    // a model that costs least is asked for: …
	Soft    []int32 // … a clause of these costs its weight when it is not satisfied
	Weights []int64 // by clause of Soft, from 0; their sum is at most WeightMax
}

// Clauses are the clauses, each to be read until the next one.
func (f *Formula) Clauses() iter.Seq[[]int32] { return groups(f.Lits) }

// askEvery is how many clauses pass between two questions whether to stop: a millisecond or so.
const askEvery = 1 << 12

// Until are the clauses up to where stop, which is asked now and then, says that they are wanted no
// more. A stop that is nil never does.
func (f *Formula) Until(stop func() bool) iter.Seq[[]int32] {
	if stop == nil {
		return f.Clauses()
	}
	return func(yield func([]int32) bool) {
		n := 0
		for clause := range f.Clauses() {
			if n++; n%askEvery == 0 && stop() || !yield(clause) {
				return
			}
		}
	}
}

// EachSoft are the clauses that should hold, each to be read until the next one, and what each
// costs.
func (f *Formula) EachSoft() iter.Seq2[[]int32, int64] {
	return func(yield func([]int32, int64) bool) {
		n := 0
		for clause := range groups(f.Soft) {
			if !yield(clause, f.Weights[n]) {
				return
			}
			n++
		}
	}
}

// EachCube are the cubes, each to be read until the next one.
func (f *Formula) EachCube() iter.Seq[[]int32] { return groups(f.Cubes) }

// Add appends a clause.
func (f *Formula) Add(clause ...int32) {
	f.Lits = append(append(f.Lits, clause...), 0)
}

// AddSoft appends a clause that costs its weight when it is not satisfied.
func (f *Formula) AddSoft(weight int64, clause ...int32) {
	f.Weighed = true
	f.Soft = append(append(f.Soft, clause...), 0)
	f.Weights = append(f.Weights, weight)
}

// groups are the parts of a list whose ends are marked by 0.
func groups(list []int32) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		start := 0
		for i, l := range list {
			if l != 0 {
				continue
			}
			if !yield(list[start:i:i]) {
				return
			}
			start = i + 1
		}
	}
}
