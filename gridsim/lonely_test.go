package gridsim

import (
	"slices"
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// lonelyMost is how often a peer may die in ten minutes of a root that ends it: five times before
// it waits, and then after one minute, two and four.
const lonelyMost = 9

// lonely plays ten minutes of a peer that nobody else is beside, and that is started again whenever
// the root of a run on its disk has ended it, and tells how often it died.
func lonely(seed uint64) (deaths int, err error) {
	work := NewDeadly(4, time.Second, slices.Repeat([]time.Duration{500 * time.Millisecond}, 1000)...)
	work.AtRoot = true
	o := quiet(&work.Tree, 20*time.Millisecond, steal.CRS, 1)
	o.Workload, o.Seed, o.Disks, o.Sound = work, seed, true, true
	w := newWorld(o)
	w.who.asker = w.populate()
	id := w.who.members()[0].id
	w.after(o.begin(), func() { w.submitUnder(w.who.asker, peer.Terms{Keep: 3600}) })
	w.after(o.begin()+400*time.Millisecond, func() {
		w.left--
		w.end(w.who.asker, false)
	})
	for at := o.begin(); at < o.begin()+10*time.Minute && w.err == nil; at += time.Second {
		w.play(at, func() bool { return false })
		if h := w.who.byID[id]; !h.up {
			deaths++
			w.restart(h)
		}
	}
	if deaths > lonelyMost {
		w.fail("lives", "%s died %d times of a root, %d at most it may in ten minutes", id, deaths, lonelyMost)
	}
	return deaths, w.err
}

// TestRootThatEndsALonelyPeer: after some lives with nothing finished the root waits, longer and
// longer, and the peer serves meanwhile.
func TestRootThatEndsALonelyPeer(t *testing.T) {
	for seed := range uint64(3) {
		deaths, err := lonely(seed)
		if t.Logf("seed %d: it died %d times", seed, deaths); err != nil || deaths < 6 {
			t.Errorf("seed %d: it died %d times in ten minutes: %v", seed, deaths, err)
		}
	}
}
