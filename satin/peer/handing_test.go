package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestHanding: an heir is asked in each of its lives, again and again until it has answered. What
// it has said holds when it goes on under another incarnation.
func TestHanding(t *testing.T) {
	var h handing
	heir, other := in("b1"), in("c1")
	if h.has(heir) || h.deadline() != steal.Never {
		t.Error("nobody was asked, and holds the run, or is asked again")
	}
	if !h.begins(heir) || h.begins(heir) {
		t.Error("it is asked twice, or never")
	}
	h.asks(0, 0)
	first := h.deadline()
	h.asks(first, 0)
	second := h.deadline() - first
	if h.asks(0, bytesPerSecond); first < willGapMin/2 || second <= first || h.deadline() <= time.Second {
		t.Errorf("it is asked again after %v, then after %v, and of a long root at %v", first, second, h.deadline())
	}
	if h.hearHolds(other); h.has(heir) || h.has(other) {
		t.Error("another's word counts")
	}
	if h.hearHolds(heir); !h.has(heir) || h.deadline() != steal.Never {
		t.Error("it holds the run, and is not believed")
	}
	is := life{"b1", membership.Incarnation{Join: 99}}
	if h.livesOn(other, is); !h.has(heir) {
		t.Error("another goes on, and it is forgotten")
	}
	if h.livesOn(heir, is); !h.has(is) || h.begins(is) || !h.begins(other) {
		t.Error("it goes on, and is forgotten, or no other is asked")
	}
}

// TestKeptRunsAreHandedOn: those that are to be kept the heir holds before this peer goes, whoever
// is their master. It is asked again, and in each of its lives.
func TestKeptRunsAreHandedOn(t *testing.T) {
	g := newGoer(t, "b1")
	g.begin(0, departs{deadline: 20 * time.Second})
	g.leaving.tick(0)
	r := g.runs.all[0]
	r.root, r.rootBytes, r.keeps = []byte("root"), 4, []steal.Submission{{Submitter: "u", Nonce: 1, Keeps: true}}
	bare := g.runs.whole(steal.Instance{Run: steal.Key{2}})
	bare.root, bare.keeps = nil, r.keeps // nobody can have from it what it has not
	const ask = `b1: Record epoch 0 master  submissions 2 root "", to be confirmed by its heir`
	does(t, "the heir is asked", g.handRuns(0), ask)
	does(t, "once", g.handRuns(0))
	if g.leaving.askedBytes != 4 {
		t.Errorf("%d bytes are waited for", g.leaving.askedBytes)
	}
	due := r.handing.deadline()
	does(t, "not yet again", g.repeat(due-1, r))
	does(t, "it has not answered", g.repeat(due, r), ask)
	if n := g.unheld(g.leaving.heir); n != 1 {
		t.Errorf("%d runs are not held", n)
	}
	r.handing.hearHolds(g.leaving.heir)
	if does(t, "it holds the run", g.handRuns(due), "has left, its heir is b1"); g.unheld(g.leaving.heir) != 0 {
		t.Error("it does not count as held")
	}
	if n := g.unheld(life{}); n != 1 {
		t.Errorf("nobody is there and there is no disk: %d runs are not held", n)
	}
	if g.departing.storing.on = true; g.unheld(life{}) != 0 {
		t.Error("there is a disk, and it counts as lost")
	}
	g.mute = false
	g.stay(due)
	if r.handing.deadline() != steal.Never || r.handing.has(in("b1")) {
		t.Error("it stays, and its leave goes on")
	}
}
