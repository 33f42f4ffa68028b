package eliminate

import (
	"cmp"
	"slices"

	"satingrid/apps/sat/cnf"
)

const (
	// literals of a formula, about a second for a million: longer ones are left as they are
	litsMax     = 1 << 23
	stepsMax    = 1 << 26 // literals and clauses looked at: some tenths of a second
	roundsMax   = 8       // of elimination and subsumption; the first ones do nearly all
	occursMax   = 16      // clauses of the rarer literal of a variable, and of the other one …
	commonMax   = 400     // … that may have so many
	resolvedMax = 24      // literals of a new clause: longer ones seldom propagate
)

// Rest is what is left of a formula: no variable has got another name, and some occur no more.
type Rest struct {
	Formula cnf.Formula // with the cubes of the original

	// undo has the clauses that make the eliminated variables what they must be, first to last,
	// each with a 0 at its end and the literal of its variable in front.
	undo []int32
}

// Variables makes a formula smaller. Variables of its cubes stay. The log may be nil; it may not
// keep the slice. So may stop, which is asked now and then whether the rest is wanted no more; what
// is returned then is right, but depends on the moment.
func Variables(f *cnf.Formula, log func(clause []int32), stop func() bool) *Rest {
	if len(f.Lits) > litsMax {
		return &Rest{Formula: *f}
	}
	w := newWork(f, log, stop)
	if stop != nil && stop() {
		return &Rest{Formula: *f} // it may lack clauses
	}
	for range roundsMax {
		w.subsume()
		if !w.eliminate() || w.over() {
			break
		}
	}
	return w.rest(f)
}

// Complete gives the eliminated variables of a model, which has its values by variable from 0,
// those that they must have.
func (r *Rest) Complete(model []bool) {
	end := len(r.undo)
	for end > 0 {
		start := end - 1
		for start > 0 && r.undo[start-1] != 0 {
			start--
		}
		clause := r.undo[start : end-1]
		if !slices.ContainsFunc(clause, func(l int32) bool { return model[max(l, -l)-1] == (l > 0) }) {
			model[max(clause[0], -clause[0])-1] = clause[0] > 0
		}
		end = start
	}
}

// rest is the smaller formula.
func (w *work) rest(f *cnf.Formula) *Rest {
	r := &Rest{Formula: cnf.Formula{Vars: f.Vars, Cubes: f.Cubes}, undo: w.undo}
	if w.wrong {
		if w.log != nil {
			w.log(nil)
		}
		r.Formula.Add()
		return r
	}
	for _, x := range w.units {
		r.Formula.Add(cnf.Literal(x))
	}
	for i := range w.clauses {
		if c := &w.clauses[i]; !c.dead {
			r.Formula.Add(w.dimacs(c.lits)...)
		}
	}
	return r
}

// eliminate tries all variables, the rarest first, and tells whether one was eliminated.
func (w *work) eliminate() bool {
	type candidate struct {
		v     uint32
		score int
	}
	var list []candidate
	for v := range uint32(len(w.value) / 2) {
		if w.over() {
			return false
		}
		x := v << 1
		if w.frozen[v] || !w.touched[v] || w.value[x] != 0 {
			continue
		}
		w.touched[v] = false
		few, many := len(w.live(x)), len(w.live(x^1))
		if few > many {
			few, many = many, few
		}
		if few+many > 0 && few <= occursMax && many <= commonMax {
			list = append(list, candidate{v, few * many})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.v, b.v))
	})
	found := false
	for _, c := range list {
		if w.over() {
			break
		}
		found = w.resolve(c.v<<1) || found
	}
	return found
}

// resolve replaces a variable by its resolvents, if they are no more than its clauses.
func (w *work) resolve(x uint32) bool {
	if w.value[x] != 0 {
		return false
	}
	yes, no := w.live(x), w.live(x^1)
	if len(yes) > len(no) {
		x, yes, no = x^1, no, yes
	}
	if len(yes) > occursMax || len(no) > commonMax {
		return false
	}
	with, without := w.gate(x, yes, no)
	var made [][]uint32
	for _, i := range yes {
		defines := slices.Contains(with, i)
		for _, k := range no {
			if len(with) > 0 && defines == slices.Contains(without, k) {
				continue
			}
			c, says := w.resolvent(i, k, x)
			if !says {
				continue
			}
			if len(c) > resolvedMax || len(made) == len(yes)+len(no) {
				return false
			}
			made = append(made, c)
		}
	}
	// Without any of the others the variable may be false; a clause of those that is not true
	// otherwise makes it true.
	for _, i := range yes {
		w.undo = append(w.undo, cnf.Literal(x))
		for _, y := range w.clauses[i].lits {
			if y != x {
				w.undo = append(w.undo, cnf.Literal(y))
			}
		}
		w.undo = append(w.undo, 0)
	}
	w.undo = append(w.undo, cnf.Literal(x^1), 0)
	w.frozen[x>>1] = true // it is gone
	for _, c := range made {
		w.tell(c)
		w.add(c)
	}
	for _, list := range [][]int32{yes, no} {
		for _, i := range list {
			w.drop(i)
		}
	}
	w.propagate()
	return true
}

// resolvent joins two clauses without x and its negation, and tells whether they
// say anything together.
func (w *work) resolvent(i, k int32, x uint32) (c []uint32, says bool) {
	a, b := w.clauses[i].lits, w.clauses[k].lits
	w.steps += len(a) + len(b)
	c = make([]uint32, 0, len(a)+len(b)-2)
	for len(a) > 0 || len(b) > 0 {
		var y uint32
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			y, a = a[0], a[1:]
		default:
			y, b = b[0], b[1:]
		}
		switch n := len(c); {
		case y>>1 == x>>1 || n > 0 && c[n-1] == y:
		case n > 0 && c[n-1] == y^1:
			return nil, false
		default:
			c = append(c, y)
		}
	}
	return c, true
}
