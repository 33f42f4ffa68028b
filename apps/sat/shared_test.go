package sat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/sat"
	"satingrid/apps/sat/cnf"
)

// slow are shared instances that take seconds.
var slow = []string{"250.cnf", "10-pigeons.cnf.gz", "manol-pipe-c9.cnf.gz", "fpga10_11_uns_rcr.cnf.gz"}

// TestShared solves the shared instances that take less than a second, with proofs; with SATIN_SLOW=1 all of them.
func TestShared(t *testing.T) {
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "MANIFEST.tsv"))
	if err != nil {
		t.Skipf("missing: %v", err)
	}
	solved := 0
	for line := range strings.Lines(string(manifest)) {
		fields := strings.Split(line, "\t")
		name, ours := strings.CutPrefix(fields[0], "sat/")
		if !ours || isSlow(name) && os.Getenv("SATIN_SLOW") == "" {
			continue
		}
		solved++
		t.Run(name, func(t *testing.T) {
			f := shared(t, filepath.Join(folder, "sat", name))
			a := solve(t, sat.Solve{Formula: *f, Certify: true})
			if got := map[sat.Status]string{sat.Satisfiable: "SAT", sat.Unsatisfiable: "UNSAT"}[a.Status]; got != fields[1] {
				t.Errorf("%v, %s is expected", a.Status, fields[1])
			}
		})
	}
	if solved < 15 {
		t.Errorf("the manifest has %d formulas", solved)
	}
}

func isSlow(name string) bool {
	for _, s := range slow {
		if s == name {
			return true
		}
	}
	return false
}

func shared(t *testing.T, file string) *cnf.Formula {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Skipf("missing: %v", err)
	}
	defer in.Close()
	f, _, err := cnf.Read(in, file)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
