package cdcl

import "slices"

const (
	// conflicts before the first look for equal and failed literals after the one before the
	// search; each next one takes so many more
	mergeEvery = 3000
	// looks for what is equal now that others are in one place: nearly always one is enough
	mergeRounds = 4
)

// merging is what is known of equal and failed literals.
type merging struct {
	classes classes
	same    []lit // by variable: the literal that stands for it
	next    int64 // conflicts at the next look
	times   int64
	probed  []int // by literal: how many had a value when it was tried last, and one more
	cursor  int   // where the last round of probes ended
	spent   int64 // propagations of probes
}

func (m *merging) init(vars int) {
	m.same = make([]lit, vars)
	for v := range m.same {
		m.same[v] = lit(v << 1)
	}
	m.probed = make([]int, 2*vars)
}

// of is the literal that stands for one.
func (m *merging) of(l lit) lit { return m.same[l.vari()] ^ l&1 }

// merge puts one literal in the place of all that are equal to it, and tries out some, at level 0.
func (s *Solver) merge() {
	s.merging.times++
	s.merging.next = s.Conflicts + mergeEvery*s.merging.times
	s.probe()
	m := &s.merging
	for range mergeRounds {
		if s.wrong {
			return
		}
		if m.classes.find(s.watches, s.values); !m.classes.found {
			return
		}
		if s.tellEqual(); s.wrong {
			return
		}
		for _, list := range [][]ref{slices.Clone(s.clauses), slices.Clone(s.learned)} {
			for _, r := range list {
				if s.put(r); s.wrong {
					return
				}
			}
		}
		s.compact()
		s.simplify()
	}
}

// tellEqual takes all variables but one of each class out of the search, and writes down what
// they are equal to.
func (s *Solver) tellEqual() {
	m := &s.merging
	if m.classes.wrong {
		for l, to := range m.classes.of {
			if lit(l) == to.not() {
				s.learnt = append(s.learnt[:0], to)
				s.log(s.learnt)
				s.attach(s.learnt, true, 1)
				return
			}
		}
	}
	for v := range m.same {
		l := lit(v << 1)
		if to := m.classes.of[l]; to != l {
			s.log(append(s.learnt[:0], l, to.not()))
			s.log(append(s.learnt[:0], l.not(), to))
			s.wanted[v] = false
			s.queue.remove(uint32(v))
			s.Merged++
		}
	}
	for v := range m.same {
		m.same[v] = m.classes.of[m.same[v]]
	}
}

// put puts into a clause what stands for its literals.
func (s *Solver) put(r ref) {
	c := s.arena.lits(r)
	of := s.merging.classes.of
	if !slices.ContainsFunc(c, func(l lit) bool { return of[l] != l }) {
		return
	}
	t := s.arena.tags(r)
	if t&tagDead != 0 || slices.ContainsFunc(c, func(l lit) bool { return s.values[l] > 0 }) {
		return // simplify drops what is true
	}
	s.learnt = s.learnt[:0]
	for _, l := range c {
		s.learnt = append(s.learnt, of[l])
	}
	says := s.tidy()
	if says {
		s.log(s.learnt)
		s.attach(s.learnt, t&tagLearned != 0, min(int(t&lbdMask), max(1, len(s.learnt)-1)))
	}
	if t&tagLearned != 0 {
		s.tell(s.Forgot, s.arena.lits(r))
	}
	s.arena.drop(r)
}
