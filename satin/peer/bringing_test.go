package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestAnswerIsBrought: to a master, until it says that it has it or is gone, and once in each of
// its lives: what it says of itself comes again and again.
func TestAnswerIsBrought(t *testing.T) {
	a := newAnswerer("a1", "b1")
	b := &a.brought
	if b.deadline() != steal.Never {
		t.Errorf("to nobody at %v", b.deadline())
	}
	keep := `Keep "4" with best "best"`
	if !b.begins(in("b1"), a.repeats()) || b.begins(in("b1"), a.repeats()) {
		t.Error("a master is told again and again, or never")
	}
	does(t, "to the master", a.bring(0, firstEpoch), "b1: "+keep)
	at := b.deadline()
	does(t, "no word", a.bring(at, firstEpoch), "b1: "+keep)
	if gap := b.deadline() - at; gap <= at {
		t.Errorf("then after %v", gap)
	}
	next := life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}}
	if a.livesOn(in("b1"), next); b.to != next {
		t.Error("it lives on, and is told as who it was")
	}
	if a.hearKept("a1"); b.deadline() == steal.Never {
		t.Error("another's word counts")
	}
	if a.hearKept("b1"); b.deadline() != steal.Never {
		t.Error("it has it, and is told")
	}
	if b.known(in("a1")); b.begins(in("a1"), a.repeats()) || b.deadline() != steal.Never {
		t.Error("who had it kept here is told")
	}
	gone := newAnswerer("a1")
	gone.brought.begins(in("a1"), a.repeats())
	gone.present = presentOf()
	if does(t, "it is gone", gone.bring(time.Second, firstEpoch)); gone.brought.deadline() != steal.Never {
		t.Error("one that is gone is told for ever")
	}
}

// TestWhoIsToldTheAnswer: each life of each master, but for those that are known to know it.
func TestWhoIsToldTheAnswer(t *testing.T) {
	again := life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}}
	for event, c := range map[string]struct {
		hears func(*bringing)
		told  bool // b1 is, afterwards
	}{
		"nothing yet":           {func(*bringing) {}, true},
		"it was told":           {func(b *bringing) { b.begins(in("b1"), newAnswerer().repeats()) }, false},
		"it had it kept here":   {func(b *bringing) { b.known(in("b1")) }, false},
		"another was told":      {func(b *bringing) { b.begins(in("a1"), newAnswerer().repeats()) }, true},
		"it was told since":     {func(b *bringing) { b.known(again); b.livesOn(in("a1"), in("b1")) }, true},
		"it has gone on as who": {func(b *bringing) { b.known(again); b.livesOn(again, in("b1")) }, false},
	} {
		b := &bringing{}
		if c.hears(b); b.begins(in("b1"), newAnswerer().repeats()) != c.told {
			t.Errorf("%s: it is told: %v", event, !c.told)
		}
	}
}
