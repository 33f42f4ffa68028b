package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/programtest"
	"satingrid/satin/satintest"
)

// TestOnAGrid: peers that come and go throw the very darts that are thrown alone.
func TestOnAGrid(t *testing.T) {
	same := func(alone, grid Hits) bool {
		estimate, deviation := grid.pi()
		return alone == grid && grid.Darts == 20*dartsJob && math.Abs(estimate-math.Pi) < 4*deviation
	}
	satintest.Check(t, satintest.Config{App: application().App, Strict: true}, satintest.Storm{Seed: 1, Every: 20 * time.Millisecond}, Throw{Seed: 1, Jobs: 20}, time.Minute, same)
}

// TestSeed draws the same again with the same seed, and others with another.
func TestSeed(t *testing.T) {
	draw := func(seed string) string {
		code, out, err := programtest.Run(application(), "run", "3000000", "--seed", seed)
		if code != 0 || !strings.HasPrefix(out, "3.14") {
			t.Fatalf("exit %d, %q, %q", code, out, err)
		}
		return out
	}
	if one, again, two := draw("1"), draw("1"), draw("2"); one != again || one == two {
		t.Errorf("%q, %q and %q", one, again, two)
	}
	programtest.Refused(t, application(), "0 darts: 1 or more are expected", "0")
}
