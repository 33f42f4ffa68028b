package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"satingrid/apps/uts/tree"
	"satingrid/satin"
	"satingrid/satin/program/figure"
)

// Programs of the tests, and the word that makes this test one of its processes.
var tried = []Computation{Fib(12, 8), Queens(6, 5), Tree("uts", tree.Default, 1.1), Fib(5, 3)}

const servesWord = "bench-serves"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == servesWord {
		if err := Serve(os.Stdin, os.Stdout, tried); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// alone is the command of such a process.
func alone(t *testing.T) []string {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{own, servesWord}
}

// TestRun checks that all is measured, not what: a timing is never a test.
func TestRun(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	told := 0.0
	programs := tried[:3]
	r, err := Run(t.Context(), Options{Rounds: figure.RoundsLeast, Programs: programs, Alone: alone(t), Progress: func(done float64) { told = done }})
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
		if row.Name != programs[i].Name || row.Sequential <= 0 || row.One <= 0 || row.Ratio.Value <= 0 || row.Ratio.Low == nil {
			t.Errorf("a row without figures: %+v", row)
		}
		if runtime.NumCPU() > 1 && (row.Share == nil || row.Share.Value <= 0 || row.SideBySide <= 0) {
			t.Errorf("a row without figures for two workers: %+v", row)
		}
		if row.SequentialAllocs > 1000 {
			t.Errorf("%s: the sequential program allocates %v times", row.Name, row.SequentialAllocs)
		}
	}
}

// TestWrong checks that a fast wrong answer is no result.
func TestWrong(t *testing.T) {
	p := Fib(5, 3)
	p.Satin = func(context.Context, *satin.Peer) (any, error) { return int64(6), nil }
	if _, err := Run(t.Context(), Options{Rounds: 1, Programs: []Computation{p}, Alone: alone(t)}); err == nil || !strings.Contains(err.Error(), "fib 5 gave 6") {
		t.Errorf("a wrong answer: %v", err)
	}
	p.Name = "nobody's"
	if _, err := Run(t.Context(), Options{Rounds: 1, Programs: []Computation{p}, Alone: alone(t)}); err == nil || !strings.Contains(err.Error(), "nobody's alone") {
		t.Errorf("a program that the processes do not have: %v", err)
	}
	p.Name = "fib 5"
	broken := errors.New("broken")
	p.Satin = func(context.Context, *satin.Peer) (any, error) { return nil, broken }
	if _, err := Run(t.Context(), Options{Rounds: 1, Programs: []Computation{p}, Alone: alone(t)}); !errors.Is(err, broken) {
		t.Errorf("a run that fails: %v", err)
	}
}
