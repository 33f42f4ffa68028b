package cdcl

import (
	"cmp"
	"slices"
)

// vivifyShare bounds the propagations of vivification: one for so many of the search.
const vivifyShare = 6

// vivification is what is known of it from round to round.
type vivification struct {
	spent int64 // propagations
	times []int // by literal: in how many clauses of the round it is
	lits  []lit
	saved []bool // what is put back after a round, also of probes
}

// vivify makes learned clauses shorter (Luo et al., IJCAI 2017): the literals of one are made
// false, one after the other, until a contradiction or one of the others follows. Those that
// had no part in it are superfluous. It begins and ends at level 0. The longer clauses
// are dropped, and must be swept away by compact.
func (s *Solver) vivify() {
	// What the search did last with its variables is worth keeping.
	s.viv.saved = append(s.viv.saved[:0], s.phases.saved...)
	var longer []ref
	for _, r := range s.lively() {
		if (s.Propagations-s.viv.spent)/vivifyShare < s.viv.spent {
			break
		}
		before := s.Propagations
		s.arena.setTags(r, s.arena.tags(r)|tagVivid)
		if s.shorten(r) {
			longer = append(longer, r)
		}
		s.viv.spent += s.Propagations - before
		if s.wrong {
			break
		}
	}
	s.backtrack(0)
	for _, r := range longer {
		// A clause that is true may be what a unit leans on.
		if !slices.ContainsFunc(s.arena.lits(r), func(l lit) bool { return s.values[l] > 0 }) {
			s.tell(s.Forgot, s.arena.lits(r))
		}
		s.arena.drop(r)
	}
	copy(s.phases.saved, s.viv.saved)
}

// lively are the clauses to vivify, in an order in which many begin like the one before: what
// follows from these literals need not be found again.
func (s *Solver) lively() []ref {
	var list []ref
	s.viv.times = append(s.viv.times[:0], make([]int, len(s.values))...)
	for _, r := range s.learned {
		if t := s.arena.tags(r); t&tagVivid != 0 || t&lbdMask > tier2 || s.arena.words[r] == 2 {
			continue
		}
		list = append(list, r)
		for _, l := range s.arena.lits(r) {
			s.viv.times[l]++
		}
	}
	orders := make(map[ref][]lit, len(list))
	for _, r := range list {
		orders[r] = s.often(slices.Clone(s.arena.lits(r)))
	}
	slices.SortFunc(list, func(a, b ref) int {
		return slices.CompareFunc(orders[a], orders[b], s.oftener)
	})
	return list
}

// oftener compares literals by how many clauses of the round have them.
func (s *Solver) oftener(a, b lit) int {
	return cmp.Or(cmp.Compare(s.viv.times[b], s.viv.times[a]), cmp.Compare(a, b))
}

// often sorts literals: those that many clauses have come first.
func (s *Solver) often(c []lit) []lit {
	slices.SortFunc(c, s.oftener)
	return c
}

// shorten tries to make one clause shorter, and tells whether there is a shorter one now.
func (s *Solver) shorten(r ref) bool {
	c := s.often(append(s.viv.lits[:0], s.arena.lits(r)...))
	s.viv.lits = c
	level := 0
	for level < min(len(s.levels), len(c)) && s.trail[s.levels[level]] == c[level].not() {
		level++
	}
	s.backtrack(level)
	s.learnt = s.learnt[:0]
	for _, l := range c {
		switch v := s.values[l]; {
		case v < 0 && s.vars[l.vari()].reason == none && s.vars[l.vari()].level > 0:
			s.learnt = append(s.learnt, l)
			continue
		case v < 0:
			continue // it is superfluous
		case v > 0 && s.vars[l.vari()].level == 0:
			return false // so is the clause
		case v > 0:
			s.causes(s.vars[l.vari()].reason, l)
			return s.replace(r, len(c))
		}
		s.learnt = append(s.learnt, l)
		s.levels = append(s.levels, len(s.trail))
		s.assign(l.not(), none)
		if conflict := s.propagate(); conflict != none {
			s.causes(conflict, dummy)
			s.backtrack(len(s.levels) - 1)
			break
		}
	}
	return s.replace(r, len(c))
}

// causes makes learnt the negations of the decisions that make all literals of a clause false, but
// for one, which it has, too.
func (s *Solver) causes(why ref, but lit) {
	s.learnt = s.learnt[:0]
	open := 0
	see := func(l lit) {
		if v := l.vari(); s.vars[v].level > 0 && s.seen[v] == 0 {
			s.seen[v] = seenIn
			open++
		}
	}
	if but != dummy {
		s.learnt = append(s.learnt, but)
	}
	for _, l := range s.arena.lits(why) {
		if l != but {
			see(l)
		}
	}
	for at := len(s.trail) - 1; open > 0; at-- {
		p := s.trail[at]
		if s.seen[p.vari()] == 0 {
			continue
		}
		if why := s.vars[p.vari()].reason; why == none {
			s.learnt = append(s.learnt, p.not())
		} else {
			for _, l := range s.arena.lits(why) {
				if l != p {
					see(l)
				}
			}
		}
		s.seen[p.vari()] = 0
		open--
	}
}

// replace learns learnt, if it is shorter than a clause that contains it.
func (s *Solver) replace(r ref, length int) bool {
	if len(s.learnt) >= length {
		return false
	}
	lbd := min(s.arena.lbd(r), max(1, len(s.learnt)-1))
	s.log(s.learnt)
	s.offer(lbd)
	s.backtrack(0)
	s.Shortened++
	s.attach(s.learnt, true, lbd)
	if n := len(s.learned); len(s.learnt) > 1 {
		fresh := s.learned[n-1]
		s.arena.setTags(fresh, s.arena.tags(fresh)|tagVivid|s.arena.tags(r)&usedMask)
	}
	return true
}
