package maxsat

import (
	"cmp"
	"math"
	"slices"

	"satingrid/apps/sat/cdcl"
)

// Ending is how a search has ended.
type Ending int8

// What Search returns.
const (
	Open    Ending = iota // its budget was spent
	Closed                // no model with the bound's literals is cheaper than the best
	Stopped               // Poll wanted it to
)

const (
	// perConflict is how many propagations count as much as a conflict, so that searches
	// without conflicts spend their budgets, too: about as many come with one
	perConflict = 1 << 10

	trimMost   = 5   // how often a core is looked for within a core, while it gets smaller
	lessMost   = 50  // literals of a core each of which may be left out for a try
	lessBudget = 200 // conflicts of such a try
	moreBudget = 500 // conflicts to find out whether one more goal of a core must fail
)

// Work is what the solver has done: conflicts, and what counts as much.
func (s *Optimizer) Work() int64 { return s.sat.Conflicts + s.sat.Propagations/perConflict }

// left is how many conflicts may be spent until so much work is done.
func (s *Optimizer) left(end int64) int64 { return max(1, end-s.Work()) }

// Search raises a bound, and finds cheaper models, until nothing is left to be found with its
// literals or so much work is done; 0 is without bound.
func (s *Optimizer) Search(b *Bound, work int64) Ending {
	end := int64(math.MaxInt64)
	if work > 0 {
		end = s.Work() + work
	}
	if b.whole && s.best == None {
		// any model will do, and whether there is one
		if status := s.ask(b, nil, s.left(end)); status != cdcl.Satisfiable {
			return s.ended(b, status)
		}
		s.walk(s.sat.Model()[:s.problem.Vars()])
	}
	level := b.below(math.MaxInt64)
	for {
		s.harden(s.whole)
		s.harden(b)
		switch {
		case b.refuted || b.Lower >= s.best:
			return Closed
		case s.Work() >= end:
			return Open
		}
		switch status := s.ask(b, s.wanted(b, level), s.left(end)); status {
		case cdcl.Unknown:
			return s.ended(b, status)
		case cdcl.Unsatisfiable:
			if lits := s.goalsOf(b); len(lits) > 0 {
				s.conflicting(b, lits)
				continue
			}
			return s.ended(b, status)
		}
		switch next := b.below(level); {
		case len(b.waiting) > 0:
			s.more(b)
			if level == 0 {
				level = b.below(math.MaxInt64)
			}
		case next > 0:
			level = next
		case b.Lower < s.best:
			panic("maxsat: BUG: a model fails no goal, and costs more than the bound")
		}
	}
}

// ended is how a search ends with what the solver has said last.
func (s *Optimizer) ended(b *Bound, status cdcl.Status) Ending {
	switch {
	case status == cdcl.Unsatisfiable:
		b.refuted = true
		return Closed
	case s.Poll != nil && s.Poll():
		return Stopped
	}
	return Open
}

// wanted are the goals that weigh as much as a level.
func (s *Optimizer) wanted(b *Bound, level int64) (lits []int32) {
	for n, w := range b.weights {
		if w > 0 && w >= level {
			lits = append(lits, s.goals[n].lit)
		}
	}
	return lits
}

// ask asks for a model in which some goals hold, and keeps it when it is the cheapest.
func (s *Optimizer) ask(b *Bound, lits []int32, conflicts int64) cdcl.Status {
	status := s.sat.Solve(slices.Concat(b.fixed, lits), conflicts)
	if status == cdcl.Satisfiable {
		model := s.sat.Model()[:s.problem.Vars()]
		if cost := s.problem.Cost(model); cost < s.best {
			s.found(cost, model)
		}
	}
	return status
}

// found keeps a model that is cheaper than all before.
func (s *Optimizer) found(cost int64, model []bool) {
	if s.best = cost; s.Found != nil {
		s.Found(cost, model)
	}
}

// harden fixes the goals that weigh so much that whatever fails one is no cheaper than the best.
func (s *Optimizer) harden(b *Bound) {
	if s.best == None {
		return
	}
	for n, w := range b.weights {
		if w == 0 || w < s.best-b.Lower {
			continue
		}
		b.weights[n] = 0
		l := s.goals[n].lit
		if b.whole {
			s.under = min(s.under, s.best)
			s.sat.Add([]int32{l})
		} else {
			b.fixed = append(b.fixed, l)
		}
	}
}

// conflicting raises a bound by goals that cannot all hold, or by fewer of them.
func (s *Optimizer) conflicting(b *Bound, lits []int32) {
	if lits = s.less(b, lits); len(lits) == 0 {
		b.refuted = true
		return
	}
	s.raise(b, lits)
}

// raise raises a bound by the core that was found last, and that of all models, when the core has
// nothing to do with what is fixed.
func (s *Optimizer) raise(b *Bound, lits []int32) {
	if !b.whole && !s.leans && s.has(s.whole, lits) {
		s.apply(s.whole, lits)
	}
	s.apply(b, lits)
}

// goalsOf are the goals among those that the solver has said cannot hold together with what is
// fixed.
func (s *Optimizer) goalsOf(b *Bound) (lits []int32) {
	s.leans = false
	for _, l := range s.sat.Failed() {
		if slices.Contains(b.fixed, l) {
			s.leans = true
		} else {
			lits = append(lits, l)
		}
	}
	return lits
}

// less are some of the goals that cannot all hold which cannot either.
func (s *Optimizer) less(b *Bound, lits []int32) []int32 {
	for range trimMost {
		before := len(lits)
		if before < 2 || s.ask(b, lits, lessBudget) != cdcl.Unsatisfiable {
			break
		}
		if lits = s.goalsOf(b); len(lits) == before {
			break
		}
	}
	if len(lits) > lessMost {
		return lits
	}
	// Those that weigh least go first: they are what the core costs.
	slices.SortFunc(lits, func(x, y int32) int {
		n, m := s.number[x], s.number[y]
		return cmp.Or(cmp.Compare(b.weight(n), b.weight(m)), cmp.Compare(n, m))
	})
	for k := 0; k < len(lits) && len(lits) > 1; {
		if s.ask(b, slices.Delete(slices.Clone(lits), k, k+1), lessBudget) != cdcl.Unsatisfiable {
			k++
			continue
		}
		core := s.goalsOf(b)
		lits = slices.DeleteFunc(lits, func(l int32) bool { return !slices.Contains(core, l) })
	}
	return lits
}

// more makes the sums of the cores that wait for them, and finds out of which of them a second goal
// must fail, and a third, where that takes little.
func (s *Optimizer) more(b *Bound) {
	waiting := slices.Clone(b.waiting)
	s.settle(b)
	for _, c := range waiting {
		n := s.sumOf(c.lits)
		for count := 2; count <= n.size && !b.refuted; count++ {
			g := s.below(n, count)
			if b.weight(g) == 0 || s.ask(b, []int32{s.goals[g].lit}, moreBudget) != cdcl.Unsatisfiable {
				break
			}
			s.conflicting(b, s.goalsOf(b))
		}
	}
}
