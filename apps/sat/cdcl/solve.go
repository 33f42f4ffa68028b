package cdcl

import "math"

// Between two calls of Poll pass so many conflicts, or propagations where a conflict takes many: a
// few milliseconds, most of the time.
const (
	pollConflicts    = 256
	pollPropagations = 1 << 15
)

// polls says when to ask next.
type polls struct{ conflicts, propagations int64 }

// Solve looks for an assignment that satisfies all clauses and the assumptions, until it has met
// with so many conflicts; a budget of 0 is without bound.
func (s *Solver) Solve(assumptions []int32, budget int64) Status {
	s.backtrack(0)
	s.failed = s.failed[:0]
	if s.wrong {
		return Unsatisfiable
	}
	if need := s.Vars() + len(assumptions) + 1; need > len(s.stamp) {
		s.stamp = append(s.stamp, make([]int64, need-len(s.stamp))...)
	}
	s.asked = s.asked[:0]
	for _, n := range assumptions {
		s.asked = append(s.asked, litOf(n))
	}
	end := int64(math.MaxInt64)
	if budget > 0 {
		end = s.Conflicts + budget
	}
	if s.simplify(); s.wrong {
		return Unsatisfiable
	}
	if s.merging.times == 0 {
		s.uniform = s.looksUniform()
		if s.merge(); s.wrong {
			return Unsatisfiable
		}
	}
	s.assume()
	status := s.search(end)
	s.backtrack(0)
	return status
}

// assume has what stands for each assumption be assumed.
func (s *Solver) assume() {
	s.assumed = s.assumed[:0]
	for _, l := range s.asked {
		s.assumed = append(s.assumed, s.merging.of(l))
	}
}

func (s *Solver) search(end int64) Status {
	for {
		conflict := s.propagate()
		if conflict != none {
			s.Conflicts++
			if len(s.levels) == 0 {
				s.wrong = true
				s.log(nil)
				return Unsatisfiable
			}
			s.learn(conflict)
			if s.Conflicts >= end {
				return Unknown
			}
		}
		if s.Poll != nil && (s.Conflicts >= s.polls.conflicts || s.Propagations >= s.polls.propagations) {
			s.polls = polls{s.Conflicts + pollConflicts, s.Propagations + pollPropagations}
			if s.Poll() {
				return Unknown
			}
			if s.wrong { // by an import
				return Unsatisfiable
			}
			continue
		}
		if conflict != none {
			continue
		}
		if s.Conflicts >= s.phases.next {
			s.backtrack(len(s.assumed))
			s.phases.change(s.Conflicts)
			continue
		}
		if s.restart.due(s.Conflicts) && len(s.levels) > len(s.assumed) {
			s.restart.began(s.Conflicts)
			s.backtrack(s.reusable())
			continue
		}
		if s.reduce.due(s.Conflicts) {
			if s.reduceAll(); s.wrong {
				return Unsatisfiable
			}
			continue
		}
		l, status := s.decide()
		if status != Unknown {
			return status
		}
		s.levels = append(s.levels, len(s.trail))
		if l != dummy {
			s.assign(l, none)
		}
	}
}

// learn learns from a conflict, goes back and draws the conclusion.
func (s *Solver) learn(conflict ref) {
	if s.restart.stable {
		s.phases.reached(s.trail[:s.levels[len(s.levels)-1]])
	}
	back, lbd := s.analyze(conflict)
	s.log(s.learnt)
	s.restart.learned(lbd)
	s.offer(lbd)
	s.backtrack(back)
	if len(s.learnt) == 1 {
		s.assign(s.learnt[0], none)
	} else {
		r := s.keep(s.learnt, true, lbd)
		s.arena.use(r, lbd)
		s.assign(s.learnt[0], r)
	}
	if s.byActivity() {
		s.bump *= decay
	}
}

// dummy is the decision of a level whose assumption holds already.
const dummy lit = math.MaxUint32

// decide returns the next decision, or what is known when there is none.
func (s *Solver) decide() (lit, Status) {
	if n := len(s.levels); n < len(s.assumed) {
		switch p := s.assumed[n]; s.values[p] {
		case 0:
			return p, Unknown
		case 1:
			return dummy, Unknown
		default:
			s.final(n)
			return 0, Unsatisfiable
		}
	}
	if v, ok := s.next(); ok {
		s.Decisions++
		return s.phases.of(v, s.restart.stable), Unknown
	}
	s.model = make([]bool, len(s.vars))
	for v := range s.model {
		s.model[v] = s.values[s.merging.same[v]] > 0
	}
	return 0, Satisfiable
}

// next is the variable to decide.
func (s *Solver) next() (v uint32, ok bool) {
	if !s.byActivity() {
		v := s.queue.next(s.values)
		return uint32(v), v != nobody
	}
	for {
		v, ok := s.order.top()
		if !ok || s.values[v<<1] == 0 && s.wanted[v] {
			return v, ok
		}
		s.order.pop()
	}
}

// reusable is the level to which a restart must go back: above it the same decisions would be taken
// again (van der Tak, Ramos and Heule, JSAT 7, 2011).
func (s *Solver) reusable() int {
	level := len(s.assumed)
	next, ok := s.next()
	for ok && level < len(s.levels) && s.before(s.trail[s.levels[level]].vari(), next) {
		level++
	}
	return level
}

// before tells whether of two free variables one would be decided first.
func (s *Solver) before(v, than uint32) bool {
	if s.byActivity() {
		return s.order.activity[v] > s.order.activity[than]
	}
	return s.queue.stamp[v] > s.queue.stamp[than]
}
