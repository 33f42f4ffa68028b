package check_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"satingrid/apps/sat/cdcl"
	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/apps/sat/pigeon"
)

// follow verifies a proof in LRAT format as it is defined, clause by clause: nothing is searched.
func follow(f *cnf.Formula, proof string) error {
	clauses, last := map[int][]int32{}, 0
	for clause := range f.Clauses() {
		last++
		clauses[last] = slices.Clone(clause)
	}
	for line := range strings.Lines(proof) {
		words := strings.Fields(line)
		if len(words) > 1 && words[1] == "d" {
			for _, n := range numbers(words[2:]) {
				delete(clauses, n)
			}
			continue
		}
		all := numbers(words)
		end := slices.Index(all, 0)
		var clause []int32
		for _, l := range all[1:end] {
			clause = append(clause, int32(l))
		}
		if all[0] <= last {
			return fmt.Errorf("%q: its number is not above %d", line, last)
		}
		if err := followed(clauses, clause, all[end+1:len(all)-1]); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		if last = all[0]; len(clause) == 0 {
			return nil
		}
		clauses[last] = clause
	}
	return errors.New("it ends without the empty clause")
}

func numbers(words []string) (all []int) {
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil {
			panic(err)
		}
		all = append(all, n)
	}
	return all
}

// followed verifies one clause by the steps that are named.
func followed(clauses map[int][]int32, clause []int32, steps []int) error {
	false_ := map[int32]bool{}
	for _, l := range clause {
		false_[l] = true
	}
	first := slices.IndexFunc(steps, func(n int) bool { return n < 0 })
	if first < 0 {
		first = len(steps)
	}
	done, err := units(clauses, false_, steps[:first])
	if err != nil || done {
		return err
	}
	if len(clause) == 0 {
		return errors.New("no conflict")
	}
	named := map[int]bool{}
	for rest := steps[first:]; len(rest) > 0; {
		with := -rest[0]
		next := slices.IndexFunc(rest[1:], func(n int) bool { return n < 0 }) + 1
		if next == 0 {
			next = len(rest)
		}
		named[with] = true
		assumed, done := map[int32]bool{}, false
		for l := range false_ {
			assumed[l] = true
		}
		for _, l := range clauses[with] {
			if l != -clause[0] {
				done = done || assumed[-l]
				assumed[l] = true
			}
		}
		if !done {
			if done, err = units(clauses, assumed, rest[1:next]); err != nil || !done {
				return fmt.Errorf("with clause %d: no conflict, %v", with, err)
			}
		}
		rest = rest[next:]
	}
	for n, c := range clauses {
		if slices.Contains(c, -clause[0]) && !named[n] {
			return fmt.Errorf("clause %d has the opposite of its first literal, and is not named", n)
		}
	}
	return nil
}

// units takes clauses for units, one after the other, until one is false.
func units(clauses map[int][]int32, false_ map[int32]bool, steps []int) (conflict bool, err error) {
	for _, n := range steps {
		c, ok := clauses[n]
		open := slices.DeleteFunc(slices.Sorted(slices.Values(c)), func(l int32) bool { return false_[l] })
		open = slices.Compact(open)
		switch {
		case !ok || len(open) > 1 || len(open) == 1 && false_[-open[0]]:
			return false, fmt.Errorf("clause %d, %v, is no unit, or one already: %v is open", n, c, open)
		case len(open) == 0:
			return true, nil
		}
		false_[-open[0]] = true
	}
	return false, nil
}

// TestBrokenLRAT: what follows a proof here notices any step that is missing.
func TestBrokenLRAT(t *testing.T) {
	var out bytes.Buffer
	const proof = "4 -3 0\n-4 3 1 2 0\n-4 3 0\n1 2 0\n1 0\n-4 1 0\n2 0\n"
	if _, err := check.LRAT(contradictory(), strings.NewReader(proof), "proof", &out); err != nil {
		t.Fatal(err)
	}
	lines, broken := strings.SplitAfter(out.String(), "\n"), 0
	for n, line := range lines[:len(lines)-1] {
		clause, steps, _ := strings.Cut(line, " 0 ")
		words := strings.Fields(steps)
		for k := range words[:len(words)-1] {
			worse := slices.Clone(lines)
			worse[n] = clause + " 0 " + strings.Join(slices.Delete(slices.Clone(words), k, k+1), " ") + "\n"
			if broken++; follow(contradictory(), strings.Join(worse, "")) == nil {
				t.Errorf("without step %d of %q it is a proof", k, line)
			}
		}
	}
	if broken < 12 || !strings.Contains(out.String(), " 0 -9 ") {
		t.Errorf("%d steps were taken out of %q", broken, &out)
	}
}

// TestLRAT: what is written of a proof leads to the empty clause step by step.
func TestLRAT(t *testing.T) {
	traced := func(what string, f *cnf.Formula, proof string) string {
		t.Helper()
		var out bytes.Buffer
		want, failure := check.Proof(f, strings.NewReader(proof), "proof")
		got, err := check.LRAT(f, strings.NewReader(proof), "proof", &out)
		if err != nil || failure != nil || got != want {
			t.Fatalf("%s: %+v, %v; without a trace %+v, %v", what, got, err, want, failure)
		}
		if err := follow(f, out.String()); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		return out.String()
	}
	for _, proof := range []string{
		"1 2 0\n1 0\n-1 2 0\n0\n", "1 2 0\n1 2 1 2 0\nd 1 2 3 0\nd 2 1 -3 0\n1 0\n\n2 0\n",
		"4 -1 -2 0\n-4 1 0\n-4 2 0\n1 2 0\n1 0\n2 0\n", "1 2 0\n1 0\n4 -1 0\n-4 1 0\n2 0\n",
	} {
		traced(proof, contradictory(), proof)
	}
	// one that contradicts itself before all of it was read
	f := &cnf.Formula{Vars: 4, Lits: []int32{1, 0, -1, 2, 0, -2, 0, 3, 4, 0, -3, -4, 0}}
	if got, want := traced("units", f, ""), "6 2 0 1 2 0\n7 0 6 3 0\n"; got != want {
		t.Errorf("units: %q, wanted %q", got, want)
	}
	f = &cnf.Formula{Vars: 1, Lits: []int32{1, 0, 0, -1, 0}}
	if got, want := traced("the empty clause", f, ""), "4 0 2 0\n"; got != want {
		t.Errorf("the empty clause: %q, wanted %q", got, want)
	}

	unsat := 0
	for seed := range uint64(60) {
		f := drawn(rand.New(rand.NewPCG(seed, 1)))
		var proof bytes.Buffer
		if s := loaded(f, &proof); s.Solve(nil, 1<<20) == cdcl.Unsatisfiable {
			unsat++
			traced(fmt.Sprint("seed ", seed), f, proof.String())
		}
	}
	if unsat < 20 {
		t.Errorf("%d of 60 formulas cannot be satisfied", unsat)
	}
	for holes := range 5 { // by definitions of new variables
		f := cnf.Pigeons(holes + 1)
		var proof bytes.Buffer
		if !pigeon.Refute(f, 1<<20, func(c []int32) { write(&proof, c) }, nil) {
			t.Fatalf("%d holes: it is not refuted", holes+1)
		}
		traced(fmt.Sprint(holes+1, " holes"), f, proof.String())
	}
}

// loaded is a solver of a formula that writes its proof down.
func loaded(f *cnf.Formula, proof *bytes.Buffer) *cdcl.Solver {
	s := cdcl.New(f.Vars)
	s.Log = func(c []int32) { write(proof, c) }
	s.Forgot = func(c []int32) {
		proof.WriteString("d ")
		write(proof, c)
	}
	for c := range f.Clauses() {
		s.Add(c)
	}
	return s
}

func write(w *bytes.Buffer, clause []int32) {
	for _, l := range clause {
		fmt.Fprintf(w, "%d ", l)
	}
	w.WriteString("0\n")
}

// drawn is a formula of clauses of two to four literals, also with double and opposite ones.
func drawn(r *rand.Rand) *cnf.Formula {
	f := &cnf.Formula{Vars: 5 + r.IntN(50)}
	for range 6 * f.Vars {
		var c []int32
		for range 2 + r.IntN(3) {
			c = append(c, int32(1+r.IntN(f.Vars))*int32(1-2*r.IntN(2)))
		}
		f.Add(c...)
	}
	return f
}

func ExampleLRAT() {
	f := &cnf.Formula{Vars: 2, Lits: []int32{1, 2, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0}}
	var lrat strings.Builder
	_, err := check.LRAT(f, strings.NewReader("1 0\n0\n"), "proof", &lrat)
	fmt.Print(lrat.String(), err)
	// Output: 5 1 0 1 2 0
	// 6 2 0 5 3 0
	// 7 0 6 5 4 0
	// <nil>
}
