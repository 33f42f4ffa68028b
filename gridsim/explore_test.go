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

// TestExplore visits every state of three peers within some steps of several moments of a run.
func TestExplore(t *testing.T) {
	o := small(&Tree{Seed: 5, Depth: 2, Width: 3, Leaf: 50 * time.Millisecond})
	least, states, ends := 3000/slower, 0, 0
	for _, after := range []time.Duration{0, 60 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond} {
		e, err := Explore{Options: o, From: o.begin() + after, Steps: 40, StatesMax: least / 4, Losses: 1, Crashes: 1, Finish: 16}.Run()
		t.Logf("from %v: %+v", after, e)
		if err != nil {
			t.Fatal(err)
		}
		states += e.States
		ends += e.Finished
	}
	if states < least*9/10 || ends < least/20 {
		t.Errorf("%d states, %d played to the end", states, ends)
	}
}
