package maxsat

import (
	"math/rand/v2"

	"satingrid/apps/sat/cnf"
)

const (
	// walkVisits is how many clauses a walk looks at, some 200 ms, …
	walkVisits = 10_000_000
	walkPer    = 2000 // … and for each clause so many at most, …
	// … and walkOften after how many changes it asks whether to stop.
	walkOften = 1 << 12

	walkTries = 15 // variables that are compared for one change
	walkUnit  = 8  // what a clause counts that must hold, and one that should, on the average
	// by so much more one that should may come to count: those that must hold have to win
	walkSoft = 64
	walkMust = 1 << 40 // what one that must may come to count: no sum of these is too long
)

// walk changes the value of one variable after another for whatever counts most. Where no change
// makes the model better all clauses that fail count more (Lei and Cai, SATLike, IJCAI 2018).
type walk struct {
	clauses [][]int32 // those that must hold before the others
	must    int       // how many of those there are
	weights []int64   // by clause: what it costs; 0 of one that must hold
	counts  []int64   // by clause: what it counts for the walk
	most    []int64   // by clause: what it may come to count
	occurs  [][]int32 // by literal: its clauses
	holds   []int32   // by clause: literals that are true
	keeper  []int32   // by clause: the sum of their variables: the one that there is
	gain    []int64   // by variable: what a change of it counts
	value   []bool

	failing [2]places // clauses that must hold and those that should
	better  places    // variables of which a change counts more than nothing
	cost    int64
	visits  int64
	rand    *rand.Rand
}

// places is a set of numbers from which one can be drawn.
type places struct{ list, at []int32 }

func newPlaces(size int) places { return places{at: make([]int32, size)} }

func (p *places) put(n int32) {
	if p.at[n] == 0 {
		p.list = append(p.list, n)
		p.at[n] = int32(len(p.list))
	}
}

func (p *places) take(n int32) {
	if at := p.at[n]; at != 0 {
		last := p.list[len(p.list)-1]
		p.list[at-1], p.at[last] = last, at
		p.list, p.at[n] = p.list[:len(p.list)-1], 0
	}
}

// newWalk begins at a model, by variable from 0.
func newWalk(f *cnf.Formula, model []bool) *walk {
	w := &walk{value: model, occurs: make([][]int32, 2*f.Vars), gain: make([]int64, f.Vars), rand: rand.New(rand.NewPCG(17, 17))}
	for c := range f.Clauses() {
		w.add(c, 0)
	}
	w.must = len(w.clauses)
	var sum int64
	for c, weight := range f.EachSoft() {
		w.add(c, weight)
		sum += weight
	}
	unit := sum/int64(max(1, len(w.clauses)-w.must))/walkUnit + 1
	w.failing = [2]places{newPlaces(len(w.clauses)), newPlaces(len(w.clauses))}
	w.better = newPlaces(f.Vars)
	w.counts, w.most = make([]int64, len(w.clauses)), make([]int64, len(w.clauses))
	for c := range w.clauses {
		w.counts[c], w.most[c] = walkUnit, walkMust
		if c >= w.must {
			w.counts[c] = (w.weights[c] + unit - 1) / unit
			w.most[c] = w.counts[c] + walkSoft
		}
		w.begin(int32(c))
	}
	return w
}

// add adds a clause, if it says something.
func (w *walk) add(clause []int32, weight int64) {
	lits, says := literals(clause)
	if !says {
		return
	}
	for _, l := range lits {
		x := cnf.Index(l)
		w.occurs[x] = append(w.occurs[x], int32(len(w.clauses)))
	}
	w.clauses, w.weights = append(w.clauses, lits), append(w.weights, weight)
	w.holds, w.keeper = append(w.holds, 0), append(w.keeper, 0)
}

// begin counts a clause for its variables.
func (w *walk) begin(c int32) {
	for _, l := range w.clauses[c] {
		if w.value[max(l, -l)-1] == (l > 0) {
			w.holds[c]++
			w.keeper[c] += max(l, -l) - 1
		}
	}
	if w.holds[c] == 0 {
		w.fails(c)
	}
	w.weigh(c, w.counts[c])
}

// weigh has a clause count so much more for the variables on which it depends.
func (w *walk) weigh(c int32, more int64) {
	switch w.holds[c] {
	case 0:
		for _, l := range w.clauses[c] {
			w.change(max(l, -l)-1, more)
		}
		w.visits += int64(len(w.clauses[c]))
	case 1:
		w.change(w.keeper[c], -more)
	}
}

func (w *walk) change(v int32, gain int64) {
	if w.gain[v] += gain; w.gain[v] > 0 {
		w.better.put(v)
	} else {
		w.better.take(v)
	}
}

func (w *walk) fails(c int32) {
	w.failing[w.kind(c)].put(c)
	w.cost += w.weights[c]
}

// kind is 0 for a clause that must hold, else 1.
func (w *walk) kind(c int32) int {
	if int(c) < w.must {
		return 0
	}
	return 1
}

// flip changes a variable.
func (w *walk) flip(v int32) {
	was := v + 1
	if !w.value[v] {
		was = -was
	}
	w.value[v] = !w.value[v]
	for _, c := range w.occurs[cnf.Index(was)] {
		w.weigh(c, -w.counts[c])
		w.holds[c]--
		w.keeper[c] -= v
		if w.holds[c] == 0 {
			w.fails(c)
		}
		w.weigh(c, w.counts[c])
	}
	for _, c := range w.occurs[cnf.Index(-was)] {
		w.weigh(c, -w.counts[c])
		if w.holds[c] == 0 {
			w.failing[w.kind(c)].take(c)
			w.cost -= w.weights[c]
		}
		w.holds[c]++
		w.keeper[c] += v
		w.weigh(c, w.counts[c])
	}
	w.visits += int64(len(w.occurs[cnf.Index(was)]) + len(w.occurs[cnf.Index(-was)]))
}

// next is the variable to change, or -1 where nothing fails.
func (w *walk) next() int32 {
	best := int32(-1)
	take := func(v int32) {
		if best < 0 || w.gain[v] > w.gain[best] {
			best = v
		}
	}
	if n := len(w.better.list); n > 0 {
		for range min(n, walkTries) {
			take(w.better.list[w.rand.IntN(n)])
		}
		return best
	}
	for _, failing := range w.failing {
		for _, c := range failing.list {
			if w.counts[c] < w.most[c] {
				w.counts[c] += w.step(c)
				w.weigh(c, w.step(c))
			}
		}
		w.visits += int64(len(failing.list))
	}
	for _, failing := range w.failing {
		if n := len(failing.list); n > 0 {
			clause := w.clauses[failing.list[w.rand.IntN(n)]]
			for _, l := range clause {
				take(max(l, -l) - 1)
			}
			if best >= 0 {
				return best
			}
		}
	}
	return best
}

// step is by how much a clause that fails counts more: one that must hold by more.
func (w *walk) step(c int32) int64 {
	if w.kind(c) == 0 {
		return walkUnit
	}
	return 1
}

// walk looks for models that are cheaper than one, which is the best.
func (s *Optimizer) walk(model []bool) {
	w := newWalk(s.problem.given, append([]bool(nil), model...))
	visits := min(walkVisits, int64(walkPer*len(w.clauses)))
	for step := 0; w.visits < visits && s.best > s.whole.Lower; step++ {
		if step%walkOften == 0 && s.Poll != nil && s.Poll() {
			return
		}
		v := w.next()
		if v < 0 {
			return
		}
		if w.flip(v); len(w.failing[0].list) == 0 && w.cost < s.best {
			s.found(w.cost, append([]bool(nil), w.value...))
		}
	}
}
