package main

import (
	"os"
	"strings"
	"testing"

	"satingrid/cmd/satin/bench"
)

// TestBenchFar: all is measured, whatever it is.
func TestBenchFar(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	told := 0.0
	c, err := bench.MeasureFar(t.Context(), bench.Far{
		Processes: bench.Processes{App: command().App(), Command: []string{own, ownPeer}}, Rounds: 1,
		Trees:    []bench.FarTree{bench.FarTreeOf("T3", 1, 1, 1)},
		Progress: func(done float64) { told = done },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Rows) != len(bench.FarDelays) || told != 1 {
		t.Fatalf("%+v, told %v", c, told)
	}
	for n, r := range c.Rows {
		if r.Run != "uts T3" || r.One <= 0 || r.Delay != bench.FarDelays[n].Seconds() || r.Two <= 0 || r.Ratio.Value <= 0 {
			t.Errorf("%+v", r)
		}
	}
	var out strings.Builder
	if err := printFar(&out, c); err != nil || !strings.Contains(out.String(), "uts T3, 100ms apart") {
		t.Errorf("%s, %v", out.String(), err)
	}
}
