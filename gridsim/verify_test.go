package gridsim

import (
	"testing"
	"time"

	"satingrid/steal"
)

// TestVerifyCostsItsShare verifies all that is lent, and demands that a job is executed about
// once for itself and once for each time that it, or what is above it, was lent, which is at
// fewer than half of the levels. What is executed to verify a result is not verified: each of
// these would double the work.
func TestVerifyCostsItsShare(t *testing.T) {
	again := uint64(0)
	for seed := range uint64(4) {
		tree := &Tree{Seed: seed + 1, Depth: 8, Width: 3, Leaf: 20 * time.Millisecond}
		o := quiet(tree, time.Millisecond, steal.CRS, 6, 6)
		once := play(t, o).Jobs
		o.Verify = 1
		verified := play(t, o).Jobs
		levels := uint64(tree.Depth) + 1
		t.Logf("%d jobs, %d with what is verified", once, verified)
		if verified > once*(1+levels/2) {
			t.Errorf("%d jobs on %d levels became %d", once, levels, verified)
		}
		again += verified - once
	}
	if again == 0 {
		t.Error("nothing was executed again")
	}
}

// TestVerifyWhileRootsAreRead: peers without work that cannot begin a job yet do not pass it
// around among them, and one that is passed on all the same costs no more to verify: it is drawn
// by who has spawned it.
func TestVerifyWhileRootsAreRead(t *testing.T) {
	tree := &Tree{Seed: 1, Depth: 6, Width: 3, Leaf: 20 * time.Millisecond}
	for seed := range uint64(4) {
		o := quiet(tree, time.Millisecond, steal.CRS, 6, 6)
		o.Seed, o.Verify, o.Heavy = seed+1, 1, time.Second
		r := play(t, o)
		once, _, _ := measure(tree)
		t.Logf("%d jobs became %d, which were lent %d times", once, r.Jobs, r.LentNear+r.LentFar)
		if levels := tree.Depth + 1; r.Jobs > uint64(once*(1+levels/2)) || r.LentNear+r.LentFar > r.Jobs {
			t.Errorf("%d jobs on %d levels became %d, which were lent %d times", once, levels, r.Jobs, r.LentNear+r.LentFar)
		}
	}
}
