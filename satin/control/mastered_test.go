package control

import (
	"slices"
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// TestMastersByTurns hears two masters by turns, as while the grid is cut, and then one that takes
// over again.
func TestMastersByTurns(t *testing.T) {
	a := newRunStats(stopped{})
	hear := func(name string, master bool) {
		a.take(membership.PeerID(name), peer.Report{Master: master, Stats: PeerStats{Name: name}})
	}
	for range 3 {
		hear("a/1", true)
		hear("b/1", true)
	}
	hear("a/1", false)
	hear("b/1", true)
	hear("a/1", true)
	if got, want := a.stats().Masters, []string{"a/1", "b/1", "a/1"}; !slices.Equal(got, want) {
		t.Errorf("the masters are %v, wanted %v", got, want)
	}
}
