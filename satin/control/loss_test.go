package control

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// TestLossesAreCounted: what is put back while the effects of a loss are carried out is put down to
// it; the latest so many are kept, and what they cost a run goes with the run.
func TestLossesAreCounted(t *testing.T) {
	var l losses
	lose := func(id membership.PeerID, life uint64) *redone {
		l.begins(membership.Member{ID: id, Incarnation: membership.Incarnation{Join: life}})
		return l.now
	}
	first := lose("x", 1)
	first.Of(1).CameBack(time.Second)
	first.Of(1).CameBack(time.Millisecond)
	first.Of(1).DidAgain(2 * time.Second)
	first.of(1).root = true
	if l.over(); l.now != nil {
		t.Error("a loss is still in hand")
	}
	want := peer.Redone{
		Peer: "x", Incarnation: membership.Incarnation{Join: 1}, Spent: 2 * time.Second, Longest: time.Second, Root: true,
	}
	if all := l.in(1); len(all) != 1 || all[0] != want {
		t.Errorf("it has cost %+v, want %+v", all, want)
	}
	if all := l.in(2); len(all) != 0 {
		t.Errorf("it has cost another run %+v", all)
	}
	second := lose("x", 2)
	if l.of("x") != second || l.of("y") != nil {
		t.Error("the latest loss of a peer is another")
	}
	l.ended(1)
	if all := l.in(1); len(all) != 0 {
		t.Errorf("a run that has ended was struck: %+v", all)
	}
	for range lossesKept {
		lose("y", 1)
	}
	if len(l.all) != lossesKept || l.of("x") != nil {
		t.Errorf("%d losses are kept", len(l.all))
	}
}
