package maxsat

import (
	"cmp"
	"slices"

	"satingrid/apps/sat/cnf"
)

// Problem is a formula with weights, made ready to be searched: whatever has a weight is one
// literal.
type Problem struct {
	// Formula has the clauses that must hold, and those that should. A clause that should and
	// has several literals has one more, a variable of its own behind those of the formula as
	// it was given: it is true where the clause is given up.
	Formula *cnf.Formula

	given *cnf.Formula
	base  int64  // what every model costs
	goals []goal // what should hold, the dearest first; no two of one variable
}

// goal is a literal that should hold.
type goal struct {
	lit    int32
	weight int64
}

// NewProblem makes a formula ready. It is of no use once stop, which may be nil, is true.
func NewProblem(f *cnf.Formula, stop func() bool) *Problem {
	p := &Problem{given: f, Formula: &cnf.Formula{Vars: f.Vars, Lits: slices.Clone(f.Lits)}}
	weights := make(map[int32]int64)
	number := 0
	for clause := range (&cnf.Formula{Lits: f.Soft}).Until(stop) {
		weight := f.Weights[number]
		number++
		lits, says := literals(clause)
		switch {
		case !says || weight == 0:
		case len(lits) == 0:
			p.base += weight
		case len(lits) == 1:
			weights[lits[0]] += weight
		default:
			p.Formula.Vars++
			given := int32(p.Formula.Vars)
			p.Formula.Add(append(lits, given)...)
			weights[-given] += weight
		}
	}
	for l, weight := range weights {
		other := weights[-l]
		if l > 0 {
			p.base += min(weight, other) // one of the two fails in any model
		}
		if weight > other {
			p.goals = append(p.goals, goal{l, weight - other})
		}
	}
	slices.SortFunc(p.goals, func(a, b goal) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(max(a.lit, -a.lit), max(b.lit, -b.lit)))
	})
	return p
}

// literals are those of a clause, each once; says is false where it holds in any case.
func literals(clause []int32) (lits []int32, says bool) {
	lits = slices.Clone(clause)
	slices.Sort(lits)
	lits = slices.Compact(lits)
	for _, l := range lits {
		if l > 0 {
			break
		}
		if _, both := slices.BinarySearch(lits, -l); both {
			return nil, false
		}
	}
	return lits, true
}

// Vars is how many variables the formula had as it was given.
func (p *Problem) Vars() int { return p.given.Vars }

// Cost is what a model costs, by variable from 0.
func (p *Problem) Cost(model []bool) (cost int64) {
	for clause, weight := range p.given.EachSoft() {
		if !slices.ContainsFunc(clause, func(l int32) bool { return model[max(l, -l)-1] == (l > 0) }) {
			cost += weight
		}
	}
	return cost
}
