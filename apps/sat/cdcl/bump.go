package cdcl

const (
	activityMax = 1e100 // above it all are scaled down
	decay       = 1 / 0.95

	// Reasons are looked at for so many variables for each literal of what is learned: where
	// there are more, they tell nothing.
	besideShare = 10
)

// uniformShare is how many clauses there are for each of two literals, at least, in a formula
// without structure.
const uniformShare = 50

// looksUniform tells whether a formula has hardly any clauses of two literals. Most likely it is
// drawn at random then: what a conflict had to do with does not say where the next one is.
func (s *Solver) looksUniform() bool {
	two := 0
	for _, r := range s.clauses {
		if s.arena.words[r] == 2 {
			two++
		}
	}
	return two*uniformShare < len(s.clauses)
}

// byActivity tells how the next variable is found: by its activity or in the queue.
func (s *Solver) byActivity() bool { return s.restart.stable || s.uniform }

// beside marks the variables that the reasons of what is learned name, too: one step more of
// resolution would have met them (Liang et al., SAT 2016, there only of learned rates). It marks
// none if there are many.
func (s *Solver) beside() {
	before := len(s.marks)
	most := before + besideShare*len(s.learnt)
	for _, l := range s.learnt {
		why := s.vars[l.vari()].reason
		if why == none {
			continue
		}
		for _, m := range s.arena.lits(why) {
			v := m.vari()
			if s.seen[v] != 0 || s.vars[v].level == 0 {
				continue
			}
			s.seen[v] = seenIn
			s.marks = append(s.marks, m)
		}
		if len(s.marks) > most {
			for _, m := range s.marks[before:] {
				s.seen[m.vari()] = 0
			}
			s.marks = s.marks[:before]
			return
		}
	}
}

// raise makes the marked variables likelier to be decided.
func (s *Solver) raise() {
	if s.byActivity() {
		for _, l := range s.marks {
			s.active(l.vari())
		}
		return
	}
	s.queue.raiseAll(s.marks)
}

// active raises a variable's activity.
func (s *Solver) active(v uint32) {
	a := s.order.activity[v] + s.bump
	s.order.activity[v] = a
	if a > activityMax {
		for u := range s.order.activity {
			s.order.activity[u] /= activityMax
		}
		s.bump /= activityMax
	}
	s.order.raise(v)
}
