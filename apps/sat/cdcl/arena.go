package cdcl

// ref is a clause: its place in the arena.
type ref uint32

const (
	none ref = 1<<32 - 1
	// in a watch: the clause has two literals, and the blocker is the other one
	binary ref = 1 << 31

	// words before a clause's literals: its length, its tags, and where a literal to
	// watch was found last
	header = 3

	tagLearned uint32 = 1 << 31
	// the clause is elsewhere now: its first literal's word says where
	tagMoved  uint32 = 1 << 30
	tagDead   uint32 = 1 << 29 // forgotten
	tagVivid  uint32 = 1 << 28 // it was vivified since its LBD became what it is
	usedShift        = 24      // how many reductions the clause survives because it was used
	usedMask  uint32 = 3 << usedShift
	lbdMask   uint32 = 1<<usedShift - 1
)

// arena holds all clauses in one array.
type arena struct {
	words  []lit
	wasted int
}

func (a *arena) add(c []lit, learned bool, lbd int) ref {
	if len(a.words)+len(c)+header >= int(binary) {
		panic("cdcl: the clauses have more than 2^31 literals")
	}
	r := ref(len(a.words))
	tags := lit(lbd)
	if learned {
		tags |= lit(tagLearned)
	}
	a.words = append(a.words, lit(len(c)), tags, 2)
	a.words = append(a.words, c...)
	return r
}

// lits are the literals of a clause.
func (a *arena) lits(r ref) []lit {
	n := a.words[r]
	return a.words[r+header : r+header+ref(n)]
}

func (a *arena) tags(r ref) uint32       { return uint32(a.words[r+1]) }
func (a *arena) setTags(r ref, t uint32) { a.words[r+1] = lit(t) }
func (a *arena) lbd(r ref) int           { return int(a.tags(r) & lbdMask) }

func (a *arena) drop(r ref) {
	a.setTags(r, a.tags(r)|tagDead)
	a.wasted += int(a.words[r]) + header
}

// use gives a learned clause a better LBD, and notes that it was used.
func (a *arena) use(r ref, lbd int) {
	t := a.tags(r)
	used := uint32(1)
	if lbd <= tier2 {
		used = 2
	}
	if uint32(lbd) < t&lbdMask {
		t &^= tagVivid
	}
	a.setTags(r, t&^(lbdMask|usedMask)|min(uint32(lbd), t&lbdMask)|max(used<<usedShift, t&usedMask))
}

// compact moves what is left into a new arena, and tells the solver.
func (s *Solver) compact() {
	old := s.arena
	next := arena{words: make([]lit, 0, (len(old.words)-old.wasted)*5/4+1024)}
	move := func(list []ref) []ref {
		out := list[:0]
		for _, r := range list {
			if old.tags(r)&tagDead != 0 {
				continue
			}
			to := ref(len(next.words))
			next.words = append(append(next.words, old.words[r:r+header]...), old.lits(r)...)
			old.setTags(r, old.tags(r)|tagMoved)
			old.words[r+header] = lit(to)
			out = append(out, to)
		}
		return out
	}
	s.clauses, s.learned = move(s.clauses), move(s.learned)
	for _, l := range s.trail {
		if r := s.vars[l.vari()].reason; r != none && s.vars[l.vari()].level > 0 {
			if old.tags(r)&tagMoved == 0 {
				panic("cdcl: BUG: a reason was forgotten")
			}
			s.vars[l.vari()].reason = ref(old.words[r+header])
		} else {
			s.vars[l.vari()].reason = none
		}
	}
	s.arena = next
	s.rewatch()
}

// rewatch makes all watches anew, those of binary clauses first: they are the cheapest to look at.
func (s *Solver) rewatch() {
	for l := range s.watches {
		s.watches[l] = s.watches[l][:0]
	}
	for _, two := range []bool{true, false} {
		for _, list := range [][]ref{s.clauses, s.learned} {
			for _, r := range list {
				if (s.arena.words[r] == 2) == two {
					s.watch(r)
				}
			}
		}
	}
}
