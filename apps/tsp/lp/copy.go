package lp

// From makes s a copy of another program, in the memory that it has, of which no more is asked than
// to change bounds and be solved.
func (s *Simplex) From(o *Simplex) {
	s.Limit, s.Value, s.Steps, s.age = o.Limit, o.Value, o.Steps, 0
	// the entries are shared: rows come only to one
	s.columns = append(s.columns[:0], o.columns...)
	s.rows = append(s.rows[:0], o.rows...)
	s.high = append(s.high[:0], o.high...)
	s.head = append(s.head[:0], o.head...)
	s.place = append(s.place[:0], o.place...)
	s.slackAt = append(s.slackAt[:0], o.slackAt...)
	for cap(s.inverse) < len(o.inverse) {
		s.inverse = append(s.inverse[:cap(s.inverse)], nil)
	}
	s.inverse = s.inverse[:len(o.inverse)]
	for p, row := range o.inverse {
		s.inverse[p] = append(s.inverse[p][:0], row...)
	}
	s.length = append(s.length[:0], o.length...)
	s.x = append(s.x[:0], o.x...)
	s.reduced = append(s.reduced[:0], o.reduced...)
	s.dual = append(s.dual[:0], o.dual...)
	s.Work += int64(len(o.rows) * len(o.rows) / 4)
}
