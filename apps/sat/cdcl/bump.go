package cdcl

const (
	activityMax = 1e100 // above it all are scaled down
	decay       = 1 / 0.95

	// Reasons are looked at for so many variables for each literal of what is learned: where there
	// are more, they tell nothing.
	besideShare = 10
)

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
	if s.restart.stable {
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
