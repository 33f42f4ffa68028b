package peer

import (
	"slices"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

// hostileGrid is two peers and a client that a hostile host can reach.
func hostileGrid(t *testing.T) *script {
	s := &script{t: t, peers: map[string]*Peer{}, nonce: map[string]steal.Nonce{}, bests: map[string][]byte{}}
	for _, c := range [][]string{{"found", "a/1"}, {"join", "a/2", "via", "a/1"}, {"run", "1s"}, {"client", "c", "via", "a/1"}, {"run", "1s"}} {
		s.command(c)
	}
	return s
}

// said is one message of a host to a grid of two and a client, and what became of it.
func said(t *testing.T, from membership.Incarnation, body membership.Body) *script {
	s := hostileGrid(t)
	for _, to := range slices.Clone(s.names) {
		s.do(to, s.peers[to].Received(s.now, "h", Message{From: from, Body: body}))
	}
	s.command([]string{"run", "3s"})
	return s
}

// TestClientsSpeakForThemselves: no client buries a member, bars one, ends another's run or answers
// it.
func TestClientsSpeakForThemselves(t *testing.T) {
	dead := hostileGrid(t).peers["a/2"].Sight().Self()
	dead.State, dead.How = membership.Dead, membership.Killed
	s := said(t, asClient, membership.Barred{Bars: []membership.Bar{{ID: "a/2", Counter: 1, Barred: true}}})
	if s.peers["a/1"].view.IsBarred("a/2") {
		t.Error("a client bars")
	}
	s = said(t, asClient, membership.Gone{Member: dead})
	if s.peers["a/2"].Sight().Self().Incarnation.Rejoin > 0 {
		t.Error("after a client's word a/2 needs another life")
	}
	s = hostileGrid(t)
	s.command([]string{"submit", "c", "root"})
	s.command([]string{"run", "1s"})
	ended := Ended{[]Tombstone{{Submission: s.peers["a/1"].runs.all[0].submissions[0]}}}
	s.do("a/1", s.peers["a/1"].Received(s.now, "h", Message{From: asClient, Body: ended}))
	if len(s.peers["a/1"].runs.all) != 1 {
		t.Error("after another client's word the run is over")
	}
}

// TestRoleIsProved: who is a client at the handshake is none that joins, whatever it says.
func TestRoleIsProved(t *testing.T) {
	s := hostileGrid(t)
	h := someone("h", 7)
	for _, isClient := range []bool{true, false} {
		s.peers["a/1"].Proved("h", isClient)
		greet(s.peers["a/1"], s.now, h)
		if in := s.peers["a/1"].view.Has("h", h.Incarnation); in == isClient {
			t.Errorf("a client: %v; it is let in: %v", isClient, in)
		}
	}
}

// TestEveryKindHasItsSpeakers: somebody may say it, and somebody hears it, whatever is in it.
func TestEveryKindHasItsSpeakers(t *testing.T) {
	for _, b := range Bodies() {
		k := byNumber[b.Kind()]
		if k.by == 0 {
			t.Errorf("nobody may say %T", b)
		}
		p, other := lone(t)
		who := p.view.Known("other")
		k.heard(p, &arrival{life: life{"other", other}, as: member, member: who, message: Message{From: other, Body: b}})
	}
}
