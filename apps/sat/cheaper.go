package sat

import (
	"fmt"
	"slices"
	"sync/atomic"

	"satingrid/apps/sat/ahead"
	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/maxsat"
	"satingrid/satin"
)

// Cheaper looks for models with some literals that cost less than the run's best, until there are
// none. What it finds it offers as the best.
type Cheaper struct{ Lits []int32 }

// Spent is what a search has come to.
type Spent struct{ Conflicts, Cores int64 }

// cheapest finds a model of least cost.
func (v Solve) cheapest(s *satin.Scope) (Answer, error) {
	spent, err := satin.Spawn(s, Cheaper{}).Wait(s)
	if err != nil {
		return Answer{}, err
	}
	first := pricesOf(s).spent
	spent.Conflicts += first.Conflicts
	spent.Cores += first.Cores
	best, found := satin.Best[Answer](s)
	if !found {
		return Answer{Status: Unsatisfiable, Conflicts: spent.Conflicts}, nil
	}
	all := *best
	all.Status, all.Bound, all.Conflicts, all.Cores = Optimal, all.Cost, spent.Conflicts, spent.Cores
	satin.Offer(s, all)
	return all, nil
}

// Run searches below the literals, or splits them.
func (c Cheaper) Run(s *satin.Scope) (Spent, error) {
	w, ready := searcherOf(s)
	if !ready || enough(s) {
		return w.given(s)
	}
	if err := c.check(w.prices.problem.Formula.Vars); err != nil {
		return Spent{}, err
	}
	w.patience.begin(c.Lits)
	b := w.bound(c.Lits)
	conflicts, cores := w.solver.Conflicts(), w.solver.Cores
	status := w.search(s, b, w.patience.stretch(c.budget(), conflicts, w.solver.Propagations()))
	spent := Spent{w.solver.Conflicts() - conflicts, w.solver.Cores - cores}
	if status == maxsat.Open {
		l, ended := w.split(s, c.Lits)
		switch {
		case ended:
			return w.given(s)
		case l != 0:
			return c.divide(s, w, b, l, spent)
		}
		// Unit propagation alone decides what must hold, or nearly.
		status = w.search(s, b, 0)
	}
	if status == maxsat.Stopped {
		return w.given(s)
	}
	return spent, nil
}

// check says whether the literals are some of so many variables.
func (c Cheaper) check(vars int) error {
	for _, l := range c.Lits {
		if l == 0 || int(l) > vars || int(l) < -vars {
			return fmt.Errorf("sat: a job is about literal %d of %d variables: its peers should run one build", l, vars)
		}
	}
	return nil
}

// cheaperBudget is how many times as much work a job gets as a cube of a formula without weights:
// what is known of its cores is lost where a half goes to another worker. Tests have less.
var cheaperBudget int64 = 8

// budget is how much work is done below the literals at least before they are split.
func (c Cheaper) budget() int64 { return cheaperBudget * Cube{Lits: c.Lits}.budget() }

// divide searches below the two halves.
func (c Cheaper) divide(s *satin.Scope, w *searcher, b *maxsat.Bound, l int32, spent Spent) (Spent, error) {
	half := func(l int32) Cheaper { return Cheaper{append(slices.Clone(c.Lits), l)} }
	w.patience.split(c.Lits)
	if len(w.known) < knownMax {
		w.known = append(w.known, known{c.Lits, b})
	}
	parts, err := satin.All(s, []Cheaper{half(l), half(-l)})
	if err != nil {
		return Spent{}, err
	}
	for _, p := range parts {
		spent.Conflicts += p.Conflicts
		spent.Cores += p.Cores
	}
	return spent, nil
}

// enough tells whether the run's best is known to be one.
func enough(s *satin.Scope) bool {
	best, found := satin.Best[Answer](s)
	return found && best.Bound >= best.Cost
}

// prices are what all workers of a peer start from: the formula made ready, and the cores that were
// found first. They are the same on all peers.
type prices struct {
	problem *maxsat.Problem
	log     maxsat.Log
	best    Answer // the best model that was found, if found
	found   bool
	spent   Spent
	first   atomic.Pointer[maxsat.Optimizer] // for the worker that asks first
}

// pricesWork is how much work each peer does for itself at the beginning: some 200 ms.
const pricesWork = 4_000

func pricesOf(s *satin.Scope) *prices {
	return satin.Derive(s, func() *prices {
		// an abort of this job alone must not leave its mark on the others
		ended := func() bool { return s.Context().Err() != nil }
		p := &prices{problem: maxsat.NewProblem(&satin.Root[Solve](s).Formula, ended)}
		solver := maxsat.New(p.problem, ended)
		solver.Poll = ended
		solver.Found = func(cost int64, model []bool) {
			p.found = true
			p.best = Answer{Status: Satisfiable, Model: pack(model), Cost: cost, Bound: min(cost, solver.Whole().Lower)}
			satin.Offer(s, p.best)
		}
		if ended() {
			return p
		}
		_, p.log = solver.Begin(pricesWork)
		p.best.Bound = min(p.best.Cost, solver.Whole().Lower)
		p.spent = Spent{solver.Conflicts(), solver.Cores}
		p.first.Store(solver)
		return p
	})
}

// searcher is what a worker keeps from job to job.
type searcher struct {
	prices   *prices
	solver   *maxsat.Optimizer
	splitter *ahead.Splitter
	patience patience
	known    []known // of what this worker has split, each within the one before
}

// known is what is known of the models with some literals.
type known struct {
	lits  []int32
	bound *maxsat.Bound
}

const (
	// knownMax bounds how many bounds a worker keeps, each as long as there are goals: below
	// them what is split begins with the last that is kept.
	knownMax = 32

	// grownMax bounds how many literals the sums of a solver may have: then it is made anew,
	// with the first cores alone.
	grownMax = 1 << 24
)

// searcherOf is this worker's, ready for a job unless that is over.
func searcherOf(s *satin.Scope) (w *searcher, ready bool) {
	w = satin.Local(s, func() *searcher { return &searcher{prices: pricesOf(s)} })
	if w.solver != nil && w.solver.Grown() <= grownMax {
		return w, true
	}
	stop := func() bool { return s.Aborted() }
	if stop() {
		return w, false
	}
	w.known = nil
	if w.solver = w.prices.first.Swap(nil); w.solver == nil {
		w.solver = maxsat.New(w.prices.problem, stop)
		w.solver.Follow(w.prices.log, stop)
	}
	if stop() {
		w.solver = nil
		return w, false
	}
	if w.prices.found {
		// whoever leans on the first cores must hold the model that they were found with
		satin.Offer(s, w.prices.best)
	}
	return w, true
}

// bound is what is known of the models with some literals, at least what is of all models.
func (w *searcher) bound(lits []int32) *maxsat.Bound {
	for n := len(w.known); n > 0; n-- {
		k := w.known[n-1]
		if len(k.lits) < len(lits) && slices.Equal(k.lits, lits[:len(k.lits)]) && k.bound.Lower >= w.solver.Whole().Lower {
			w.known = w.known[:n]
			return w.solver.Under(k.bound, lits[len(k.lits):])
		}
	}
	w.known = w.known[:0]
	return w.solver.Under(w.solver.Whole(), lits)
}

// search searches, and tells the run what is found.
func (w *searcher) search(s *satin.Scope, b *maxsat.Bound, work int64) maxsat.Ending {
	w.solver.Found = func(cost int64, model []bool) {
		satin.Offer(s, Answer{Status: Satisfiable, Model: pack(model), Cost: cost, Bound: min(cost, w.solver.Whole().Lower)})
	}
	w.solver.Poll = func() bool {
		w.share(s)
		return s.Aborted() || enough(s)
	}
	w.share(s)
	status := w.solver.Search(b, work)
	best, found := satin.Best[Answer](s)
	if found {
		// of those that are cheaper, that there are none is known, too
		if bound := min(best.Cost, w.solver.Whole().Lower); w.solver.Best() <= best.Cost && bound > best.Bound {
			more := *best
			more.Bound = bound
			satin.Offer(s, more)
		}
	}
	return status
}

// share tells the other workers what this one has learned, and learns what they told.
func (w *searcher) share(s *satin.Scope) {
	if best, found := satin.Best[Answer](s); found {
		w.solver.Know(best.Cost)
	}
	var told cnf.Formula
	clauses, under := w.solver.Short()
	for _, clause := range clauses {
		told.Add(clause...)
	}
	if len(told.Lits) > 0 {
		satin.Tell(s, Lemmas{told.Lits, under})
	}
	for _, heard := range satin.Heard[Lemmas](s) {
		for clause := range (&cnf.Formula{Lits: heard.Lits}).Clauses() {
			w.solver.Import(clause, heard.Under)
		}
	}
}

// split is the literal to split on, or 0, unless the job is over before.
func (w *searcher) split(s *satin.Scope, lits []int32) (l int32, ended bool) {
	stop := func() bool { return s.Aborted() || enough(s) }
	if w.splitter == nil {
		splitter := ahead.New(w.prices.problem.Formula, stop)
		if stop() {
			return 0, true
		}
		w.splitter = splitter
	}
	return w.splitter.Split(lits), false
}

// given is what a job returns that is over.
func (*searcher) given(s *satin.Scope) (Spent, error) {
	if s.Aborted() {
		return Spent{}, satin.ErrWithdrawn
	}
	return Spent{}, nil
}
