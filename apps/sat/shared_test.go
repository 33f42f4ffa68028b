package sat_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"satingrid/apps/sat"
	"satingrid/apps/sat/cnf"
	"satingrid/satin"
	"satingrid/satin/effort"
	"satingrid/satin/satintest"
)

// slow are shared instances that take seconds, or are there packed, too.
var slow = []string{"250.cnf", "uuf200-01.cnf", "10-pigeons.cnf.gz", "manol-pipe-c9.cnf.gz", "fpga10_11_uns_rcr.cnf.gz"}

// TestShared solves the shared instances that take less than a second, with proofs; with
// SATIN_SLOW=1 all of them.
func TestShared(t *testing.T) {
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "MANIFEST.tsv"))
	if err != nil {
		t.Skipf("an instance of SATIN_DATA is missing: %v", err)
	}
	solved := 0
	for line := range strings.Lines(string(manifest)) {
		fields := strings.Split(line, "\t")
		name, ours := strings.CutPrefix(fields[0], "sat/")
		if !ours || isSlow(name) && !effort.Long() {
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

// TestSharedLosses kills the master and gains a peer while a proof is made; with SATIN_SLOW=1 of
// all unsatisfiable shared instances that take more than a moment.
func TestSharedLosses(t *testing.T) {
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	if _, err := os.Stat(filepath.Join(folder, "sat")); err != nil {
		t.Skipf("an instance of SATIN_DATA is missing: %v", err)
	}
	names := []string{"uuf200-01.cnf"}
	if effort.Long() {
		names = append(names, "dlx2_cc.cnf.gz", "250.cnf", "manol-pipe-c9.cnf.gz")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			f := shared(t, filepath.Join(folder, "sat", name))
			for _, after := range []time.Duration{60, 20, 5, 1, 0} {
				// the faster the machine, the sooner
				if lostAfter(t, f, after*time.Millisecond) {
					return
				}
			}
			t.Error("all runs had ended before the master was killed")
		})
	}
}

// lostAfter kills the master of a run, and tells whether it was still going on.
func lostAfter(t *testing.T, f *cnf.Formula, after time.Duration) (inTime bool) {
	t.Helper()
	g := satintest.Start(t, satintest.Config{App: sat.App(), Delay: time.Millisecond})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	sub, err := satin.Submit(ctx, g.Client, sat.Solve{Formula: *f, Certify: true})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(after) // the moment is what differs
	select {
	case <-sub.Done():
	default:
		inTime = true
	}
	g.Kill("a/1")
	if _, err := g.Add("b"); err != nil {
		t.Fatal(err)
	}
	a, err := sub.Wait()
	if err != nil || a.Status != sat.Unsatisfiable {
		t.Fatal(a.Status, err)
	}
	verify(t, f, a, true)
	return inTime
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
		t.Skipf("an instance of SATIN_DATA is missing: %v", err)
	}
	defer in.Close()
	f, _, err := cnf.Read(in, file)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
