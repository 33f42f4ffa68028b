package cdcl

const (
	shareLBD  = 2  // learned clauses of this LBD at most are worth telling others …
	shareLits = 8  // … when they are as short
	shareMax  = 64 // that wait to be fetched; more would flood the others
)

// offer puts the clause that was learned where Short finds it, if it is one for others.
func (s *Solver) offer(lbd int) {
	if len(s.learnt) > shareLits || lbd > shareLBD || len(s.shared) >= shareMax {
		return
	}
	c := make([]int32, len(s.learnt))
	for i, l := range s.learnt {
		c[i] = l.dimacs()
	}
	s.shared = append(s.shared, c)
}

// Short are short clauses that were learned since the last call.
func (s *Solver) Short() [][]int32 {
	out := s.shared
	s.shared = nil
	return out
}

// Import adds a clause that another solver of the same formula has learned. It is not logged: with
// a Log, import nothing.
func (s *Solver) Import(clause []int32) {
	s.backtrack(0)
	if s.wrong {
		return
	}
	s.learnt = s.learnt[:0]
	for _, n := range clause {
		if v := max(n, -n); v < 1 || int(v) > s.Vars() {
			return
		}
		s.learnt = append(s.learnt, s.merging.of(litOf(n)))
	}
	if s.tidy() {
		s.attach(s.learnt, true, min(len(s.learnt), shareLBD))
	}
}
