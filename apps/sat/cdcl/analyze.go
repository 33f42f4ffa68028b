package cdcl

import "slices"

// analyze learns a clause from one that has become false, and finds the level to go back to. The
// first literal of learnt becomes true there.
func (s *Solver) analyze(conflict ref) (back, lbd int) {
	current := int32(len(s.levels))
	learnt := append(s.learnt[:0], 0)
	open := 0
	at := len(s.trail) - 1
	why := conflict
	for {
		s.touch(why)
		for _, l := range s.arena.lits(why) {
			v := l.vari()
			if s.seen[v] != 0 || s.vars[v].level == 0 {
				continue
			}
			s.seen[v] = seenIn
			s.marks = append(s.marks, l)
			if s.vars[v].level == current {
				open++
			} else {
				learnt = append(learnt, l)
			}
		}
		for s.seen[s.trail[at].vari()] == 0 {
			at--
		}
		p := s.trail[at]
		at--
		open--
		if open == 0 {
			learnt[0] = p.not()
			break
		}
		why = s.vars[p.vari()].reason
	}
	s.learnt = learnt
	met := len(s.marks)
	s.minimise()
	for _, l := range s.marks[met:] {
		s.seen[l.vari()] = 0
	}
	s.marks = s.marks[:met]
	s.beside()
	s.raise()
	for _, l := range s.marks {
		s.seen[l.vari()] = 0
	}
	s.marks = s.marks[:0]
	return s.backLevel(), s.distance(s.learnt)
}

// The values of seen.
const (
	seenIn   = 1 // the variable is in the clause, or was resolved away
	seenOut  = 2 // minimisation found that it follows from others of the clause
	seenNeed = 3 // … that it does not
)

// touch notes that a learned clause was of use.
func (s *Solver) touch(r ref) {
	if t := s.arena.tags(r); t&tagLearned != 0 {
		lbd := int(t & lbdMask)
		if lbd > tier1 {
			lbd = min(lbd, s.distance(s.arena.lits(r)))
		}
		s.arena.use(r, lbd)
	}
}

// distance is the number of levels of a clause's literals.
func (s *Solver) distance(c []lit) int {
	s.time++
	n := 0
	for _, l := range c {
		if lv := s.vars[l.vari()].level; s.stamp[lv] != s.time {
			s.stamp[lv] = s.time
			n++
		}
	}
	return n
}

// backLevel is the highest level but one of learnt; a literal of it is moved to the second place.
func (s *Solver) backLevel() int {
	if len(s.learnt) == 1 {
		return 0
	}
	most := 1
	for i, l := range s.learnt {
		if i > 1 && s.vars[l.vari()].level > s.vars[s.learnt[most].vari()].level {
			most = i
		}
	}
	s.learnt[1], s.learnt[most] = s.learnt[most], s.learnt[1]
	return int(s.vars[s.learnt[1].vari()].level)
}

// minimise takes out of learnt what follows from the rest of it.
func (s *Solver) minimise() {
	s.time++
	for _, l := range s.learnt[1:] {
		s.stamp[s.vars[l.vari()].level] = s.time
	}
	s.learnt = append(s.learnt[:1], slices.DeleteFunc(s.learnt[1:], func(l lit) bool {
		return s.vars[l.vari()].reason != none && s.follows(l)
	})...)
}

// follows tells whether a literal of learnt is implied by others of it. Levels without any of
// them cannot imply it.
func (s *Solver) follows(l lit) bool {
	stack := append(s.stack[:0], l)
	top := len(s.marks)
	for len(stack) > 0 {
		why := s.vars[stack[len(stack)-1].vari()].reason
		stack = stack[:len(stack)-1]
		for _, m := range s.arena.lits(why) {
			v := m.vari()
			if s.seen[v] == seenIn || s.seen[v] == seenOut || s.vars[v].level == 0 {
				continue // also the literal that this clause is the reason of
			}
			if s.seen[v] == seenNeed || s.vars[v].reason == none || s.stamp[s.vars[v].level] != s.time {
				for _, u := range s.marks[top:] {
					s.seen[u.vari()] = seenNeed
				}
				s.stack = stack
				return false
			}
			s.seen[v] = seenOut
			s.marks = append(s.marks, m)
			stack = append(stack, m)
		}
	}
	s.stack = stack
	return true
}

// final finds which assumptions make another one false, and logs the clause of their
// negations.
func (s *Solver) final(n int) {
	p := s.assumed[n]
	s.failed, s.learnt = s.failed[:0], s.learnt[:0]
	blame := func(n int) {
		s.failed = append(s.failed, s.asked[n].dimacs())
		s.learnt = append(s.learnt, s.asked[n].not())
	}
	blame(n)
	if s.vars[p.vari()].level > 0 {
		s.seen[p.vari()] = seenIn
		for i := len(s.trail) - 1; i >= s.levels[0]; i-- {
			l := s.trail[i]
			v := l.vari()
			if s.seen[v] == 0 {
				continue
			}
			s.seen[v] = 0
			if why := s.vars[v].reason; why != none {
				for _, m := range s.arena.lits(why) {
					if s.vars[m.vari()].level > 0 && m != l {
						s.seen[m.vari()] = seenIn
					}
				}
			} else {
				blame(slices.Index(s.assumed, l))
			}
		}
	}
	s.log(s.learnt)
}
