package check

import (
	"bufio"
	"io"
	"slices"
	"strconv"

	"satingrid/apps/sat/cnf"
)

// LRAT verifies a proof as [Proof] does, and writes it to w with the reasons of each of its steps,
// in LRAT format (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, CADE 2017), so that
// verified checkers can follow it without a search. What was written is a proof only if the error
// is nil.
func LRAT(f *cnf.Formula, r io.Reader, file string, w io.Writer) (Report, error) {
	t := &tracer{out: bufio.NewWriter(w)}
	for range f.Clauses() {
		t.last++
	}
	report, err := prove(f, r, file, t)
	if err == nil {
		err = t.out.Flush()
	}
	return report, err
}

// tracer writes what a database verifies. Clauses have numbers there: those of the formula from 1
// on in their order, then each that is written the next one. A literal that becomes true for good
// is written as a unit, so that later steps need not tell again why it is.
type tracer struct {
	out    *bufio.Writer
	last   int64   // the number that was given last
	number []int64 // of clauses, by their place in the database
	unit   []int64 // of the units, by variable; 0: there is none
	why    []int32 // by variable: the place of the clause that implied it under assumptions
	marked []bool  // by variable: the conflict leans on it, or it is assumed
	steps  []int64 // why the clause follows that is being verified
	text   []byte

	implied []int64  // see refuted
	units   []uint32 // variables
	assumed []uint32 // variables
}

// reserve makes room for so many variables.
func (t *tracer) reserve(vars int) {
	for len(t.unit) <= vars {
		t.unit = append(t.unit, 0)
		t.why = append(t.why, 0)
		t.marked = append(t.marked, false)
	}
}

// line writes a clause with the steps that lead to it, and gives its number.
func (t *tracer) line(clause []int32) int64 {
	t.last++
	t.text = strconv.AppendInt(t.text[:0], t.last, 10)
	for k, l := range clause {
		if !slices.Contains(clause[:k], l) {
			t.put(int64(l))
		}
	}
	t.put(0)
	for _, step := range t.steps {
		t.put(step)
	}
	t.put(0)
	t.end()
	return t.last
}

func (t *tracer) put(n int64) {
	t.text = append(t.text, ' ')
	t.text = strconv.AppendInt(t.text, n, 10)
}

// end writes the line. The error of a full disk is that of the last Flush, too.
func (t *tracer) end() {
	t.text = append(t.text, '\n')
	_, _ = t.out.Write(t.text)
}

// removed writes that a clause is deleted.
func (t *tracer) removed(id int32) {
	t.text = strconv.AppendInt(t.text[:0], t.last, 10)
	t.text = append(t.text, " d"...)
	t.put(t.number[id])
	t.put(0)
	t.end()
}

// settled writes that a clause has made its literal x true for good, or, where x is 0, that it
// contradicts what is: all its other literals are false for good.
func (t *tracer) settled(id int32, c []uint32, x uint32) {
	if x != 0 && len(c) == 1 {
		t.unit[x>>1] = t.number[id]
		return
	}
	t.steps = t.steps[:0]
	for _, l := range c {
		if l != x {
			t.steps = append(t.steps, t.unit[l>>1])
		}
	}
	t.steps = append(t.steps, t.number[id])
	if x == 0 {
		t.line(nil)
	} else {
		t.unit[x>>1] = t.line([]int32{dimacs(x)})
	}
}

// has adds the step to a clause that has the literal x, which is true: as a unit, or since the
// clause has its opposite, too, in which case none is needed.
func (t *tracer) has(x uint32) {
	if unit := t.unit[x>>1]; unit != 0 {
		t.steps = append(t.steps, unit)
	}
}

// assumes notes that a literal of the clause that is being verified is false: no step has to tell.
func (t *tracer) assumes(v uint32) {
	if !t.marked[v] {
		t.marked[v] = true
		t.assumed = append(t.assumed, v)
	}
}

// forget ends what was assumed.
func (t *tracer) forget() {
	for _, v := range t.assumed {
		t.marked[v] = false
	}
	t.assumed = t.assumed[:0]
}

// refuted adds the steps from what was assumed to a clause that is false: the units that are
// needed, and then each clause when it implies something. followed is what was implied, in that
// order.
func (t *tracer) refuted(d *database, followed []uint32, conflict int32) {
	t.implied, t.units = t.implied[:0], t.units[:0]
	t.lean(d, conflict)
	for _, l := range slices.Backward(followed) {
		v := l >> 1
		if t.marked[v] {
			t.marked[v] = false
			t.lean(d, t.why[v])
			t.implied = append(t.implied, t.number[t.why[v]])
		}
	}
	for _, v := range t.units {
		t.steps = append(t.steps, t.unit[v])
		t.marked[v] = false
	}
	slices.Reverse(t.implied)
	t.steps = append(append(t.steps, t.implied...), t.number[conflict])
}

// lean marks on what a clause leans: its literals that are false.
func (t *tracer) lean(d *database, id int32) {
	for _, l := range d.clauses[id] {
		v := l >> 1
		if d.value[l] < 0 && !t.marked[v] {
			t.marked[v] = true
			if t.unit[v] != 0 {
				t.units = append(t.units, v)
			}
		}
	}
}
