package cnf_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"satingrid/apps/sat/cnf"
)

// Both forms of a formula with two clauses that must hold.
const (
	headed = "c a comment\np wcnf 3 5 100\n100 1 -2 0\n3 2 3 0\n7\n -1 0 1 0\n18446744073709551615 3 0\n"
	plain  = "c a comment\nh 1 -2 0\n3 2 3 0\n7 -1 0\n1 0\nh\t3 0\n"
)

func zipped(text string) string {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write([]byte(text))
	z.Close()
	return out.String()
}

func TestReadWeights(t *testing.T) {
	for _, in := range []string{headed, plain, zipped(headed), zipped(plain)} {
		for _, name := range []string{"a", "a.cnf", "a.WCNF.gz"} {
			f, warnings, err := cnf.Read(strings.NewReader(in), name)
			if err != nil || len(warnings) > 0 {
				t.Fatalf("%s: %v, %v", name, warnings, err)
			}
			if !f.Weighed || f.Vars != 3 || !slices.Equal(f.Lits, []int32{1, -2, 0, 3, 0}) ||
				!slices.Equal(f.Soft, []int32{2, 3, 0, -1, 0, 0}) || !slices.Equal(f.Weights, []int64{3, 7, 1}) {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	var costs []int64
	f := &cnf.Formula{}
	f.AddSoft(4, 1, 2)
	f.AddSoft(5)
	for clause, weight := range f.EachSoft() {
		costs = append(costs, weight, int64(len(clause)))
	}
	if !slices.Equal(costs, []int64{4, 2, 5, 0}) {
		t.Error(costs)
	}
}

// TestFormats has the header decide where there is one, and the name where there is none.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name, in string
		weighed  bool
	}{
		{"a.wcnf", "", true}, {"a.wcnf", "c\n", true}, {"a.wcnf", "3 1 0\n", true}, {"a.wcnf.gz", "3 1 0\n", true},
		{"a", "h 1 0\n", true}, {"a", "p wcnf 1 1\n2 1 0\n", true}, {"a.wcnf", "p cnf 1 1\n1 0\n", false}, {"a", "p cnf 1 1\n1 0\n", false},
	} {
		if f, _, err := cnf.Read(strings.NewReader(c.in), c.name); err != nil || f.Weighed != c.weighed {
			t.Errorf("%s, %q: %+v, %v", c.name, c.in, f, err)
		}
	}
}

func TestWeightErrors(t *testing.T) {
	for in, want := range map[string]string{
		"3 1 0\nh x 0\n":                 `a.wcnf:2: "x" is no literal: a number is expected`,
		"3 1 0\n-3 1 0\n":                `a.wcnf:2: "-3" is no weight: h, or a number from 0, is expected`,
		"1.5 1 0\n":                      `a.wcnf:1: "1.5" is no weight: h, or a number from 0, is expected`,
		"p wcnf 1 2 9\n9 1 0\nh 1 0\n":   `a.wcnf:3: "h" is no weight: a number from 0 is expected`,
		"p wcnf 1 2 0\n":                 `a.wcnf:1: the top weight is "0": a number from 1 to 18446744073709551615 is expected`,
		"p wcnf 1 2 x\n":                 `a.wcnf:1: the top weight is "x": a number from 1 to 18446744073709551615 is expected`,
		"p wcnf 1\n":                     `a.wcnf:1: the header is "p wcnf 1": p wcnf VARIABLES CLAUSES TOP is expected`,
		"p wcnf 1 y 3\n":                 `a.wcnf:1: "y" clauses: a number is expected`,
		"3 1 0\np wcnf 1 1\n":            "a.wcnf:2: a header behind a clause: it is expected first, or not at all",
		"h 1 0\n\n3 1\n":                 "a.wcnf:3: the file ends inside the clause of line 3: 0 is expected at its end; is the file cut off?",
		"h 1 0\n3\n":                     "a.wcnf:2: the file ends inside the clause of line 2: 0 is expected at its end; is the file cut off?",
		"a 1 0\n":                        `a.wcnf:1: "a" is no weight: h, or a number from 0, is expected`,
		"4611686018427387905 1 0\n":      "a.wcnf:1: with weight 4611686018427387905 all weights add up to more than 4611686018427387904",
		"9 1 0\n4611686018427387904 0\n": "a.wcnf:2: with weight 4611686018427387904 all weights add up to more than 4611686018427387904",
		"18446744073709551616 1 0\n":     `a.wcnf:1: "18446744073709551616" is no weight: h, or a number from 0, is expected`,
	} {
		_, _, err := cnf.Read(strings.NewReader(in), "a.wcnf")
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", in, err, want)
		}
	}
	if _, warnings, err := cnf.Read(strings.NewReader("p wcnf 1 3\n1 1 0\n2 2 0\n"), "a"); err != nil || len(warnings) != 2 {
		t.Errorf("%q, %v", warnings, err)
	}
}

// TestWeighedFamilies has each family with weights be well formed, and not another one.
func TestWeighedFamilies(t *testing.T) {
	for family, want := range map[string]string{
		"cut,5,10,1":   "5 variables, 0 clauses, 20 with weights",
		"cover,5,10,1": "5 variables, 10 clauses, 5 with weights",
		"late,1,1":     "1 variables, 0 clauses, 1 with weights",
	} {
		f, err := cnf.Generate(family)
		if err != nil {
			t.Fatal(err)
		}
		clauses := 0
		for range f.Clauses() {
			clauses++
		}
		if got := fmt.Sprintf("%d variables, %d clauses, %d with weights", f.Vars, clauses, len(f.Weights)); got != want {
			t.Errorf("%s: %s, wanted %s", family, got, want)
		}
	}
	for family, want := range map[string]string{
		"cut,1,0,1":     `"cut,1,0,1": vertices 1: 2 to 65536 is expected`,
		"cover,4,7,1":   `"cover,4,7,1": edges 7: 0 to 6 is expected`,
		"late,0,1":      `"late,0,1": jobs 0: 1 to 100 is expected`,
		"late,1":        `"late,1": php,N, 3sat,N,SEED, vdw,K,L,N, cut,N,EDGES,SEED, cover,N,EDGES,SEED or late,N,SEED is expected`,
		"cover,4,7,1,1": `"cover,4,7,1,1": php,N, 3sat,N,SEED, vdw,K,L,N, cut,N,EDGES,SEED, cover,N,EDGES,SEED or late,N,SEED is expected`,
	} {
		if _, err := cnf.Generate(family); err == nil || err.Error() != want {
			t.Errorf("%s: %v, wanted %s", family, err, want)
		}
	}
}

// FuzzReadWeights has every accepted formula with weights be well formed.
func FuzzReadWeights(f *testing.F) {
	f.Add([]byte(headed), true)
	f.Add([]byte(plain), false)
	f.Add([]byte("3 1 -2 0\n4611686018427387901 0\n"), true)
	f.Add([]byte("p wcnf 1 1\n0 0\n%"), false)
	f.Fuzz(func(t *testing.T, data []byte, named bool) {
		name := "a"
		if named {
			name = "a.wcnf"
		}
		p, _, err := cnf.Read(bytes.NewReader(data), name)
		if err != nil {
			if !strings.HasPrefix(err.Error(), name+":") {
				t.Errorf("an error without the file: %v", err)
			}
			return
		}
		sum, clauses := int64(0), 0
		for _, l := range p.Soft {
			if l == 0 {
				clauses++
			}
			if int(max(l, -l)) > p.Vars {
				t.Errorf("variable %d of %d", l, p.Vars)
			}
		}
		if clauses != len(p.Weights) || len(p.Soft) > 0 && p.Soft[len(p.Soft)-1] != 0 || clauses > 0 && !p.Weighed {
			t.Errorf("%d clauses with %d weights: %+v", clauses, len(p.Weights), p)
		}
		for _, w := range p.Weights {
			if w < 0 || w > cnf.WeightMax-sum {
				t.Fatalf("weight %d after %d", w, sum)
			}
			sum += w
		}
	})
}

func ExampleFormula_AddSoft() {
	f := &cnf.Formula{Vars: 2, Lits: []int32{1, 2, 0}}
	f.AddSoft(3, -1)
	f.AddSoft(5, -2)
	for clause, weight := range f.EachSoft() {
		fmt.Println(weight, clause)
	}
	// Output:
	// 3 [-1]
	// 5 [-2]
}
