package eliminate

import "slices"

// gate finds clauses that define x by other variables: as a conjunction, a disjunction, or a choice
// of one of two literals, of which a sum modulo 2 is one. It returns those that have x and
// those that have its negation, or none. Other clauses need not be resolved with each other then
// (Eén and Biere, SAT 2005, section 4).
func (w *work) gate(x uint32, yes, no []int32) (with, without []int32) {
	if all, one := w.conjunction(x, yes, no); one >= 0 {
		return []int32{one}, all
	}
	if all, one := w.conjunction(x^1, no, yes); one >= 0 {
		return all, []int32{one}
	}
	return w.choice(x, yes, no)
}

// conjunction finds a clause of x and the negations of some literals, and those that say that each
// of these follows from x.
func (w *work) conjunction(x uint32, yes, no []int32) (all []int32, one int32) {
	w.time++
	pairs := 0
	for _, k := range no {
		if c := w.clauses[k].lits; len(c) == 2 {
			w.mark[c[0]^c[1]^x^1] = w.time
			pairs++
		}
	}
	if pairs < 2 {
		return nil, -1
	}
	for _, i := range yes {
		c := w.clauses[i].lits
		w.steps += len(c)
		if len(c) < 3 || slices.ContainsFunc(c, func(y uint32) bool { return y != x && w.mark[y^1] != w.time }) {
			continue
		}
		for _, k := range no {
			if d := w.clauses[k].lits; len(d) == 2 && slices.Contains(c, d[0]^d[1]^x) {
				all = append(all, k)
			}
		}
		return all, i
	}
	return nil, -1
}

// choice finds four clauses that say that x is a if c holds, and b if not.
func (w *work) choice(x uint32, yes, no []int32) (with, without []int32) {
	for _, i := range yes {
		a, b, ok := w.others(i, x)
		if !ok {
			continue
		}
		for _, cond := range []uint32{a, b} { // x or cond or then
			then := a ^ b ^ cond
			k := w.three(no, x^1, cond, then^1)
			if k < 0 {
				continue
			}
			for _, j := range yes {
				p, q, ok := w.others(j, x)
				if !ok || p != cond^1 && q != cond^1 {
					continue
				}
				if m := w.three(no, x^1, cond^1, p^q^cond); m >= 0 {
					return []int32{i, j}, []int32{k, m}
				}
			}
		}
	}
	return nil, nil
}

// others are the other literals of a clause of three.
func (w *work) others(i int32, x uint32) (a, b uint32, ok bool) {
	c := w.clauses[i].lits
	w.steps++
	if len(c) != 3 {
		return 0, 0, false
	}
	switch x {
	case c[0]:
		return c[1], c[2], true
	case c[1]:
		return c[0], c[2], true
	default:
		return c[0], c[1], true
	}
}

// three is the clause of these three literals, or -1.
func (w *work) three(list []int32, x, y, z uint32) int32 {
	for _, i := range list {
		if a, b, ok := w.others(i, x); ok && (a == y && b == z || a == z && b == y) {
			return i
		}
	}
	return -1
}
