package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/programtest"
	"satingrid/satin/satintest"
)

// TestTable has a line for each combination, in order. Who is infected less fast than recovered
// infects nobody to speak of.
func TestTable(t *testing.T) {
	code, out, err := programtest.Run(application(), "run", "--infection", "0.1:0.5:0.2", "--recovery=0.2")
	want := []string{"infection,recovery,peak,day,spared", "0.1,0.2,0.001000,0.001,", "0.3,0.2,0.0", "0.5,0.2,0.2"}
	lines := strings.Split(out, "\n")
	if code != 0 || len(lines) != len(want)+1 || !slices.EqualFunc(lines[:len(want)], want, strings.HasPrefix) {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	for _, flags := range [][]string{{"--infection", "x"}, {"--infection", "1:2"}, {"--recovery", "0:1:0"}, {"--recovery", "0:1:1e-9"}, {"--recovery", "NaN:1:1"}} {
		programtest.Refused(t, application(), "is expected", "", flags...)
	}
	programtest.Refused(t, application(), "1000000 at most", "", "--infection", "0:1:0.001", "--recovery", "0:1:0.001")
}

// TestOnAGrid computes the same table on peers that come and go.
func TestOnAGrid(t *testing.T) {
	var w Sweep
	for i := range 40 {
		w.Infection, w.Recovery = append(w.Infection, float64(i)/10), []float64{0.1, 0.2}
	}
	same := func(alone, grid Table) bool { return slices.Equal(alone, grid) && len(grid) == 80 }
	satintest.Check(t, satintest.Config{App: application().App, Strict: true}, satintest.Storm{Seed: 1, Every: 20 * time.Millisecond}, w, time.Minute, same)
}
