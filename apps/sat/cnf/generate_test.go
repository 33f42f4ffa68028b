package cnf_test

import (
	"fmt"
	"slices"
	"testing"

	"satingrid/apps/sat/cnf"
)

func TestGenerate(t *testing.T) {
	for family, want := range map[string]struct{ vars, clauses int }{
		"php,6":       {42, 7 + 6*21}, // as hole6 of DIMACS
		"3sat,100,7":  {100, 426},
		"vdw,2,3,5":   {5, 10 + 4},
		"vdw,3,3,9":   {9, 32}, // as in the Handbook of Satisfiability
		"vdw,9,9,1":   {1, 0},
		"3sat,3,-1":   {3, 13},
		"php,1":       {2, 3},
		"3sat,100,08": {100, 426},
	} {
		f, err := cnf.Generate(family)
		if err != nil {
			t.Fatal(err)
		}
		clauses := 0
		for c := range f.Clauses() {
			clauses++
			vars := map[int32]bool{}
			for _, l := range c {
				vars[max(l, -l)] = true
			}
			if len(vars) != len(c) {
				t.Fatalf("%s: clause %v", family, c)
			}
		}
		if f.Vars != want.vars || clauses != want.clauses {
			t.Errorf("%s: %d variables, %d clauses", family, f.Vars, clauses)
		}
	}
	a, b := cnf.Random3(50, 1), cnf.Random3(50, 2)
	if slices.Equal(a.Lits, b.Lits) || !slices.Equal(a.Lits, cnf.Random3(50, 1).Lits) {
		t.Error("a seed does not decide about the formula")
	}
	for _, family := range []string{"", "php", "php,", "php,0", "php,x", "php,3,3", "3sat,2,1", "3sat,5", "vdw,1,2,3", "vdw,3,3,99999", "hole,5"} {
		if _, err := cnf.Generate(family); err == nil {
			t.Errorf("%q is taken", family)
		}
	}
}

func ExampleGenerate() {
	f, _ := cnf.Generate("php,1")
	for clause := range f.Clauses() {
		fmt.Println(clause)
	}
	// Output:
	// [1]
	// [2]
	// [-2 -1]
}
