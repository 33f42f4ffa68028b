package satin

import (
	"testing"

	"satingrid/membership"
)

// TestMissed hears of a peer only by what it says that it did: when the answer is there and it is not, it is dead.
func TestMissed(t *testing.T) {
	a := newAccount()
	for _, id := range []membership.PeerID{"x", "y", "z"} {
		a.take(id, report{Stats: PeerStats{Name: string(id), State: "here"}})
	}
	a.lost(membership.Lost{Member: membership.Member{ID: "z", Name: "z", State: membership.Left, How: membership.Went}})
	a.missed([]membership.Member{{ID: "y"}})
	for i, want := range []string{"dead", "here", "left"} {
		if p := a.stats().Peers[i]; p.State != want {
			t.Errorf("%s is %s, wanted %s", p.Name, p.State, want)
		}
	}
}
