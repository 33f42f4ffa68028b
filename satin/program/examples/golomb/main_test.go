package main

import (
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/programtest"
	"satingrid/satin/satintest"
)

// optimal are the lengths of the shortest rulers, by their marks.
var optimal = map[int]int{2: 1, 3: 3, 4: 6, 5: 11, 6: 17, 7: 25, 8: 34, 9: 44}

// isRuler tells whether a ruler is one: from 0 on, and each distance there once.
func isRuler(r Ruler) bool {
	seen := map[int]bool{}
	for i, a := range r {
		for _, b := range r[:i] {
			if a <= b || seen[a-b] {
				return false
			}
			seen[a-b] = true
		}
	}
	return r[0] == 0
}

// TestKnown finds rulers of the known lengths.
func TestKnown(t *testing.T) {
	for marks, length := range optimal {
		r, err := satin.Run(t.Context(), nil, Search{Ruler{0}, marks - 1})
		if err != nil || len(r) != marks || !isRuler(r) || r.length() != length {
			t.Errorf("%d marks: %v, %v, want length %d", marks, r, err, length)
		}
	}
}

// TestOnAGrid finds one on peers that come and go.
func TestOnAGrid(t *testing.T) {
	same := func(alone, grid Ruler) bool {
		return len(grid) == 8 && isRuler(grid) && alone.length() == grid.length()
	}
	satintest.Check(t, satintest.Config{App: application().App, Strict: true}, satintest.Storm{Seed: 1, Every: 20 * time.Millisecond}, Search{Ruler{0}, 7}, time.Minute, same)
}

func TestCommandLine(t *testing.T) {
	if brief := (Ruler{0, 1, 3}).Brief(); brief != "best 3" {
		t.Errorf("so far there is %q", brief)
	}
	if code, out, err := programtest.Run(application(), "run", "5"); code != 0 || !strings.HasPrefix(out, "11 [0 ") {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	if code, out, err := programtest.Run(application(), "run", "4", "--json"); code != 0 || !strings.Contains(out, `"answer":[0,`) {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	programtest.Refused(t, application(), "99 marks are out of range: 2 to 14 are expected", "99")
}
