package bench

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"satingrid/apps/uts/tree"
	"satingrid/satin"
)

// TestRun checks that all is measured, not what: a timing is never a test.
func TestRun(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	told := 0.0
	programs := []Computation{Fib(12, 8), Queens(6, 5), Tree("uts", tree.Default, 1.1)}
	r, err := Run(t.Context(), Options{Rounds: 3, Programs: programs, Progress: func(done float64) { told = done }})
	if err != nil {
		t.Fatal(err)
	}
	if told != 1 {
		t.Errorf("the last progress told is %v", told)
	}
	if after := runtime.GOMAXPROCS(0); after != before {
		t.Errorf("GOMAXPROCS is %d, was %d", after, before)
	}
	for i, row := range r.Rows {
		if row.Name != programs[i].Name || row.Sequential <= 0 || row.One <= 0 || row.Ratio <= 0 {
			t.Errorf("a row without figures: %+v", row)
		}
		if runtime.NumCPU() > 1 && (row.Share <= 0 || row.SideBySide <= 0) {
			t.Errorf("a row without figures for two workers: %+v", row)
		}
	}
}

// TestWrong checks that a fast wrong answer is no result.
func TestWrong(t *testing.T) {
	p := Fib(5, 3)
	p.Satin = func(context.Context, *satin.Peer) (any, error) { return int64(6), nil }
	if _, err := Run(t.Context(), Options{Rounds: 1, Programs: []Computation{p}}); err == nil || !strings.Contains(err.Error(), "fib 5 gave 6") {
		t.Errorf("a wrong answer: %v", err)
	}
	broken := errors.New("broken")
	p.Satin = func(context.Context, *satin.Peer) (any, error) { return nil, broken }
	if _, err := Run(t.Context(), Options{Rounds: 1, Programs: []Computation{p}}); !errors.Is(err, broken) {
		t.Errorf("a run that fails: %v", err)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct{ of, want []float64 }{
		{[]float64{3}, []float64{3}},
		{[]float64{4, 1}, []float64{2.5}},
		{[]float64{9, 1, 2}, []float64{2}},
	} {
		if got := median(c.of); got != c.want[0] {
			t.Errorf("median of %v is %v", c.of, got)
		}
	}
}
