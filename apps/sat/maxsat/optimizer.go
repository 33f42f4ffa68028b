package maxsat

import (
	"encoding/binary"
	"math"
	"slices"

	"satingrid/apps/sat/cdcl"
)

// None is the cost of the best model while there is none.
const None = math.MaxInt64

// Optimizer looks for cheaper and cheaper models of a problem. It belongs to one goroutine.
type Optimizer struct {
	// Poll, when not nil, is called every few milliseconds; a search stops when it returns
	// true. It may call Know.
	Poll func() bool

	// Found, when not nil, is called with each model that is cheaper than all before, by
	// variable from 0. It may keep it.
	Found func(cost int64, model []bool)

	// Cores counts sets of goals of which one fails at least.
	Cores int64

	problem *Problem
	sat     *cdcl.Solver
	best    int64 // cost of the cheapest model that is known: only cheaper ones are looked for
	// with goals that were ruled out by it the clauses hold for what is cheaper than this one
	under  int64
	whole  *Bound // of all models
	goals  []counted
	number map[int32]int32 // by literal: which goal it is
	sums   map[string]*sum // by their literals
	vars   int
	grown  int64 // literals of the clauses that sums are made of
	steps  [][]int32
	logs   bool // whether steps are kept
	leans  bool // whether the core that was found last has to do with what is fixed
}

// counted is a goal: one of the problem's, or that fewer than so many literals of a sum are true.
type counted struct {
	lit   int32
	of    *sum // nil: it is the problem's
	count int
}

// Log is how a solver has come to know what it does of all models, for others to follow.
type Log struct {
	steps       [][]int32 // cores; where one is empty the sums of those before were made
	best, under int64
}

// New makes an optimizer. It is of no use once stop, which may be nil, is true.
func New(p *Problem, stop func() bool) *Optimizer {
	s := &Optimizer{
		problem: p, sat: cdcl.New(p.Formula.Vars), vars: p.Formula.Vars, best: None, under: None,
		number: make(map[int32]int32), sums: make(map[string]*sum),
		whole: &Bound{Lower: p.base, whole: true},
	}
	for clause := range p.Formula.Until(stop) {
		s.sat.Add(clause)
	}
	for _, g := range p.goals {
		s.whole.add(s.goalOf(counted{lit: g.lit}), g.weight)
	}
	s.sat.Poll = func() bool { return s.Poll != nil && s.Poll() }
	return s
}

// Begin raises the bound of all models, as Search does, and returns how, for others to Follow.
func (s *Optimizer) Begin(work int64) (Ending, Log) {
	s.logs = true
	status := s.Search(s.whole, work)
	s.logs = false
	return status, Log{s.steps, s.best, s.under}
}

// Follow has the solver know of all models what another one did. Nothing must have been asked of it
// before. It is of no use once stop, which may be nil, is true.
func (s *Optimizer) Follow(log Log, stop func() bool) {
	s.best, s.under = log.best, log.under
	for _, lits := range log.steps {
		switch {
		case stop != nil && stop():
			return
		case len(lits) == 0:
			s.settle(s.whole)
		default:
			s.apply(s.whole, lits)
		}
	}
}

// Know tells that a model is known that costs so much.
func (s *Optimizer) Know(cost int64) { s.best = min(s.best, cost) }

// Best is the cost of the cheapest model that is known, or None.
func (s *Optimizer) Best() int64 { return s.best }

// Whole is what is known of all models.
func (s *Optimizer) Whole() *Bound { return s.whole }

// Conflicts is how many conflicts there were.
func (s *Optimizer) Conflicts() int64 { return s.sat.Conflicts }

// Propagations is how many literals became true because of others.
func (s *Optimizer) Propagations() int64 { return s.sat.Propagations }

// Grown is how many literals the clauses have that were made for sums.
func (s *Optimizer) Grown() int64 { return s.grown }

// Under makes what a bound is for a part of its models: those with further literals.
func (s *Optimizer) Under(b *Bound, further []int32) *Bound {
	if len(further) == 0 {
		return b
	}
	return b.clone(further...)
}

// Short are clauses that were learned since the last call. They hold in each model that costs less
// than under.
func (s *Optimizer) Short() (clauses [][]int32, under int64) {
	for _, c := range s.sat.Short() {
		if !slices.ContainsFunc(c, func(l int32) bool { return int(max(l, -l)) > s.problem.Formula.Vars }) {
			clauses = append(clauses, c)
		}
	}
	return clauses, s.under
}

// Import adds a clause that another solver has learned, which holds in each model that costs less
// than under. It is left out while no model is known that is as cheap as that.
func (s *Optimizer) Import(clause []int32, under int64) {
	if under < s.best || len(clause) == 0 {
		return
	}
	if !slices.ContainsFunc(clause, func(l int32) bool { return int(max(l, -l)) > s.problem.Formula.Vars }) {
		s.under = min(s.under, under)
		s.sat.Import(clause)
	}
}

func (s *Optimizer) newVar() int32 {
	s.vars++
	s.sat.Grow(s.vars)
	return int32(s.vars)
}

// define adds a clause of a sum.
func (s *Optimizer) define(clause []int32) {
	s.grown += int64(len(clause))
	s.sat.Add(clause)
}

// goalOf is the number of a goal.
func (s *Optimizer) goalOf(c counted) int32 {
	n, known := s.number[c.lit]
	if !known {
		n = int32(len(s.goals))
		s.number[c.lit] = n
		s.goals = append(s.goals, c)
	}
	return n
}

// below is the goal that fewer than so many literals of a sum are true.
func (s *Optimizer) below(n *sum, count int) int32 {
	return s.goalOf(counted{-n.atLeast(s, count), n, count})
}

// sumOf is the sum of goals that fail.
func (s *Optimizer) sumOf(goals []int32) *sum {
	failing := make([]int32, len(goals))
	for k, l := range goals {
		failing[k] = -l
	}
	slices.Sort(failing)
	key, _ := binary.Append(nil, binary.LittleEndian, failing) // never fails
	n := s.sums[string(key)]
	if n == nil {
		n = newSum(failing)
		s.sums[string(key)] = n
	}
	return n
}

// has tells whether all literals are goals that weigh something.
func (s *Optimizer) has(b *Bound, lits []int32) bool {
	return !slices.ContainsFunc(lits, func(l int32) bool {
		n, known := s.number[l]
		return !known || b.weight(n) == 0
	})
}

// apply raises a bound by a core: of its goals, which weigh something, one at least fails. It costs
// the least weight of them that one fails. That is taken off each, and put on what is next: that
// no second one fails, of them, or of those of a sum that is one of them.
func (s *Optimizer) apply(b *Bound, lits []int32) {
	least := int64(None)
	for _, l := range lits {
		least = min(least, b.weight(s.number[l]))
	}
	for _, l := range lits {
		n := s.number[l]
		b.weights[n] -= least
		if g := s.goals[n]; g.of != nil && g.count < g.of.size {
			b.add(s.below(g.of, g.count+1), least)
		}
	}
	b.Lower += least
	if len(lits) > 1 {
		b.waiting = append(b.waiting, core{slices.Clone(lits), least})
	}
	if !b.whole {
		return
	}
	s.Cores++
	s.write(lits)
	clause := make([]int32, len(lits))
	for k, l := range lits {
		clause[k] = -l
	}
	s.sat.Add(clause)
}

// settle makes the sums of the cores of a bound that wait for them. Until then cores are found that
// have no goal in common with those, where possible (Berg and Järvisalo, CP 2017).
func (s *Optimizer) settle(b *Bound) {
	for _, c := range b.waiting {
		b.add(s.below(s.sumOf(c.lits), 2), c.weight)
	}
	if b.waiting = b.waiting[:0]; b.whole {
		s.write(nil)
	}
}

func (s *Optimizer) write(lits []int32) {
	if s.logs {
		s.steps = append(s.steps, slices.Clone(lits))
	}
}
