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
	var h handover
	var asks questions
	heir, other := in("b1"), in("c1")
	if h.has(heir) || h.deadline() != steal.Never {
		t.Error("nobody was asked, and holds the run, or is asked again")
	}
	if !h.begins(0, heir, &asks) || h.begins(0, heir, &asks) {
		t.Error("it is asked twice, or never")
	}
	h.asks(0, 0)
	first := h.deadline()
	h.asks(first, 0)
	second := h.deadline() - first
	if h.asks(0, bytesPerSecond); first < willGapMin/2 || second <= first || h.deadline() <= time.Second {
		t.Errorf("it is asked again after %v, then after %v, and of a long root at %v", first, second, h.deadline())
	}
	if h.hearHolds(other, h.number); h.has(heir) || h.has(other) {
		t.Error("another's word counts")
	}
	if h.hearHolds(heir, h.number); !h.has(heir) || h.deadline() != steal.Never {
		t.Error("it holds the run, and is not believed")
	}
	is := life{"b1", membership.Incarnation{Join: 99}}
	if h.livesOn(other, is); !h.has(heir) {
		t.Error("another goes on, and it is forgotten")
	}
	if h.livesOn(heir, is); !h.has(is) || h.begins(0, is, &asks) || !h.begins(0, other, &asks) {
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
	r.root.bytes, r.root.size, r.keeps = []byte("root"), 4, []steal.Submission{{Submitter: "u", Nonce: 1, Keeps: true}}
	bare := g.runs.whole(steal.Instance{Run: steal.Key{2}})
	bare.root.bytes, bare.keeps = nil, r.keeps // nobody can have from it what it has not
	const ask = `b1: Record epoch 0 master  submissions 2 root "", to be confirmed by its heir`
	does(t, "the heir is asked", g.handOver(0), ask)
	does(t, "once", g.handOver(0))
	if g.leaving.askedBytes != 4 {
		t.Errorf("%d bytes are waited for", g.leaving.askedBytes)
	}
	due := r.handover.deadline()
	does(t, "not yet again", g.repeat(due-1, r))
	does(t, "it has not answered", g.repeat(due, r), ask)
	if n := g.unheld(g.leaving.heir); n != 1 {
		t.Errorf("%d runs are not held", n)
	}
	r.handover.hearHolds(g.leaving.heir, r.handover.number)
	if does(t, "it holds the run", g.handOver(due), "has left, its heir is b1"); g.unheld(g.leaving.heir) != 0 {
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
	if r.handover.deadline() != steal.Never || r.handover.has(in("b1")) {
		t.Error("it stays, and its leave goes on")
	}
}

// TestHeirIsAskedAnew: once another was told that this peer holds a run, what the heir says to a
// question from before does not count, whenever it comes. It is asked soon, and then later and
// later; another heir is asked at once.
func TestHeirIsAskedAnew(t *testing.T) {
	heir, other := in("b1"), in("c1")
	for _, early := range []bool{true, false} {
		var h handover
		var asks questions
		if h.relied(0); !h.begins(0, heir, &asks) {
			t.Fatal("nobody was asked yet, and the first heir is not asked at once")
		}
		for n := range 4 {
			was := h.number
			if early {
				h.hearHolds(heir, was)
			}
			h.relied(0)
			soon := h.deadline()
			if h.has(heir) || soon != anewGapMin<<n || h.begins(soon-1, heir, &asks) || !h.begins(soon, heir, &asks) || h.number == was {
				t.Fatalf("answered %v: time %d it is asked at %v, by number %d after %d", early, n, soon, h.number, was)
			}
			h.asks(soon, 0)
			if h.hearHolds(heir, was); h.has(heir) {
				t.Errorf("answered %v: what it has said before counts", early)
			}
		}
		if h.hearHolds(heir, h.number); !h.has(heir) {
			t.Errorf("answered %v: what it has said since does not count", early)
		}
		h.relied(0)
		if h.forget(); h.deadline() != steal.Never || !h.begins(0, other, &asks) {
			t.Errorf("answered %v: another heir waits", early)
		}
	}
}
