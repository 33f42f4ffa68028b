package sat

import (
	"satingrid/apps/sat/cnf"
	"satingrid/satin"
)

// Lemmas are clauses that the formula implies, one after another, each with a 0 at its end: units
// and short ones of a low LBD, as package cdcl chooses them.
type Lemmas struct {
	Lits  []int32
	Under int64 // of a formula with weights: they hold in each model that costs less
}

// share tells the other workers what this one has learned, and learns what they told. A run for a
// proof shares nothing: what is imported would be missing in a cube's part.
func (w *worker) share(s *satin.Scope) {
	if w.certify {
		return
	}
	var told cnf.Formula
	for _, clause := range w.solver.Short() {
		told.Add(clause...)
	}
	if len(told.Lits) > 0 {
		satin.Tell(s, Lemmas{Lits: told.Lits})
	}
	for _, heard := range satin.Heard[Lemmas](s) {
		for clause := range (&cnf.Formula{Lits: heard.Lits}).Clauses() {
			w.solver.Import(clause)
		}
	}
}
