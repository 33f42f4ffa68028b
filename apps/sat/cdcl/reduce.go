package cdcl

import (
	"cmp"
	"slices"
)

const (
	tier1 = 2 // learned clauses of this LBD are kept for ever
	tier2 = 6 // … and of this one for two reductions after their last use

	reduceFirst  = 300 // conflicts before the first reduction …
	reduceGrowth = 100 // … and how many more before each further one
)

// reduction says when to forget learned clauses.
type reduction struct {
	next  int64
	times int64
}

func (r *reduction) init() { r.next = reduceFirst }

func (r *reduction) due(conflicts int64) bool { return conflicts >= r.next }

// reduceAll makes the learned clauses shorter and fewer.
func (s *Solver) reduceAll() {
	s.backtrack(0)
	if s.simplify(); s.wrong {
		return
	}
	if s.Conflicts >= s.merging.next {
		if s.merge(); s.wrong {
			return
		}
		s.assume()
	}
	if s.vivify(); !s.wrong {
		s.forget()
	}
}

// forget forgets three quarters of the learned clauses that were not used lately, those of
// the highest LBD first.
func (s *Solver) forget() {
	s.reduce.times++
	s.reduce.next = s.Conflicts + reduceFirst + reduceGrowth*s.reduce.times
	locked := make(map[ref]bool)
	for _, l := range s.trail {
		if r := s.vars[l.vari()].reason; r != none {
			locked[r] = true
		}
	}
	var list []ref
	for _, r := range s.learned {
		t := s.arena.tags(r)
		switch {
		case t&tagDead != 0, s.arena.words[r] == 2, t&lbdMask <= tier1, locked[r]:
		case t&usedMask != 0:
			s.arena.setTags(r, t-1<<usedShift)
		default:
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b ref) int {
		return cmp.Or(cmp.Compare(s.arena.lbd(b), s.arena.lbd(a)), cmp.Compare(s.arena.words[b], s.arena.words[a]), cmp.Compare(a, b))
	})
	for _, r := range list[:len(list)*3/4] {
		s.tell(s.Forgot, s.arena.lits(r))
		s.arena.drop(r)
	}
	s.compact()
}

// simplify drops clauses that level 0 satisfies, at level 0, when there is something new.
func (s *Solver) simplify() {
	if len(s.trail) == s.fixed {
		return
	}
	if s.propagate() != none {
		s.wrong = true
		s.log(nil)
		return
	}
	for _, list := range [][]ref{s.clauses, s.learned} {
		for _, r := range list {
			if slices.ContainsFunc(s.arena.lits(r), func(l lit) bool { return s.values[l] > 0 }) {
				s.arena.drop(r)
			}
		}
	}
	s.fixed = len(s.trail)
	for _, l := range s.trail {
		s.vars[l.vari()].reason = none
	}
	s.compact()
}
