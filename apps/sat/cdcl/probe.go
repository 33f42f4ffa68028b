package cdcl

// probeShare bounds the propagations of probes: one for so many of the search, and some at first.
const (
	probeShare = 20
	probeFirst = 1 << 17
)

// probe finds literals that fail: what follows from them contradicts itself, so that their
// negations are true (Le Berre, SAT 2001). It tries those that imply others by binary
// clauses, but follow from none: whatever fails below one makes it fail.
func (s *Solver) probe() {
	m := &s.merging
	s.viv.saved = append(s.viv.saved[:0], s.phases.saved...)
	begun := s.Propagations
	for range len(m.probed) {
		if (begun-m.spent)/probeShare+probeFirst < m.spent+s.Propagations-begun {
			break
		}
		l := lit(m.cursor)
		if m.cursor++; m.cursor == len(m.probed) {
			m.cursor = 0
		}
		if s.values[l] != 0 || m.probed[l] == len(s.trail)+1 || !s.implies(l) || s.implies(l.not()) {
			continue
		}
		for s.values[l] == 0 && s.fails(l) {
			if s.wrong {
				break
			}
		}
		if s.wrong {
			break
		}
		m.probed[l] = len(s.trail) + 1
	}
	m.spent += s.Propagations - begun
	copy(s.phases.saved, s.viv.saved)
}

// implies tells whether another literal follows from one by a binary clause.
func (s *Solver) implies(l lit) bool {
	for _, w := range s.watches[l] {
		if w.ref&binary != 0 {
			return true
		}
	}
	return false
}

// fails tries a literal, and learns the unit that makes it fail.
func (s *Solver) fails(l lit) bool {
	s.levels = append(s.levels, len(s.trail))
	s.assign(l, none)
	conflict := s.propagate()
	if conflict == none {
		s.backtrack(0)
		return false
	}
	p := s.point(conflict)
	s.backtrack(0)
	s.Failures++
	s.learnt = append(s.learnt[:0], p.not())
	s.log(s.learnt)
	s.offer(1)
	s.attach(s.learnt, true, 1)
	return true
}

// point is the literal of level 1 that all ways to a conflict go through, nearest to it.
func (s *Solver) point(conflict ref) lit {
	open := 0
	why, p := conflict, dummy
	for at := len(s.trail) - 1; ; at-- {
		for _, l := range s.arena.lits(why) {
			if v := l.vari(); l != p && s.seen[v] == 0 && s.vars[v].level > 0 {
				s.seen[v] = seenIn
				open++
			}
		}
		for s.seen[s.trail[at].vari()] == 0 {
			at--
		}
		p = s.trail[at]
		s.seen[p.vari()] = 0
		if open--; open == 0 {
			return p
		}
		why = s.vars[p.vari()].reason
	}
}
