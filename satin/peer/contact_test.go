package peer

import (
	"fmt"
	"slices"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

// TestContactsTravelWithTheRecord: whoever has a run's record knows where its submitters are; what
// a submitter says of itself holds, and what its master has heard.
func TestContactsTravelWithTheRecord(t *testing.T) {
	s := newStage(t, "b1", "c1")
	s.from(0, "b1", Submit{Submission: steal.Submission{Submitter: "client", Nonce: 1}, Run: s.run.Run, Task: "t", RootDigest: steal.KeyOf([]byte("root")), Addrs: []string{"here"}})
	var heads []Head
	for _, e := range s.from(0, "c1", Pull{}) {
		if x, ok := e.(Send); ok {
			if b, ok := x.Message.Body.(Snapshot); ok {
				heads = append(heads, b.Heads...)
			}
		}
	}
	if len(heads) != 1 || len(heads[0].Contacts) != 1 || heads[0].Contacts[0].Addrs[0] != "here" {
		t.Fatalf("one that joins is told %+v", heads)
	}

	other := newStage(t, "b1", "c1")
	told := func(from membership.PeerID, addr string) []string {
		h := heads[0]
		h.Run = steal.Instance{Run: steal.KeyOf([]byte("another")), First: h.Run.First}
		h.Master, h.Epoch.Master = "b1", other.life["b1"]
		h.Contacts = []Contact{{"client", []string{addr}}}
		other.from(0, from, Record{Head: h})
		return other.p.hosts.addrs("client")
	}
	for _, c := range []struct {
		from membership.PeerID
		addr string
		want string
	}{{"c1", "first", "first"}, {"c1", "hearsay", "first"}, {"b1", "moved", "moved"}, {"b1", string(make([]byte, membership.AddrBytesMax+1)), "moved"}} {
		if got := told(c.from, c.addr); !slices.Equal(got, []string{c.want}) {
			t.Errorf("after %s says %.10q: %q, want %q", c.from, c.addr, got, c.want)
		}
	}
}

// TestContactsAreBounded: those of submitters that do not wait any more make room.
func TestContactsAreBounded(t *testing.T) {
	s := newStage(t, "b1")
	r := s.p.runs.find(s.run)
	for n := range 3 * SubmissionsMax {
		r.contactIs(Contact{membership.PeerID(fmt.Sprint(n)), []string{"x"}})
	}
	if err := s.p.Sight().Check(); err != nil {
		t.Error(err)
	}
	if last := membership.PeerID(fmt.Sprint(3*SubmissionsMax - 1)); s.p.hosts.addrs(last) == nil {
		t.Error("there is no room for one that submits now")
	}
}
