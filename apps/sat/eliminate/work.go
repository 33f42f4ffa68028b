package eliminate

import (
	"slices"

	"satingrid/apps/sat/cnf"
)

// clause is a clause, its literals in order.
type clause struct {
	lits   []uint32
	vars   uint64 // a bit for each variable, modulo 64
	dead   bool
	queued bool // it has not been compared with the others yet
}

// work is a formula that is being made smaller.
type work struct {
	clauses []clause
	// by literal: its clauses, and perhaps dead ones and some that have lost it
	occurs  [][]int32
	value   []int8   // by literal
	units   []uint32 // what is true
	head    int      // of units: those before it were propagated
	frozen  []bool   // by variable: it stays, or is gone
	touched []bool   // by variable: it has lost a clause or got one since it was tried
	queue   []int32  // clauses to compare with the others
	mark    []int    // by literal: the last clause that was compared and has it
	time    int
	undo    []int32
	steps   int
	wrong   bool
	log     func([]int32)
	stop    func() bool
	asked   int // how often over was
	words   []int32
}

func newWork(f *cnf.Formula, log func([]int32), stop func() bool) *work {
	w := &work{
		occurs: make([][]int32, 2*f.Vars), value: make([]int8, 2*f.Vars), mark: make([]int, 2*f.Vars),
		frozen: make([]bool, f.Vars), touched: make([]bool, f.Vars), log: log, stop: stop,
	}
	for _, l := range f.Cubes {
		if l != 0 {
			w.frozen[max(l, -l)-1] = true
		}
	}
	for c := range f.Until(stop) {
		lits := make([]uint32, len(c))
		for i, l := range c {
			lits[i] = cnf.Index(l)
		}
		slices.Sort(lits)
		lits = slices.Compact(lits)
		says := true
		for i := 1; i < len(lits); i++ {
			says = says && lits[i] != lits[i-1]^1
		}
		if says {
			w.add(lits)
		}
	}
	w.propagate()
	return w
}

// add adds a clause, whose literals are in order.
func (w *work) add(lits []uint32) {
	switch len(lits) {
	case 0:
		w.wrong = true
	case 1:
		w.unit(lits[0])
	default:
		id := int32(len(w.clauses))
		c := clause{lits: lits}
		for _, x := range lits {
			c.vars |= 1 << (x >> 1 & 63)
			w.occurs[x] = append(w.occurs[x], id)
			w.touched[x>>1] = true
		}
		w.clauses = append(w.clauses, c)
		w.enqueue(id)
	}
}

func (w *work) enqueue(id int32) {
	if c := &w.clauses[id]; !c.queued {
		c.queued = true
		w.queue = append(w.queue, id)
	}
}

func (w *work) drop(id int32) {
	c := &w.clauses[id]
	c.dead = true
	for _, x := range c.lits {
		w.touched[x>>1] = true
	}
}

func (w *work) unit(x uint32) {
	switch {
	case w.value[x] < 0:
		w.wrong = true
	case w.value[x] == 0:
		w.value[x], w.value[x^1] = 1, -1
		w.units = append(w.units, x)
	}
}

// propagate drops the clauses that units make true, and takes false literals out of the others.
func (w *work) propagate() {
	for ; w.head < len(w.units) && !w.wrong; w.head++ {
		x := w.units[w.head]
		for _, i := range w.live(x) {
			w.drop(i)
		}
		for _, i := range w.live(x ^ 1) {
			w.shorten(i, x^1)
		}
	}
}

// shorten takes a literal out of a clause.
func (w *work) shorten(id int32, x uint32) {
	c := &w.clauses[id]
	w.touched[x>>1] = true
	c.lits = slices.DeleteFunc(c.lits, func(y uint32) bool { return y == x })
	if len(c.lits) > 1 {
		c.vars = 0
		for _, y := range c.lits {
			c.vars |= 1 << (y >> 1 & 63)
		}
		w.enqueue(id)
		return
	}
	w.unit(c.lits[0])
	w.drop(id)
}

// live are the clauses that have a literal.
func (w *work) live(x uint32) []int32 {
	w.steps += len(w.occurs[x])
	w.occurs[x] = slices.DeleteFunc(w.occurs[x], func(i int32) bool {
		if w.clauses[i].dead {
			return true
		}
		_, has := slices.BinarySearch(w.clauses[i].lits, x)
		return !has
	})
	return w.occurs[x]
}

// askEvery is how many clauses or variables are looked at between two questions whether to stop:
// a millisecond or so.
const askEvery = 1000

// over tells whether enough was done.
func (w *work) over() bool {
	w.asked++
	if w.stop != nil && w.asked%askEvery == 0 && w.stop() {
		w.steps = stepsMax + 1
	}
	return w.wrong || w.steps > stepsMax
}

// subsume compares the clauses of the queue with the others.
func (w *work) subsume() {
	for len(w.queue) > 0 && !w.over() {
		id := w.queue[0]
		w.queue = w.queue[1:]
		w.clauses[id].queued = false
		if !w.clauses[id].dead {
			w.compare(id)
		}
		w.propagate()
	}
}

// compare drops the clauses that contain this one, and shortens those that do but for
// one opposite literal.
func (w *work) compare(id int32) {
	c := w.clauses[id].lits
	w.time++
	rare := c[0]
	for _, x := range c {
		w.mark[x] = w.time
		if len(w.occurs[x])+len(w.occurs[x^1]) < len(w.occurs[rare])+len(w.occurs[rare^1]) {
			rare = x
		}
	}
	for _, x := range []uint32{rare, rare ^ 1} {
		for _, i := range slices.Clone(w.live(x)) {
			if i == id {
				continue
			}
			flipped, inside := w.contains(i, id)
			switch {
			case !inside:
			case flipped == nothing:
				w.drop(i)
			default:
				w.tellWithout(i, flipped)
				w.shorten(i, flipped)
			}
		}
	}
}

const nothing = 1<<32 - 1

// contains tells whether clause i has all literals of the marked clause, or all but one
// whose negation it has.
func (w *work) contains(i, marked int32) (flipped uint32, inside bool) {
	c, m := &w.clauses[i], &w.clauses[marked]
	w.steps++
	if len(c.lits) < len(m.lits) || m.vars&^c.vars != 0 {
		return 0, false
	}
	w.steps += len(c.lits)
	flipped = nothing
	met := 0
	for _, x := range c.lits {
		switch {
		case w.mark[x] == w.time:
			met++
		case w.mark[x^1] == w.time:
			if flipped != nothing {
				return 0, false
			}
			flipped = x
			met++
		}
	}
	return flipped, met == len(m.lits)
}

// dimacs are literals as DIMACS writes them, until the next call.
func (w *work) dimacs(c []uint32) []int32 {
	w.words = w.words[:0]
	for _, x := range c {
		w.words = append(w.words, cnf.Literal(x))
	}
	return w.words
}

// tell logs a new clause.
func (w *work) tell(c []uint32) {
	if w.log != nil {
		w.log(w.dimacs(c))
	}
}

// tellWithout logs a clause that is about to lose a literal.
func (w *work) tellWithout(id int32, x uint32) {
	if w.log == nil {
		return
	}
	w.dimacs(w.clauses[id].lits)
	w.words = slices.DeleteFunc(w.words, func(l int32) bool { return l == cnf.Literal(x) })
	w.log(w.words)
}
