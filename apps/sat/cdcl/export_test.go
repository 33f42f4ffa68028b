package cdcl

// Often has the solver do now what it does between two restarts after hundreds of conflicts, and
// without a bound.
func (s *Solver) Often() {
	s.viv.spent = -1 << 40
	if !s.wrong {
		s.reduceAll()
	}
}
