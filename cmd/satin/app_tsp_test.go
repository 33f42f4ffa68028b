package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/tsp/check"
	"satingrid/apps/tsp/tsplib"
	"satingrid/satin/program/programtest"
)

// nine is a problem with coordinates whose shortest tour has the length 10: nine cities in a
// square.
const nine = `NAME: nine
TYPE: TSP
DIMENSION: 9
EDGE_WEIGHT_TYPE: MAN_2D
NODE_COORD_SECTION
1 0 0
2 1 0
3 2 0
4 0 1
5 1 1
6 2 1
7 0 2
8 1 2
9 2 2
EOF
`

// TestTSP solves a file; picture, tour and certificate are there, and the checker accepts them.
func TestTSP(t *testing.T) {
	t.Setenv("SATIN_TSP_TALLY", "") // which --tally sets: for this test only
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	if err := os.WriteFile(in("a.tsp"), []byte(nine), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := inProcess("run", "tsp", in("a.tsp"), "-o", in("a.svg"), "--proof", in("a.proof"))
	if code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if !strings.Contains(out, "COMMENT : length 10, which is optimal") {
		t.Error(out)
	}
	p, err := tsplib.Read(strings.NewReader(nine), "a.tsp")
	if err != nil {
		t.Fatal(err)
	}
	tour, err := tsplib.ReadTour(strings.NewReader(out), "out", 9)
	if err != nil {
		t.Fatal(err)
	}
	if length, err := check.Length(p, tour); err != nil || length != 10 {
		t.Errorf("%d, %v", length, err)
	}
	proof, err := os.Open(in("a.proof"))
	if err != nil {
		t.Fatal(err)
	}
	defer proof.Close()
	if r, err := check.Certificate(p, proof, "a.proof"); err != nil || r.Length != 10 {
		t.Errorf("%+v, %v", r, err)
	}
	if text, err := os.ReadFile(in("a.svg")); err != nil || !strings.Contains(string(text), "length 10, which is optimal") {
		t.Errorf("no picture: %v", err)
	}
	initialTSP(t, in, out)
	programtest.Alone(t, folder, "a.png", "a.proof", "a.svg", "a.tour", "a.tsp", "tally")
}

// initialTSP solves the file again, beginning with the tour that was printed.
func initialTSP(t *testing.T, in func(string) string, tour string) {
	if err := os.WriteFile(in("a.tour"), []byte(tour), 0o644); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Input  string
		Answer struct {
			Length, Bound int
			Tour          []int
			Optimal       bool
			Work          struct{ Nodes, Explored int }
		}
	}
	code, out, errs := inProcess("run", "tsp", in("a.tsp"), "--initial", in("a.tour"), "--json", "-o", in("a.png"), "--tally", in("tally"))
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != 0 {
		t.Fatalf("exit %d, %v, %s", code, err, errs)
	}
	a := d.Answer
	if d.Input != in("a.tsp") || a.Length != 10 || a.Bound != 10 || !a.Optimal || len(a.Tour) != 9 || a.Tour[0] != 1 || a.Work.Nodes < 1 || a.Work.Explored != a.Work.Nodes {
		t.Errorf("%s", out)
	}
}
