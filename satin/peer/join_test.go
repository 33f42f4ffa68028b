package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// outside is a peer, or client, that is told to join; a test tells its parts alone.
func outside(isClient bool) *Peer {
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 2, Client: isClient}}, rand.New(rand.NewPCG(1, 2)))
	p.join.begin(0)
	return p
}

// TestEnters: it greets all and those that a connection stands to, and begins to compare and to
// copy; what it has submitted is on its way then.
func TestEnters(t *testing.T) {
	p := outside(false)
	p.join.contacts = []membership.PeerID{"c9"}
	p.runs.whole(soughtRun)
	p.store.Orphan(0, soughtRun, keyOf("held"), worth("v"))
	root := RootOf(steal.Key{1}, "t", []byte("root"))
	if _, err := p.submissions.begin(root); err != nil {
		t.Fatal(err)
	}
	does(t, "it enters", p.entering.enter(time.Second), "all: Hello me joined 1.0", "c9: Hello me joined 1.0",
		"is a member, joined 1", `itself: Submit root "root"`)
	if l, _ := p.table.List("me"); l.Incarnation != p.view.Self().Incarnation {
		t.Errorf("it advertises as %v", l.Incarnation)
	}
	if p.join.active || !p.copier.on || p.comparing.at != time.Second+digestFirst || !p.mastership.due || p.copier.lots == nil || p.copier.lots != p.leaving.lots {
		t.Error("it is on its way in, copies nothing, compares nothing, looks at no run or can draw nobody who keeps its parts")
	}
}

// TestEntersAlone: with a join number above what a client has said, and asks for the roots of what
// it holds at once. A client only is in.
func TestEntersAlone(t *testing.T) {
	p := outside(false)
	p.join.hearsay.newest = 6
	r := p.runs.made(submittedAs("c1", 1), 9)
	r.fetchAt = time.Hour
	does(t, "it enters", p.entering.alone(time.Second), "all: Hello me joined 7.0", "is a member, joined 7")
	if r.fetchAt != time.Second {
		t.Errorf("it asks for the root at %v", r.fetchAt)
	}
	c := outside(true)
	if does(t, "a client", c.entering.alone(time.Second)); c.join.active || c.comparing.at != time.Second+digestFirst {
		t.Error("it is on its way in, or compares nothing")
	}
}
