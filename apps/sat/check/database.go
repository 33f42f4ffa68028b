package check

import (
	"fmt"
	"iter"
	"slices"
)

// database is the clauses that hold: those of the formula, and those that were proved.
type database struct {
	clauses  [][]uint32 // nil: deleted
	watchers [][]watcher
	value    []int8 // by code: 1 true, -1 false
	trail    []uint32
	head     int
	// by variable: the clause that made its literal true for good, or -1
	reason []int32
	byHash map[uint64][]int32 // deletions find their clause here
	given  uint32             // variables of the formula
	// by code, from those of the first variable that a proof defines: its clauses
	occurs [][]int32

	contradiction bool
	conflict      int32   // the place of the clause that was found to be false
	trace         *tracer // nil: nobody wants to know why
}

// watcher is a clause to be looked at when one of its first two literals becomes false, and a
// literal that may satisfy it.
type watcher struct {
	clause int32
	other  uint32
}

// code is twice the variable, from 1, and one more for its negation.
func code(l int32) uint32 {
	if l < 0 {
		return uint32(-l)<<1 | 1
	}
	return uint32(l) << 1
}

func dimacs(c uint32) int32 {
	if c&1 != 0 {
		return -int32(c >> 1)
	}
	return int32(c >> 1)
}

func newDatabase(vars int, t *tracer) *database {
	d := &database{byHash: make(map[uint64][]int32), given: uint32(vars), trace: t}
	d.reserve(vars)
	return d
}

// reserve makes room for variables up to the given one.
func (d *database) reserve(vars int) {
	for len(d.reason) <= vars {
		d.reason = append(d.reason, -1)
		d.value = append(d.value, 0, 0)
		d.watchers = append(d.watchers, nil, nil)
		if len(d.reason) > int(d.given)+1 {
			d.occurs = append(d.occurs, nil, nil)
		}
	}
	if d.trace != nil {
		d.trace.reserve(vars)
	}
}

// grow makes room for the variables of a clause: a proof may define new ones.
func (d *database) grow(clause []int32) {
	for _, l := range clause {
		d.reserve(int(max(l, -l)))
	}
}

// add takes a clause for true, with what it implies at once. There is no assumption then. number is
// the one that it has in a trace.
func (d *database) add(clause []int32, number int64) {
	if d.contradiction {
		return
	}
	d.grow(clause)
	c := make([]uint32, 0, len(clause))
	for _, l := range clause {
		if x := code(l); !slices.Contains(c, x) {
			c = append(c, x)
		}
	}
	id := int32(len(d.clauses))
	d.clauses = append(d.clauses, c)
	if d.trace != nil {
		d.trace.number = append(d.trace.number, number)
	}
	h := hash(c)
	d.byHash[h] = append(d.byHash[h], id)
	for _, x := range c {
		if x>>1 > d.given {
			d.occurs[x-2*(d.given+1)] = append(d.occurs[x-2*(d.given+1)], id)
		}
	}
	// Literals that are not false come first: they are watched.
	slices.SortStableFunc(c, func(a, b uint32) int { return int(d.value[b]) - int(d.value[a]) })
	if len(c) > 1 {
		d.watchers[c[0]] = append(d.watchers[c[0]], watcher{id, c[1]})
		d.watchers[c[1]] = append(d.watchers[c[1]], watcher{id, c[0]})
	}
	switch {
	case len(c) == 0 || d.value[c[0]] < 0:
		d.contradiction = true
		d.settled(id, 0)
	case d.value[c[0]] == 0 && (len(c) == 1 || d.value[c[1]] < 0):
		d.set(c[0])
		d.settled(id, c[0])
		d.contradiction = d.propagate(true)
	}
}

// settled notes that a clause has made its literal x true for good, or, where x is 0, that it
// contradicts what is.
func (d *database) settled(id int32, x uint32) {
	if x != 0 {
		d.reason[x>>1] = id
	}
	if d.trace != nil {
		d.trace.settled(id, d.clauses[id], x)
	}
}

// with are the clauses that have a literal, and perhaps others. Definitions of new variables, of
// which a proof may have many, need not look at all clauses.
func (d *database) with(x uint32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if x>>1 > d.given {
			for _, id := range d.occurs[x-2*(d.given+1)] {
				if !yield(id) {
					return
				}
			}
			return
		}
		for id := range d.clauses {
			if !yield(int32(id)) {
				return
			}
		}
	}
}

// hash is the same for all orders of a clause's literals.
func hash(c []uint32) uint64 {
	var sum, mix uint64
	for _, l := range c {
		x := uint64(l) * 0x9e3779b97f4a7c15
		x ^= x >> 29
		sum += x * x
		mix ^= x
	}
	return sum ^ mix
}

// remove deletes a clause, unless a unit leans on it.
func (d *database) remove(clause []int32) error {
	c := make([]uint32, len(clause))
	for i, l := range clause {
		c[i] = code(l)
	}
	slices.Sort(c)
	c = slices.Compact(c)
	h := hash(c)
	for k, id := range d.byHash[h] {
		have := slices.Sorted(slices.Values(d.clauses[id]))
		if !slices.Equal(have, c) {
			continue
		}
		for _, l := range c {
			if d.value[l] > 0 && d.reason[l>>1] == id {
				return nil
			}
		}
		d.byHash[h] = slices.Delete(d.byHash[h], k, k+1)
		d.clauses[id] = nil
		if d.trace != nil {
			d.trace.removed(id)
		}
		return nil
	}
	return fmt.Errorf("the clause %v is not there to be deleted", clause)
}

func (d *database) set(l uint32) {
	d.value[l], d.value[l^1] = 1, -1
	d.trail = append(d.trail, l)
}

// implied tells whether unit propagation refutes the negation of a clause.
func (d *database) implied(clause []int32) bool {
	start := len(d.trail)
	found := false
	for _, l := range clause {
		x := code(l)
		if d.value[x] > 0 {
			found = true
			if d.trace != nil {
				d.trace.has(x)
			}
			break
		}
		if d.trace != nil {
			d.trace.assumes(x >> 1)
		}
		if d.value[x] == 0 {
			d.set(x ^ 1)
		}
	}
	if assumed := len(d.trail); !found && d.propagate(false) {
		found = true
		if d.trace != nil {
			d.trace.refuted(d, d.trail[assumed:], d.conflict)
		}
	}
	if d.trace != nil {
		d.trace.forget()
	}
	for _, l := range d.trail[start:] {
		d.value[l], d.value[l^1] = 0, 0
	}
	d.trail = d.trail[:start]
	d.head = start
	return found
}

// propagate draws all conclusions and tells whether they contradict each other. Those that hold
// for good get a reason.
func (d *database) propagate(forGood bool) bool {
	for d.head < len(d.trail) {
		p := d.trail[d.head] ^ 1 // is false
		d.head++
		if d.visit(p, forGood) {
			return true
		}
	}
	return false
}

// visit looks at the clauses that watch p, which has become false.
func (d *database) visit(p uint32, forGood bool) bool {
	list := d.watchers[p]
	kept := list[:0]
	for i, w := range list {
		if d.value[w.other] > 0 {
			kept = append(kept, w)
			continue
		}
		c := d.clauses[w.clause]
		if c == nil {
			continue
		}
		if c[0] == p {
			c[0], c[1] = c[1], p
		}
		if k := d.spare(c); k > 0 {
			c[1], c[k] = c[k], p
			d.watchers[c[1]] = append(d.watchers[c[1]], watcher{w.clause, c[0]})
			continue
		}
		kept = append(kept, watcher{w.clause, c[0]})
		switch d.value[c[0]] {
		case -1:
			d.watchers[p] = append(kept, list[i+1:]...)
			if d.conflict = w.clause; forGood {
				d.settled(w.clause, 0)
			}
			return true
		case 0:
			d.set(c[0])
			if forGood {
				d.settled(w.clause, c[0])
			} else if d.trace != nil {
				d.trace.why[c[0]>>1] = w.clause
			}
		}
	}
	d.watchers[p] = kept
	return false
}

// spare is the place of a literal that can be watched instead of the second one, or 0.
func (d *database) spare(c []uint32) int {
	if d.value[c[0]] > 0 {
		return 0
	}
	for k := 2; k < len(c); k++ {
		if d.value[c[k]] >= 0 {
			return k
		}
	}
	return 0
}
