package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"satingrid/cmd/satin/bench"
	"satingrid/satin/program/figure"
)

// TestBenchObserve: all is measured, whatever it is.
func TestBenchObserve(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	told := 0.0
	c, err := bench.Observe(t.Context(), bench.Observing{
		Processes: bench.Processes{App: command().App(), Command: []string{own, ownPeer}},
		Rounds:    figure.RoundsLeast, Queens: 9, Looks: figure.RoundsLeast, Every: 20 * time.Millisecond,
		Progress: func(done float64) { told = done },
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Run != "nqueens 9" || c.Looks < figure.RoundsLeast || c.Alone <= 0 || c.Observed <= 0 || *c.Time.Low <= 0 || *c.Time.High < *c.Time.Low || told <= 0 {
		t.Errorf("%+v, told %v", c, told)
	}
	var out strings.Builder
	if err := printObserving(&out, c); err != nil || !strings.Contains(out.String(), "\na run ") {
		t.Errorf("%s, %v", out.String(), err)
	}
}
