package cdcl

// shortClause is a clause's length up to which the search for a literal to watch
// begins at the front.
const shortClause = 6

// watch is a clause that must be looked at, unless its blocker, another of its literals, is true.
type watch struct {
	ref     ref
	blocker lit
}

// watch watches the first two literals of a clause.
func (s *Solver) watch(r ref) {
	c := s.arena.lits(r)
	flag := ref(0)
	if len(c) == 2 {
		flag = binary
	}
	s.watches[c[0].not()] = append(s.watches[c[0].not()], watch{r | flag, c[1]})
	s.watches[c[1].not()] = append(s.watches[c[1].not()], watch{r | flag, c[0]})
}

// assign makes a literal true, for a reason.
func (s *Solver) assign(l lit, why ref) {
	s.values[l], s.values[l.not()] = 1, -1
	s.vars[l.vari()] = variable{int32(len(s.levels)), why}
	s.trail = append(s.trail, l)
}

// propagate draws all conclusions, and returns a clause that has become false, or none.
func (s *Solver) propagate() ref {
	values := s.values
	start := s.head
	for s.head < len(s.trail) {
		p := s.trail[s.head]
		s.head++
		if conflict := s.visit(p, s.watches[p], values); conflict != none {
			s.Propagations += int64(s.head - start)
			s.head = len(s.trail)
			return conflict
		}
	}
	s.Propagations += int64(s.head - start)
	return none
}

// visit looks at the clauses that watch the negation of p, which has become true.
func (s *Solver) visit(p lit, ws []watch, values []int8) ref {
	words := s.arena.words
	np := p.not()
	j := 0
	conflict := none
scan:
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		v := values[w.blocker]
		if v > 0 {
			ws[j], j = w, j+1
			continue
		}
		if w.ref&binary != 0 {
			ws[j], j = w, j+1
			if v == 0 {
				s.assign(w.blocker, w.ref&^binary)
				continue
			}
			conflict = w.ref &^ binary
			j += copy(ws[j:], ws[i+1:])
			break
		}
		n := ref(words[w.ref])
		c := words[w.ref+header : w.ref+header+n]
		first := c[0] ^ c[1] ^ np
		fv := values[first]
		if first != w.blocker && fv > 0 {
			ws[j], j = watch{w.ref, first}, j+1
			continue
		}
		// A long clause is searched from where it was left: before that place literals have
		// been false (Gent, JAIR 48, 2013).
		k := 2
		if len(c) > shortClause {
			k = int(words[w.ref+2])
		}
		for range len(c) - 2 {
			if l := c[k]; values[l] >= 0 {
				c[0], c[1], c[k] = first, l, np
				words[w.ref+2] = lit(k)
				s.watches[l.not()] = append(s.watches[l.not()], watch{w.ref, first})
				continue scan
			}
			if k++; k == len(c) {
				k = 2
			}
		}
		ws[j], j = watch{w.ref, first}, j+1
		if fv < 0 {
			conflict = w.ref
			j += copy(ws[j:], ws[i+1:])
			break
		}
		c[0], c[1] = first, np
		s.assign(first, w.ref)
	}
	s.watches[p] = ws[:j]
	return conflict
}

// backtrack takes back all assignments above a level.
func (s *Solver) backtrack(level int) {
	if len(s.levels) <= level {
		return
	}
	start := s.levels[level]
	for i := len(s.trail) - 1; i >= start; i-- {
		l := s.trail[i]
		v := l.vari()
		s.values[l], s.values[l.not()] = 0, 0
		s.phases.saved[v] = l&1 != 0
		if s.wanted[v] {
			s.order.insert(v)
			s.queue.free(v)
		}
	}
	s.trail = s.trail[:start]
	s.head = start
	s.levels = s.levels[:level]
}
