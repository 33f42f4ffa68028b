package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/knapsack/check"
	"satingrid/apps/knapsack/instance"
)

const threeItems = "3\n5\n\n6 1\n10 2\n12 3\n"

// TestKnapsack solves a file, and the checker accepts both forms of the answer.
func TestKnapsack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "three.kp")
	if err := os.WriteFile(file, []byte(threeItems), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := instance.Read(strings.NewReader(threeItems), file)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", "knapsack", file}, {"run", "knapsack", file, "--json"}} {
		code, out, errs := inProcess(args...)
		if code != 0 {
			t.Fatalf("exit %d, %s", code, errs)
		}
		c, err := check.Answer(strings.NewReader(out), "answer")
		if err != nil {
			t.Fatal(err)
		}
		if r, err := check.Verify(p, c); err != nil || !c.Optimal || !r.Optimal || r.Value != 22 {
			t.Errorf("%+v, %v: %s", r, err, out)
		}
	}
}

// TestKnapsackGenerated solves a generated problem, which the answer names.
func TestKnapsackGenerated(t *testing.T) {
	var d struct {
		Input  string
		Answer struct {
			Value, Weight, Bound int64
			Items                []int
			Optimal              bool
		}
	}
	code, out, errs := inProcess("run", "knapsack", "--generate", "2,60,1000,1", "--json")
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != 0 {
		t.Fatalf("exit %d, %v, %s", code, err, errs)
	}
	if a := d.Answer; d.Input != "02StronglyCorrelated_n00060_R01000_s001" || !a.Optimal || a.Bound != a.Value || len(a.Items) == 0 {
		t.Errorf("%s", out)
	}
}

// TestKnapsackPartial prints the best so far, and how far it may be from the best of
// all, when time is up.
func TestKnapsackPartial(t *testing.T) {
	var code int
	var out, errs string
	for _, timeout := range []string{"5ms", "50ms", "500ms", "5s"} { // a slow machine gets more
		code, out, errs = inProcess("run", "knapsack", "--generate", "subsetsum,52,1000000000000000,1", "--timeout", timeout)
		if code == exitPartial {
			break
		}
	}
	if code != exitPartial || !strings.Contains(out, "optimal no, no value is more than ") {
		t.Fatalf("exit %d, %s, %s", code, out, errs)
	}
	if c, err := check.Answer(strings.NewReader(out), "answer"); err != nil || c.Optimal || c.Value == 0 {
		t.Errorf("%+v, %v", c, err)
	}
}
