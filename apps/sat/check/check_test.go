package check_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
)

// contradictory has eight clauses of which no seven contradict each other.
func contradictory() *cnf.Formula {
	f := &cnf.Formula{Vars: 3}
	for bits := range int32(8) {
		f.Add(1-2*(bits&1), 2-4*(bits>>1&1), 3-6*(bits>>2&1))
	}
	return f
}

func TestModel(t *testing.T) {
	f := &cnf.Formula{Vars: 3, Lits: []int32{1, -2, 0, 2, 3, 0}}
	for _, good := range [][]int32{{1, 2, 3}, {1, 2}, {-2, 3}} {
		if err := check.Model(f, good); err != nil {
			t.Errorf("%v: %v", good, err)
		}
	}
	for _, bad := range [][]int32{{-1, 2, 3}, {1, -2}, {1}, {1, 2, -2}, {1, 2, 4}, {1, 2, 0}, nil} {
		if check.Model(f, bad) == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	if err := check.Model(&cnf.Formula{Lits: []int32{0}}, nil); err == nil {
		t.Error("the empty clause is satisfied")
	}
}

func TestCost(t *testing.T) {
	f := &cnf.Formula{Vars: 3, Lits: []int32{1, -2, 0}}
	f.AddSoft(3, 2, 3)
	f.AddSoft(4)
	f.AddSoft(1<<40, -1)
	for _, c := range []struct {
		model []int32
		want  int64
	}{{[]int32{1, 2, 3}, 1<<40 + 4}, {[]int32{-1, -2, -3}, 7}, {[]int32{-1, -2, 3}, 4}, {nil, 1<<40 + 7}} {
		if cost, err := check.Cost(f, c.model); err != nil || cost != c.want {
			t.Errorf("%v: %d, %v, wanted %d", c.model, cost, err, c.want)
		}
	}
	if _, err := check.Cost(f, []int32{4}); err == nil {
		t.Error("variable 4 of 3 is taken")
	}
}

func TestProof(t *testing.T) {
	for proof, want := range map[string]check.Report{
		"1 2 0\n1 0\n-1 2 0\n0\n":                                 {Added: 3},
		"c a comment\n1 2 0\nd 1 2 3 0\nd 2 1 -3 0\n1 0\n\n2 0\n": {Added: 3, Deleted: 2},
		// A new variable 4 that is 1 and 2 together: its definition is RAT on 4.
		"4 -1 -2 0\n-4 1 0\n-4 2 0\n1 2 0\n1 0\n2 0\n": {Added: 6, RAT: 1},
	} {
		got, err := check.Proof(contradictory(), strings.NewReader(proof), "proof")
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", proof, got, err)
		}
	}
	for proof, want := range map[string]string{
		"":                     "proof: the proof ends without a contradiction",
		"1 2 0\n":              "proof: the proof ends without a contradiction",
		"1 2 0\n0\n":           "proof:2: the empty clause does not follow by unit propagation",
		"1 2\n":                "proof:1: 0 is expected at the end of the line",
		"1 2 0 3\n":            `proof:1: "3" after the 0`,
		"1 x 0\n":              `proof:1: "x": a literal is expected`,
		"d 1 2 0\n":            "proof:1: the clause [1 2] is not there to be deleted",
		"d 1 2 3 0\n1 2 0\n":   "proof:2: clause [1 2] is neither RUP nor RAT",
		"1 99999999999999 0\n": `proof:1: "99999999999999": a literal is expected`,
	} {
		if _, err := check.Proof(contradictory(), strings.NewReader(proof), "proof"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", proof, err, want)
		}
	}
}

// TestBroken tells files that are no proofs from proofs that do not prove.
func TestBroken(t *testing.T) {
	for proof, want := range map[string]bool{"1 x 0\n": true, "1 2\n": true, "": false, "0\n": false, "d 1 2 0\n": false} {
		var broken check.Broken
		if _, err := check.Proof(contradictory(), strings.NewReader(proof), "proof"); err == nil || errors.As(err, &broken) != want {
			t.Errorf("%q: %v", proof, err)
		}
	}
}

// TestUnitsStay has a deletion of the reason of a unit be ignored.
func TestUnitsStay(t *testing.T) {
	f := &cnf.Formula{Vars: 4, Lits: []int32{1, 0, -1, 2, 0, -2, 3, 4, 0, 3, -4, 0, -3, 4, 0, -3, -4, 0}}
	if _, err := check.Proof(f, strings.NewReader("d 1 0\nd -1 2 0\n3 0\n"), "proof"); err != nil {
		t.Error(err)
	}
}

func TestRead(t *testing.T) {
	a, err := check.Read(strings.NewReader("c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), "out")
	if err != nil || a.Status != "SATISFIABLE" || !slices.Equal(a.Model, []int32{1, -2, 3}) {
		t.Error(a, err)
	}
	a, err = check.Read(strings.NewReader(`{"schema":1,"app":"sat","answer":{"status":"SATISFIABLE","model":[1,-2,3]}}`), "out")
	if err != nil || a.Status != "SATISFIABLE" || !slices.Equal(a.Model, []int32{1, -2, 3}) {
		t.Error(a, err)
	}
	for _, in := range []string{
		"o 9\no 7\ns OPTIMUM FOUND\nv 1 -2 3 0\n", "s OPTIMUM FOUND\no 7\nv 101\n",
		`{"app":"sat","answer":{"status":"OPTIMUM FOUND","cost":7,"bound":7,"model":[1,-2,3]}}`,
	} {
		a, err := check.Read(strings.NewReader(in), "out")
		if err != nil || a.Status != "OPTIMUM FOUND" || !a.Costs || a.Cost != 7 || !slices.Equal(a.Model, []int32{1, -2, 3}) {
			t.Errorf("%q: %+v, %v", in, a, err)
		}
	}
	if a, err := check.Read(strings.NewReader("o 1\ns UNKNOWN\nv 11\nv 10 0\n"), "out"); err != nil || !slices.Equal(a.Model, []int32{11, 10}) {
		t.Errorf("literals of two lines, each of which might be bits: %+v, %v", a, err)
	}
	for in, want := range map[string]string{
		"o -1\ns UNKNOWN\n":           `out:1: "-1": a cost is expected`,
		"s SATISFIABLE\nv 101\n":      "out: the v lines do not end with 0",
		"o 1\ns UNKNOWN\nv 101\nv 1x": `out:4: "1x": a literal is expected`,
		"o 1\ns OPTIMUM FOUND\nv 2\n": "out: the v lines do not end with 0",
		"{":                           "out:1: the JSON is broken",
		`{"app":"tsp"}`:               `out:1: app is "tsp"`,
		`{"app":"sat"}`:               "out:1: there is no answer",
		`{"app":"sat","answer":{"status":"MAYBE"}}`:       `out:1: status "MAYBE"`,
		`{"app":"sat","answer":{"status":"SATISFIABLE"}}`: "out:1: a model is expected",
		"":                            "out: there is no s line",
		"s MAYBE\n":                   `out:1: status "MAYBE"`,
		"s UNKNOWN\ns UNKNOWN\n":      "out:2: a second s line",
		"s SATISFIABLE\nv 1\n":        "out: the v lines do not end with 0",
		"s SATISFIABLE\nv 1 0\nv 2 0": `out:3: "2": a literal is expected`,
		"1 2 3\n":                     `out:1: "1 2 3": a line that begins with c, s, v or o is expected`,
	} {
		if _, err := check.Read(strings.NewReader(in), "out"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func ExampleProof() {
	f := &cnf.Formula{Vars: 2, Lits: []int32{1, 2, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0}}
	report, err := check.Proof(f, strings.NewReader("1 0\n0\n"), "proof")
	fmt.Println(report.Added, err)
	// Output: 1 <nil>
}
