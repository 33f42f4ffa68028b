package gridsim

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestPanic: some job panics, at the master or at a thief in either site. The run fails with it,
// and nobody does it again.
func TestPanic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	away := 0
	for range 20 {
		w := &Tree{Seed: 5, Depth: 5, Width: 5, Leaf: 20 * time.Millisecond}
		w.Panics = w.drawLeaf(r)
		if alone := alone(w, w.Root()); alone.Outcome != steal.Panicked {
			t.Fatalf("alone it comes to %v", alone)
		}
		o := quiet(w, 20*time.Millisecond, steal.CRS, 3, 3)
		fails := 0
		o.spoil = func(m *peer.Message) bool {
			if m.Body.Kind() == peer.KindFail {
				fails++
			}
			return fails != 1 // the first is lost
		}
		report := play(t, o)
		away += min(fails, 1)
		if report.Panics != 1 {
			t.Errorf("the job panicked %d times", report.Panics)
		}
	}
	if away < 5 {
		t.Errorf("in %d of 20 runs another peer than the master executed it", away)
	}
}

// TestPanicIsToldToTheNextMaster: a job panics where nobody hears of it, since all that says so is
// lost until the master is dead.
func TestPanicIsToldToTheNextMaster(t *testing.T) {
	w := &Tree{Seed: 5, Depth: 5, Width: 5, Leaf: 20 * time.Millisecond}
	r := rand.New(rand.NewPCG(3, 4))
	told := 0
	for range 20 {
		w.Panics = w.drawLeaf(r)
		o := quiet(w, 20*time.Millisecond, steal.CRS, 3, 3)
		dead := false
		o.spoil = func(m *peer.Message) bool {
			dead = dead || m.Body.Kind() == peer.KindRecord && m.Body.(peer.Record).Head.Epoch.Number > 1
			if m.Body.Kind() != peer.KindFail {
				return true
			}
			if dead {
				told++
			}
			return dead
		}
		o.add(Fault{Kind: CrashMaster, At: at(3 * time.Second)})
		play(t, o)
	}
	if told == 0 {
		t.Error("no peer told the new master of a panic")
	}
}
