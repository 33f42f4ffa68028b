package cdcl

// Grow has the solver know so many variables, less than 2^26, if they are more than before. Those
// that were there keep what is known of them.
func (s *Solver) Grow(vars int) {
	s.backtrack(0)
	for v := s.Vars(); v < vars; v++ {
		s.watches = append(s.watches, nil, nil)
		s.values = append(s.values, 0, 0)
		s.vars = append(s.vars, variable{reason: none})
		s.wanted = append(s.wanted, false)
		s.seen = append(s.seen, 0)
		s.stamp = append(s.stamp, 0)
		s.phases.grow()
		s.merging.grow(v)
		s.order.grow()
		s.queue.grow()
	}
}

func (p *phases) grow() {
	p.saved = append(p.saved, true)
	p.target, p.best = append(p.target, 0), append(p.best, 0)
}

func (m *merging) grow(v int) {
	m.same = append(m.same, lit(v<<1))
	m.probed = append(m.probed, 0, 0)
}

func (h *heap) grow() {
	h.place = append(h.place, -1)
	h.activity = append(h.activity, 0)
}

func (q *queue) grow() {
	q.before, q.after = append(q.before, 0), append(q.after, 0)
	q.stamp = append(q.stamp, 0)
}
