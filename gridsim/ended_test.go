package gridsim

import (
	"testing"
	"time"

	"satingrid/steal"
)

// withoutFT plays a grid of two sites of three in which a run fails when a peer is lost.
func withoutFT(t *testing.T, seed int, faults ...Fault) Report {
	t.Helper()
	tree := &Tree{Seed: uint64(seed), Depth: 4, Width: 4, Leaf: 50 * time.Millisecond}
	o := quiet(tree, 5*time.Millisecond, steal.CRS, 3, 3)
	o.Seed, o.CheckAll, o.Asides, o.NoFT, o.ByPeer = uint64(seed), true, true, true, seed%2 > 0
	for _, f := range faults {
		o.add(f)
	}
	return play(t, o)
}

// TestWithoutFaultToleranceRunsFail: with a peer that is killed a run fails, once, and nothing is
// left of it; with one that leaves in order it goes on.
func TestWithoutFaultToleranceRunsFail(t *testing.T) {
	for seed := range 6 {
		if r := withoutFT(t, seed, Fault{Kind: Crash, At: at(400 * time.Millisecond), Host: 3}); r.Bereft != 1 || r.Statistics.Jobs > 0 {
			t.Errorf("seed %d: a peer was killed, and %d runs have failed", seed, r.Bereft)
		}
		if r := withoutFT(t, seed, Fault{Kind: Leave, At: at(400 * time.Millisecond), For: 10 * time.Second, Host: 3}); r.Bereft != 0 || r.Statistics.Jobs == 0 {
			t.Errorf("seed %d: a peer has left, and %d runs have failed", seed, r.Bereft)
		}
	}
}
