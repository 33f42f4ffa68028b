package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// epochOf is one of a master in its first life.
func epochOf(number uint64, master membership.PeerID) membership.Epoch {
	return membership.Epoch{Number: number, Master: in(master).incarnation}
}

// TestMasterBegins: with another master goes what was known of the former, and with an epoch of the
// same one nothing but since when it is.
func TestMasterBegins(t *testing.T) {
	for master, isNew := range map[membership.PeerID]bool{"a1": false, "b1": true} {
		m := itsMaster{epoch: epochOf(1, "a1"), master: "a1", heardOf: 5, strangerAt: 6, lookAt: 7, above: 8}
		m.support.claims = 3
		if m.begins(time.Minute, epochOf(2, master), master) != isNew {
			t.Errorf("that %s is master is another's: %v", master, !isNew)
		}
		if m.master != master || m.epoch != epochOf(2, master) || m.since != time.Minute || m.heardOf != 0 || m.above != 8 {
			t.Errorf("%s is master: %+v", master, m)
		}
		if left := m.support.claims == 3 && m.strangerAt == 6 && m.lookAt == 7; left == isNew {
			t.Errorf("%s is master, and what was known of the former is left: %v", master, left)
		}
	}
}

// TestNextEpoch is above all that was heard of, whether it was taken or not.
func TestNextEpoch(t *testing.T) {
	m := itsMaster{epoch: epochOf(4, "a1"), master: "a1"}
	for _, step := range []struct{ hears, over uint64 }{{0, 4}, {3, 4}, {9, 9}, {6, 9}} {
		m.heardAbove(epochOf(step.hears, "x1"))
		if e, over := m.next(in("me").incarnation); over != step.over || e != epochOf(step.over+1, "me") {
			t.Errorf("after %d it is %v, over %d, want over %d", step.hears, e, over, step.over)
		}
	}
	e, over := m.next(in("me").incarnation)
	m.begins(0, e, "me")
	if m.heardOf = over; m.isHeardBefore("me") {
		t.Error("its number was heard of before")
	}
	if m.heardOf = e.Number; !m.isHeardBefore("me") || m.isHeardBefore("a1") {
		t.Error("of a number that was heard of before it is master, and nobody says so, or of another's")
	}
}

// TestEpochsAreBelieved up to a number that grids come to.
func TestEpochsAreBelieved(t *testing.T) {
	m := itsMaster{}
	m.epochs.Over(1)
	if !m.admits(0, epochOf(2, "a1")) || m.admits(0, epochOf(membership.RaiseMax*3, "a1")) {
		t.Error("an epoch that nobody comes to is believed, or one that follows is not")
	}
}

// TestMasterIsLookedAt: a stranger for so long from when it was seen to be one, and when that is
// due, once. One that lives is not.
func TestMasterIsLookedAt(t *testing.T) {
	m := itsMaster{}
	if m.isDue(time.Hour) || m.deadline() != steal.Never {
		t.Error("nothing is to be looked at, and it is due")
	}
	for _, now := range []time.Duration{time.Second, 2 * time.Second} {
		if until := m.strangerUntil(now); until != time.Second+strangerMax {
			t.Errorf("at %v it is a stranger until %v", now, until)
		}
	}
	m.lookAt = 5
	if m.deadline() != 5 || m.isDue(4) || !m.isDue(5) || m.isDue(5) {
		t.Error("it is not looked at then, or twice")
	}
	m.lookAt = 5
	if m.lives(); m.isDue(5) || m.strangerUntil(time.Minute) != time.Minute+strangerMax {
		t.Error("it lives, and is looked at, or was a stranger before")
	}
}

// TestMasterIsAnothers: what one hears as master of its own epoch is nothing against another's.
func TestMasterIsAnothers(t *testing.T) {
	m := itsMaster{epoch: epochOf(3, "a1"), master: "a1", heardOf: 3}
	if m.isHeardBefore("me") {
		t.Error("a number that another has taken is held against this one")
	}
}
