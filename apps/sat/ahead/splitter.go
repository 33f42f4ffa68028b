package ahead

import (
	"cmp"
	"slices"

	"satingrid/apps/sat/cnf"
)

const (
	triedMax = 256 // variables tried in one look-ahead
	// clauses as long as that, and longer ones, weigh 1; a literal less weighs five times as
	// much
	weightMax = 12
)

// weights are those of clauses, by length.
var weights = func() (w [weightMax + 1]int64) {
	w[weightMax] = 1
	for n := weightMax - 1; n >= 0; n-- {
		w[n] = 5 * w[n+1]
	}
	return w
}()

// Splitter knows in which clauses each literal occurs. It belongs to one goroutine.
type Splitter struct {
	clauses [][]uint32
	occurs  [][]int32 // by literal: clauses
	free    []int32   // by clause: literals that are not false
	holds   []int32   // by clause: literals that are true
	value   []int8    // by literal
	trail   []uint32
	head    int
	gain    int64 // what the clauses that became shorter weigh
}

// New makes a splitter for a formula. It is of no use once stop, which may be nil, is true.
func New(f *cnf.Formula, stop func() bool) *Splitter {
	s := &Splitter{occurs: make([][]int32, 2*f.Vars), value: make([]int8, 2*f.Vars)}
	for clause := range f.Until(stop) {
		c := make([]uint32, 0, len(clause))
		for _, l := range clause {
			if x := cnf.Index(l); !slices.Contains(c, x) {
				c = append(c, x)
			}
		}
		for _, x := range c {
			s.occurs[x] = append(s.occurs[x], int32(len(s.clauses)))
		}
		s.clauses = append(s.clauses, c)
		s.free = append(s.free, int32(len(c)))
	}
	s.holds = make([]int32, len(s.clauses))
	return s
}

// Split returns the literal on which to split the cube, the more promising of the two first,
// or 0 when there is nothing to split: the cube satisfies the formula or contradicts it, by
// unit propagation alone.
func (s *Splitter) Split(cube []int32) int32 {
	defer s.undo(0)
	s.head = 0
	if !s.begin(cube) {
		return 0
	}
	var best uint32
	var bestScore float64
	found := false
	for _, v := range s.candidates() {
		x := v << 1
		if s.value[x] != 0 {
			continue // ruled out meanwhile
		}
		yes, yesFails := s.try(x)
		no, noFails := s.try(x | 1)
		switch {
		case yesFails && noFails:
			return cnf.Literal(x)
		case yesFails:
			s.settle(x | 1)
		case noFails:
			s.settle(x)
		default:
			// One product and no sum: no machine rounds it in another way.
			score := float64(yes+1) * float64(no+1)
			if !found || score > bestScore {
				found, bestScore, best = true, score, x
				if no > yes {
					best = x | 1
				}
			}
		}
	}
	if !found {
		return 0
	}
	return cnf.Literal(best)
}

// begin makes the cube true, with what follows from it and from the formula.
func (s *Splitter) begin(cube []int32) bool {
	for i, c := range s.clauses {
		if s.free[i] == 0 || s.free[i] == 1 && !s.set(c[0]) {
			return false
		}
	}
	for _, l := range cube {
		if !s.set(cnf.Index(l)) {
			return false
		}
	}
	return s.propagate()
}

// settle makes a literal true for the rest of the look-ahead. Its negation failed, so it leads to
// no contradiction that was not there before; should it, the next try finds it again.
func (s *Splitter) settle(x uint32) {
	if s.set(x) {
		s.propagate()
	}
}

// try measures what a literal leads to, and takes it back.
func (s *Splitter) try(x uint32) (gain int64, fails bool) {
	start := len(s.trail)
	s.gain = 0
	fails = !s.set(x) || !s.propagate()
	gain = s.gain
	s.undo(start)
	return gain, fails
}

// set makes a literal true, to be propagated, and tells whether it can be.
func (s *Splitter) set(x uint32) bool {
	if s.value[x] != 0 {
		return s.value[x] > 0
	}
	s.value[x], s.value[x^1] = 1, -1
	s.trail = append(s.trail, x)
	return true
}

// propagate draws all conclusions, and tells whether there is no contradiction.
func (s *Splitter) propagate() bool {
	for s.head < len(s.trail) {
		x := s.trail[s.head]
		s.head++
		for _, i := range s.occurs[x] {
			s.holds[i]++
		}
		fine := true
		for _, i := range s.occurs[x^1] {
			s.free[i]--
			if s.holds[i] == 0 && fine {
				fine = s.shorter(i)
			}
		}
		if !fine {
			return false
		}
	}
	return true
}

// shorter looks at a clause that has lost a literal and is not known to be satisfied.
func (s *Splitter) shorter(i int32) bool {
	switch n := s.free[i]; n {
	case 0:
		return false
	case 1:
		for _, y := range s.clauses[i] {
			if s.value[y] >= 0 {
				return s.set(y)
			}
		}
		return false // all are false, and one of them waits to be propagated
	default:
		s.gain += weights[min(n, weightMax)]
		return true
	}
}

// undo takes back what became true after the first start literals.
func (s *Splitter) undo(start int) {
	for k := len(s.trail) - 1; k >= start; k-- {
		x := s.trail[k]
		s.value[x], s.value[x^1] = 0, 0
		if k >= s.head {
			continue // it was not propagated
		}
		for _, i := range s.occurs[x] {
			s.holds[i]--
		}
		for _, i := range s.occurs[x^1] {
			s.free[i]++
		}
	}
	s.trail = s.trail[:start]
	s.head = min(s.head, start)
}

// candidates are the variables worth trying: those in the most and shortest clauses
// that are not satisfied.
func (s *Splitter) candidates() []uint32 {
	type candidate struct {
		v     uint32
		score float64
	}
	var list []candidate
	for v := range uint32(len(s.value) / 2) {
		if s.value[v<<1] != 0 {
			continue
		}
		yes, no := s.weigh(v<<1), s.weigh(v<<1|1)
		if yes+no > 0 {
			list = append(list, candidate{v, float64(yes+1) * float64(no+1)})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.v, b.v))
	})
	out := make([]uint32, min(len(list), triedMax))
	for i := range out {
		out[i] = list[i].v
	}
	return out
}

// weigh is the weight of the clauses of a literal.
func (s *Splitter) weigh(x uint32) int64 {
	var sum int64
	for _, i := range s.occurs[x] {
		if s.holds[i] == 0 {
			sum += weights[min(s.free[i], weightMax)]
		}
	}
	return sum
}
