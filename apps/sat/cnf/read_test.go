package cnf_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"satingrid/apps/sat/cnf"
)

const small = "c a comment\np cnf 3 2\n1 -2\n 0 c\n2 3 0\n"

func TestRead(t *testing.T) {
	text := "c a comment\np cnf 3 2\r\n1 -2\n 0\n\n c within\n2\t3 0\n"
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(text))
	z.Close()
	for _, in := range []string{text, zipped.String(), text + "%\n0\nanything\n", "p cnf 3 2\n1 -2 0 2 3 0"} {
		f, warnings, err := cnf.Read(strings.NewReader(in), "a.cnf")
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%q: %v, %v", in, warnings, err)
		}
		if f.Vars != 3 || !slices.Equal(f.Lits, []int32{1, -2, 0, 2, 3, 0}) {
			t.Errorf("%q: %+v", in, f)
		}
	}
}

func TestReadCubes(t *testing.T) {
	f, warnings, err := cnf.Read(strings.NewReader("p inccnf\n1 2 0\na 1 0\na -1 2 0\n"), "a.icnf")
	if err != nil || len(warnings) > 0 || f.Vars != 2 {
		t.Fatal(f, warnings, err)
	}
	if !slices.Equal(f.Lits, []int32{1, 2, 0}) || !slices.Equal(f.Cubes, []int32{1, 0, -1, 2, 0}) {
		t.Errorf("%+v", f)
	}
	cubes := 0
	for c := range f.EachCube() {
		cubes += len(c)
	}
	if cubes != 3 {
		t.Errorf("the cubes have %d literals", cubes)
	}
}

func TestWrongCounts(t *testing.T) {
	f, warnings, err := cnf.Read(strings.NewReader("p cnf 1 5\n1 -2 0\n"), "a.cnf")
	if err != nil || f.Vars != 2 {
		t.Fatal(f, err)
	}
	want := []string{"a.cnf: variable 2 is used, but the header has 1", "a.cnf: there are 1 clauses, but the header has 5"}
	if !slices.Equal(warnings, want) {
		t.Errorf("%q", warnings)
	}
}

func TestErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "a.cnf:1: the file ends without a header: p cnf VARIABLES CLAUSES is expected",
		"1 2 0\n":                     `a.cnf:1: "1 2 0" stands before the header: p cnf VARIABLES CLAUSES is expected first`,
		"p dnf 1 1\n":                 `a.cnf:1: the header is "p dnf 1 1": p cnf VARIABLES CLAUSES, p wcnf VARIABLES CLAUSES TOP or p inccnf is expected`,
		"p cnf 1 1\np cnf 1 1\n":      "a.cnf:2: a second header: one is expected",
		"p cnf 99999999999 1\n":       `a.cnf:1: "99999999999" variables: 0 to 33554432 are expected`,
		"p cnf 1 x\n":                 `a.cnf:1: "x" clauses: a number is expected`,
		small:                         `a.cnf:4: "c" is no literal: a number is expected`,
		"p cnf 2 1\n\n1 99999999 0\n": "a.cnf:3: variable 99999999: at most 33554432 are expected",
		"p cnf 2 2\n1 0\n1\n2\n":      "a.cnf:4: the file ends inside the clause of line 3: 0 is expected at its end; is the file cut off?",
		"p cnf 2 2\na 1 0\n":          "a.cnf:2: a cube, but the header is not p inccnf",
		"p inccnf\n1 2\na 1 0\n":      "a.cnf:3: a cube begins inside the clause of line 2: 0 is expected at the clause's end",
		"\x1f\x8b is not enough":      "a.cnf: the file begins as one of gzip, but: gzip: invalid header",
		"p cnf 1 1\n" + strings.Repeat("7", 50) + "\n": `a.cnf:2: "7777777777777777777777777777777777777777…" is no literal: a number is expected`,
	} {
		_, _, err := cnf.Read(strings.NewReader(in), "a.cnf")
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", in, err, want)
		}
	}
}

// FuzzRead has every accepted formula be well formed.
func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("p inccnf\n1 2 0\na 1 0\na -1 2 0\n"))
	f.Add([]byte("p cnf 3 2\n1 -2 0 2 3 0\n%\n0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, _, err := cnf.Read(bytes.NewReader(data), "a.cnf")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a.cnf:") {
				t.Errorf("an error without the file: %v", err)
			}
			return
		}
		for _, list := range [][]int32{p.Lits, p.Cubes} {
			if len(list) > 0 && list[len(list)-1] != 0 {
				t.Error("the last clause has no end")
			}
			for _, l := range list {
				if int(max(l, -l)) > p.Vars {
					t.Errorf("variable %d of %d", l, p.Vars)
				}
			}
		}
	})
}

// TestShared reads all shared instances.
func TestShared(t *testing.T) {
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "sat", "*.cnf*"))
	if len(files) == 0 {
		t.Skip("missing: SATIN_DATA has no sat/*.cnf")
	}
	for _, file := range files {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		p, warnings, err := cnf.Read(in, file)
		if err != nil || len(warnings) > 0 || p.Vars == 0 || len(p.Lits) == 0 {
			t.Errorf("%v %v", warnings, err)
		}
		in.Close()
	}
}

func ExampleRead() {
	f, warnings, err := cnf.Read(strings.NewReader("p cnf 2 3\n1 2 0\n-1 0\n"), "two.cnf")
	if err != nil {
		panic(err)
	}
	for clause := range f.Clauses() {
		fmt.Println(clause)
	}
	fmt.Println(warnings[0])
	// Output:
	// [1 2]
	// [-1]
	// two.cnf: there are 2 clauses, but the header has 3
}

// TestUntil has clauses that are read up to where somebody says that they are wanted no more.
func TestUntil(t *testing.T) {
	f := &cnf.Formula{Vars: 1}
	for range 1 << 14 {
		f.Add(1)
	}
	count := func(stop func() bool) (n int) {
		for range f.Until(stop) {
			n++
		}
		return n
	}
	asked := 0
	all, never, some := count(nil), count(func() bool { return false }), count(func() bool { asked++; return asked == 2 })
	if all != 1<<14 || never != all || asked != 2 || some == 0 || some >= all {
		t.Errorf("%d clauses, %d when it never stops, %d after %d questions", all, never, some, asked)
	}
	for range f.Until(func() bool { return true }) {
		return // who breaks off is not asked for more
	}
}
