package driver

import (
	"fmt"
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// TestMasters: one that nobody knows by name yet is told of when it is a member, if it still is the
// master.
func TestMasters(t *testing.T) {
	m := newMasters()
	on := func(peer.RunNo) bool { return true }
	m.mastered(1, "a", on)
	m.mastered(1, "b", on)
	m.isUnnamed(1, "b")
	if no, is := m.named("b"); no != 1 || !is {
		t.Errorf("b is named, the master of run %d: %v", no, is)
	}
	if _, is := m.named("b"); is {
		t.Error("that is told twice")
	}
	m.isUnnamed(1, "b")
	m.mastered(1, "c", on)
	if _, is := m.named("b"); is {
		t.Error("b is named, and c is the master")
	}
	m.isUnnamed(1, "c")
	m.ended(1)
	if _, is := m.named("c"); is {
		t.Error("c is named as the master of a run that has ended")
	}
}

// TestMastersAreBounded: of runs that are not on, older ones go; and so do names that never come.
func TestMastersAreBounded(t *testing.T) {
	m := newMasters()
	on := func(no peer.RunNo) bool { return no == 2 }
	for no := range peer.RunNo(mastersMax + 5) {
		m.mastered(no, "a", on)
		m.isUnnamed(no, membership.PeerID(fmt.Sprint(no)))
	}
	if len(m.of) > mastersMax || len(m.unnamed) > mastersMax || m.of[2] != "a" || m.of[1] != "" {
		t.Errorf("%d masters, %d without a name; that of a run that is on is %q", len(m.of), len(m.unnamed), m.of[2])
	}
}
