package peer

import (
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/steal"
)

func addrOf(id membership.PeerID) string { return "/ip4/10.0.0.1/tcp/1/p2p/" + string(id) }

// located is a host that knows some members, where they are, and that it has sessions with some.
func located(sessions ...membership.PeerID) *hosts {
	book := addresses.New(addresses.Config{Self: "me", Client: true, Sessions: true})
	known := present{}
	for _, id := range []membership.PeerID{"a1", "b1"} {
		m := presentOf(id)[id]
		m.Addrs = []string{addrOf(id)}
		known[id] = m
	}
	h := &hosts{
		book: book, members: known, sessions: true,
		said: func(id membership.PeerID) ([]string, bool) { return []string{addrOf(id)}, id == "c1" },
		may:  func() (look, keep bool) { return true, true },
	}
	for _, id := range sessions {
		book.Up(0, id, []string{addrOf(id)})
	}
	return h
}

// TestHostsAreDialled: who has to be told something is dialled where it is known to be, once; what
// is to be said waits for the dial, and is not said to whom nothing leads.
func TestHostsAreDialled(t *testing.T) {
	for id, c := range map[membership.PeerID]struct {
		does []string
		ok   bool
	}{
		"up":     {nil, true},
		"a1":     {[]string{"dials a1"}, true},
		"c1":     {[]string{"dials c1"}, true}, // no member: others have said where it is
		"nobody": {nil, false},
	} {
		h := located("up")
		effects, ok := h.reach(0, id)
		if does(t, string(id), effects, c.does...); ok != c.ok {
			t.Errorf("%s: it may be said: %v", id, ok)
		}
		effects, ok = h.reach(ms, id)
		if does(t, string(id)+", again", effects); ok != c.ok {
			t.Errorf("%s: it may be said again: %v", id, ok)
		}
	}
	h := located("up")
	h.book.Down(0, "up")
	does(t, "a session broke", h.redial(0, membership.Dial{ID: "up"}), "dials up")
	does(t, "of one without an address", h.redial(0, membership.Dial{ID: "nobody"}), "dials nobody")
	does(t, "one joins", h.joined(0, h.members.(present)["b1"]), "dials b1")
	does(t, "another is found", h.met(0, "/ip4/10.0.0.2/tcp/1/p2p/other", "other"), "dials other")
}

// TestWhereaboutsAreTold: whom a client has a session with, and them of another client.
func TestWhereaboutsAreTold(t *testing.T) {
	does(t, "it reaches nobody", located().tell("b1", false, 0))
	does(t, "a member asks", located("a1", "b1").tell("b1", false, 0), "b1: Whereabouts of [a1]")
	does(t, "a client asks", located("a1", "b1", "c9").tell("c9", true, 1),
		"c9: Whereabouts of [b1 a1]", "b1: Whereabouts of [c9]", "a1: Whereabouts of [c9]")
	h := located()
	h.hearWhereabouts(0, Whereabouts{[]Host{{ID: "x", Addrs: []string{addrOf("x")}}}})
	does(t, "it looks for whom it was told of", h.tick(0), "dials x", "keeps addresses")
}

// TestBookIsKept: news is kept at once when none was kept lately, sooner where there are few hosts,
// and not by one that is on its way in.
func TestBookIsKept(t *testing.T) {
	h := located()
	if h.deadline(0) != steal.Never {
		t.Errorf("it has no news, and acts at %v", h.deadline(0))
	}
	in := false
	h.may = func() (look, keep bool) { return false, in }
	news := func(now time.Duration, id membership.PeerID) {
		h.members.(present)[id] = presentOf(id)[id]
		h.book.Up(now, id, []string{addrOf(id)})
	}
	news(time.Second, "x")
	does(t, "it is on its way in", h.tick(time.Second))
	in = true
	does(t, "it is in", h.tick(time.Second), "keeps addresses")
	does(t, "once", h.tick(time.Hour))
	h.keptAt = time.Second
	news(time.Second, "y")
	if got := h.deadline(time.Second); got != time.Second+keepSoon {
		t.Errorf("few hosts are kept at %v", got)
	}
	does(t, "too soon", h.tick(time.Second+keepSoon-1))
	for n := range keepFew {
		news(time.Second, membership.PeerID(rune('A'+n)))
	}
	if got := h.deadline(time.Second); got != time.Second+keepEvery {
		t.Errorf("many hosts are kept at %v", got)
	}
}

// TestHostsAreLearned: what members and submitters are said to be reached at.
func TestHostsAreLearned(t *testing.T) {
	h := located()
	h.submitters(0, Contact{"c9", []string{addrOf("c9")}})
	h.member(0, membership.Member{ID: "z1", Site: "z", Addrs: []string{addrOf("z1")}}, true)
	for _, id := range []membership.PeerID{"c9", "z1"} {
		if got := h.addrs(id); !slices.Equal(got, []string{addrOf(id)}) {
			t.Errorf("%s is at %q", id, got)
		}
	}
	if got := h.addrs("a1"); !slices.Equal(got, []string{addrOf("a1")}) {
		t.Errorf("the member a1 is at %q", got)
	}
	if got := h.addrs("nobody"); got != nil {
		t.Errorf("nobody is at %q", got)
	}
}
