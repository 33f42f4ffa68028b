package peer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

// TestContactsTravelWithTheRecord: whoever has a run's record knows where its submitters are; what
// a submitter says of itself holds, and what its master has heard.
func TestContactsTravelWithTheRecord(t *testing.T) {
	s := newStage(t, "b1", "c1")
	s.from(0, "b1", Submit{Submission: steal.Submission{Submitter: "client", Nonce: 1}, Run: s.run.Run, Task: "t", RootDigest: steal.KeyOf([]byte("root")), Addrs: []string{"/here"}})
	var heads []Head
	for _, e := range s.from(0, "c1", Pull{}) {
		if x, ok := e.(Send); ok {
			if b, ok := x.Message.Body.(Snapshot); ok {
				heads = append(heads, b.Heads...)
			}
		}
	}
	if len(heads) != 1 || len(heads[0].Contacts) != 1 || heads[0].Contacts[0].Addrs[0] != "/here" {
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
	}{{"c1", "/first", "/first"}, {"c1", "/hearsay", "/first"}, {"b1", "/moved", "/moved"}, {"b1", "/" + strings.Repeat("a", membership.AddrBytesMax), "/moved"}, {"b1", "/two words", "/moved"}} {
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
		r.contactIs(Contact{membership.PeerID(fmt.Sprint(n)), []string{"/x"}})
	}
	if err := s.p.Sight().Check(); err != nil {
		t.Error(err)
	}
	if last := membership.PeerID(fmt.Sprint(3*SubmissionsMax - 1)); s.p.hosts.addrs(last) == nil {
		t.Error("there is no room for one that submits now")
	}
}

// TestContactsAreSound: what is too long or leads nowhere is not kept, at the bounds what is.
func TestContactsAreSound(t *testing.T) {
	long, longer := "/"+strings.Repeat("a", membership.AddrBytesMax-1), "/"+strings.Repeat("a", membership.AddrBytesMax)
	id := membership.PeerID(strings.Repeat("i", membership.IDBytesMax+1))
	for name, c := range map[string]struct {
		contact Contact
		sound   bool
	}{
		"one address":              {Contact{"c", []string{"/x"}}, true},
		"none":                     {Contact{"c", nil}, false},
		"as many as may be":        {Contact{"c", slices.Repeat([]string{"/x"}, membership.AddrsMax)}, true},
		"one more":                 {Contact{"c", slices.Repeat([]string{"/x"}, membership.AddrsMax+1)}, false},
		"the longest":              {Contact{"c", []string{"/x", long}}, true},
		"a longer one":             {Contact{"c", []string{"/x", longer}}, false},
		"one of two words":         {Contact{"c", []string{"/x", "/x y/p2p/c"}}, false},
		"an id of two lines":       {Contact{"c\nd", []string{"/x"}}, false},
		"the longest id":           {Contact{id[1:], []string{"/x"}}, true},
		"a longer one of somebody": {Contact{id, []string{"/x"}}, false},
	} {
		if c.contact.sound() != c.sound {
			t.Errorf("%s: it is kept: %v", name, !c.sound)
		}
	}
}

// TestContactsOfWhoWaits: where nobody makes room one more finds none; and while there is room who
// does not wait any more is known still, for its answer may be on its way.
func TestContactsOfWhoWaits(t *testing.T) {
	r := &run{}
	for n := range SubmissionsMax + 1 {
		id := membership.PeerID(fmt.Sprint(n))
		if n > 0 {
			r.submissions = append(r.submissions, steal.Submission{Submitter: id})
		}
		if r.contactIs(Contact{id, []string{"/x"}}); n == SubmissionsMax-1 && len(r.contacts) != SubmissionsMax {
			t.Errorf("%d are known", len(r.contacts))
		}
	}
	if len(r.contacts) != SubmissionsMax || r.contacts[0].Submitter != "1" {
		t.Errorf("%d are known, the first is %s", len(r.contacts), r.contacts[0].Submitter)
	}
	r.contactIs(Contact{"late", []string{"/x"}})
	r.contactIs(Contact{"1", []string{"/moved"}})
	if last := r.contacts[SubmissionsMax-1]; len(r.contacts) != SubmissionsMax || last.Submitter == "late" || r.contacts[0].Addrs[0] != "/moved" {
		t.Errorf("%d are known, the last is %s, the first at %s", len(r.contacts), last.Submitter, r.contacts[0].Addrs)
	}
}
