package check

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"satingrid/apps/sat/cnf"
)

// lineMax bounds a line, in bytes.
const lineMax = 1 << 26

// Report is what a proof had in it.
type Report struct {
	Added   int // clauses, up to the contradiction
	RAT     int // of them those that are not RUP
	Deleted int
}

// Broken is the error of a file that is no proof. Other errors are of one that
// does not prove anything.
type Broken struct{ error }

// Proof verifies that r is a DRAT proof that the formula cannot be satisfied; file is the
// name that errors say.
func Proof(f *cnf.Formula, r io.Reader, file string) (Report, error) {
	return prove(f, r, file, nil)
}

// prove verifies a proof, and has it traced where t is not nil.
func prove(f *cnf.Formula, r io.Reader, file string, t *tracer) (Report, error) {
	d := newDatabase(f.Vars, t)
	number := int64(0)
	for clause := range f.Clauses() {
		number++
		d.add(clause, number)
	}
	var report Report
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), lineMax)
	var clause []int32
	line := 0
	for !d.contradiction && lines.Scan() {
		line++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 || text[0] == 'c' {
			continue
		}
		text, deletes := bytes.CutPrefix(text, []byte("d "))
		var err error
		switch clause, err = literals(clause[:0], text); {
		case err != nil:
			err = Broken{err}
		case deletes:
			report.Deleted++
			err = d.remove(clause)
		default:
			report.Added++
			err = d.prove(clause, &report)
		}
		if err != nil {
			return report, fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return report, fmt.Errorf("%s:%d: %w", file, line+1, Broken{err})
	}
	if !d.contradiction {
		return report, fmt.Errorf("%s: the proof ends without a contradiction", file)
	}
	return report, nil
}

// literals reads one clause.
func literals(out []int32, text []byte) ([]int32, error) {
	for len(text) > 0 {
		word, rest, _ := bytes.Cut(text, []byte(" "))
		text = bytes.TrimLeft(rest, " \t")
		n, err := strconv.ParseInt(string(word), 10, 32)
		switch {
		case err != nil || n > cnf.VarsMax || n < -cnf.VarsMax:
			return nil, fmt.Errorf("%q: a literal is expected", word)
		case n != 0:
			out = append(out, int32(n))
		case len(text) > 0:
			return nil, fmt.Errorf("%q after the 0: the end of the line is expected", text)
		default:
			return out, nil
		}
	}
	return nil, errors.New("0 is expected at the end of the line")
}

// prove verifies that a clause may be added, and adds it.
func (d *database) prove(clause []int32, report *Report) error {
	d.grow(clause)
	if d.trace != nil {
		d.trace.steps = d.trace.steps[:0]
	}
	if !d.implied(clause) {
		if err := d.asymmetric(clause); err != nil {
			return err
		}
		report.RAT++
	}
	number := int64(0)
	if d.trace != nil {
		number = d.trace.line(clause)
	}
	d.add(clause, number)
	return nil
}

// asymmetric verifies that a clause is a resolution asymmetric tautology on its first literal.
func (d *database) asymmetric(clause []int32) error {
	if len(clause) == 0 {
		return errors.New("the empty clause does not follow by unit propagation")
	}
	pivot := code(clause[0])
	var joined []int32
	for id := range d.with(pivot ^ 1) {
		other := d.clauses[id]
		if !slices.Contains(other, pivot^1) {
			continue
		}
		if d.trace != nil {
			d.trace.steps = append(d.trace.steps, -d.trace.number[id])
		}
		joined = append(joined[:0], clause...)
		for _, l := range other {
			if l != pivot^1 {
				joined = append(joined, dimacs(l))
			}
		}
		if !d.implied(joined) {
			return fmt.Errorf("clause %v is neither RUP nor RAT: its resolvent with another clause on %d is not implied", clause, clause[0])
		}
	}
	return nil
}
