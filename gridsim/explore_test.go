package gridsim

import (
	"testing"
	"time"

	"satingrid/steal"
)

// small are three peers of one site, one of which submits a run of a few jobs.
func small(w Workload) Options {
	o := quiet(w, 0, steal.CRS, 3)
	o.Near.Jitter, o.ByPeer = 0, true
	return o
}

// TestExplore visits every state of three peers within some steps of several moments of a run: its
// beginning, when jobs have been lent, when results come back, and near its end. Half of the
// moments have a best.
func TestExplore(t *testing.T) {
	t.Parallel()
	least := 2000 / slower
	if *campaignFlag > 0 {
		least = 24_000
	}
	tree := Tree{Seed: 5, Depth: 2, Width: 4, Leaf: 200 * time.Millisecond}
	states, ends := 0, 0
	for _, w := range []Workload{&tree, &Search{Tree: tree}} {
		o := small(w)
		undisturbed := play(t, o).Took
		for part := range time.Duration(4) {
			x := Explore{Options: o, From: o.begin() + undisturbed*part*3/10, Steps: 40, StatesMax: least / 8, Losses: 1, Crashes: 1, Finish: 16}
			e, err := x.Run()
			t.Logf("%T after %v: all within %d steps, %+v", w, undisturbed*part*3/10, e.Steps, e)
			if err != nil {
				t.Fatal(err)
			}
			states += e.States
			ends += e.Finished
		}
	}
	t.Logf("explored: %d states of three peers, %d of them played to the end", states, ends)
	if states < least*9/10 || ends < least/32 {
		t.Errorf("%d states, %d played to the end", states, ends)
	}
}
