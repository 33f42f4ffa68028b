package peer

import (
	"fmt"
	"slices"
	"testing"

	"satingrid/membership"
)

// TestWhoWasLiedToIsTold: a host that came through a member that lies about numbers knows what the
// others know, once it has heard one of them, and they know it.
func TestWhoWasLiedToIsTold(t *testing.T) {
	for _, how := range []string{"join", "client"} {
		for _, lie := range []struct{ join, bar uint64 }{{1 << 21, 0}, {1 << 40, 1 << 61}, {4, 1 << 21}, {4, 1 << 61}, {1<<61 - 1, 0}, {1 << 61, 1 << 61}} {
			t.Run(fmt.Sprint(how, lie), func(t *testing.T) {
				s := hostileGrid(t)
				liar := someone("h", lie.join)
				snapshot := Snapshot{About: aboutAll, Members: []membership.Member{liar, s.peers["a/1"].Sight().Self()}}
				if lie.bar > 0 {
					snapshot.Bars = []membership.Bar{{ID: "a/2", Counter: lie.bar, Barred: true}}
				}
				s.command([]string{how, "young", "via", "h"})
				s.tells("young", "h", liar.Incarnation, snapshot)
				young := s.peers["young"]
				if knows := len(young.Sight().Members()); knows == 0 || how == "join" && !entered(young.view.Self()) || young.view.IsBarred("a/2") != (lie.bar > 0) {
					t.Fatalf("the lie is not believed: %v", young.Sight().Members())
				}
				for _, id := range []membership.PeerID{"a/1", "a/2"} {
					s.do("young", young.Connected(s.now, id))
				}
				s.command([]string{"run", "30s"})
				for _, name := range []string{"a/1", "a/2"} {
					p := s.peers[name]
					if p.gone || young.view.IsBarred(membership.PeerID(name)) || !knowsOf(young, name) {
						t.Errorf("%s is not known to who was lied to: %v", name, young.Sight().Members())
					}
					if how == "join" && (!knowsOf(p, "young") || p.view.Digest() != young.view.Digest()) {
						t.Errorf("%s knows %v, and who was lied to %v", name, p.Sight().Members(), young.Sight().Members())
					}
				}
			})
		}
	}
}

func knowsOf(p *Peer, name string) bool {
	return slices.ContainsFunc(p.Sight().Members(), func(m membership.Member) bool { return string(m.ID) == name })
}
