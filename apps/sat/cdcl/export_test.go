package cdcl

// Often has the solver do now what it does between two restarts after hundreds of conflicts, and
// without a bound.
func (s *Solver) Often() {
	s.viv.spent, s.merging.spent, s.merging.next = -1<<40, -1<<40, 0
	if !s.wrong {
		s.reduceAll()
	}
}
