package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/sat/check"
	"satingrid/apps/sat/cnf"
	"satingrid/satin/program/programtest"
)

// TestSAT has a model and a proof that the checker accepts, and exit codes that tell which it is.
func TestSAT(t *testing.T) {
	folder := t.TempDir()
	proof := filepath.Join(folder, "a.drat")
	code, out, errs := inProcess("run", "sat", "--generate", "vdw,4,4,34", "--sat-exit-codes", "--proof", proof)
	if code != 10 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	a, err := check.Read(strings.NewReader(out), "out")
	if err != nil || a.Status != "SATISFIABLE" {
		t.Fatal(a, err)
	}
	if err := check.Model(cnf.VanDerWaerden(4, 4, 34), a.Model); err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(out) {
		if len(line) > 79 {
			t.Errorf("a long line: %s", line)
		}
	}
	programtest.Alone(t, folder) // there was nothing to prove

	code, out, errs = inProcess("run", "sat", "--generate", "vdw,4,4,35", "--sat-exit-codes", "--proof", proof)
	if code != 20 || out != "s UNSATISFIABLE\n" {
		t.Fatalf("exit %d, %s%s", code, out, errs)
	}
	in, err := os.Open(proof)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if r, err := check.Proof(cnf.VanDerWaerden(4, 4, 35), in, "a.drat"); err != nil || r.Added == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	programtest.Alone(t, folder, "a.drat")
}

func TestSATDocument(t *testing.T) {
	for input, want := range map[string]string{
		"p cnf 2 2\n1 0\n-1 -2 0\n": `{"status":"SATISFIABLE","model":[1,-2]}`,
		"p cnf 0 0\n":               `{"status":"SATISFIABLE","model":[]}`,
		"p cnf 1 2\n1 0\n-1 0\n":    `{"status":"UNSATISFIABLE"}`,
		"p inccnf\n1 0\na 1 0\n":    `{"status":"SATISFIABLE","model":[1]}`,
	} {
		name := filepath.Join(t.TempDir(), "a.cnf")
		if err := os.WriteFile(name, []byte(input), 0o644); err != nil {
			t.Fatal(err)
		}
		code, out, errs := inProcess("run", "sat", name, "--json")
		var d struct {
			Input  string
			Answer json.RawMessage
		}
		if err := json.Unmarshal([]byte(out), &d); err != nil || code != 0 {
			t.Fatalf("exit %d, %v, %s", code, err, errs)
		}
		if string(d.Answer) != want || d.Input != name {
			t.Errorf("%q: %s", input, d.Answer)
		}
	}
}

// TestSATUnknown runs out of time: the status says so, and the exit code is that of no answer.
func TestSATUnknown(t *testing.T) {
	code, out, _ := inProcess("run", "sat", "--generate", "3sat,600,1", "--timeout", "300ms", "--sat-exit-codes")
	if code != exitTimeout || out != "s UNKNOWN\n" {
		t.Errorf("exit %d, %s", code, out)
	}
}

// TestSATWarning reads a formula whose header is wrong, and says so.
func TestSATWarning(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.cnf")
	if err := os.WriteFile(name, []byte("p cnf 1 2\n1 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := inProcess("run", "sat", name); code != 0 || !strings.HasPrefix(errs, "satin: "+name+": there are 1 clauses, but the header has 2\n") {
		t.Errorf("exit %d, %s", code, errs)
	}
}
