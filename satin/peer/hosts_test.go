package peer

import (
	"fmt"
	"math/rand/v2"
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
		book.Up(0, id, false, []string{addrOf(id)})
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
		h.book.Up(now, id, false, []string{addrOf(id)})
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
	for n := 0; h.book.Len() < keepFew; n++ {
		news(time.Second, membership.PeerID(rune('A'+n)))
	}
	if got := h.deadline(time.Second); got != time.Second+keepSoon {
		t.Errorf("as many as few are is kept at %v", got)
	}
	news(time.Second, "z")
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

// TestOddAddressesLeadNowhere: what nobody could pass on is no address, whoever says it.
func TestOddAddressesLeadNowhere(t *testing.T) {
	odd := func(id membership.PeerID) []string {
		return []string{"/x y/p2p/" + string(id), "/\x1b[2J/p2p/" + string(id)}
	}
	h := located()
	h.member(0, membership.Member{ID: "m", Addrs: odd("m")}, true)
	h.submitters(0, Contact{"s", append(odd("s"), addrOf("s"))})
	h.hearWhereabouts(0, Whereabouts{[]Host{{ID: "w", Addrs: odd("w")}}})
	for id, want := range map[membership.PeerID][]string{"m": nil, "s": {addrOf("s")}, "w": nil} {
		if got := h.book.Addrs(id); !slices.Equal(got, want) {
			t.Errorf("%s is at %q", id, got)
		}
	}
	p := New(Config{Member: membership.Config{ID: "me", Site: "m"}, Sessions: true}, rand.New(rand.NewPCG(1, 2)))
	if p.Connected(0, "u", odd("u")...); len(p.book.Addrs("u")) > 0 {
		t.Errorf("u is at %q", p.book.Addrs("u"))
	}
}

// TestFormerLifeIsKnown: a process that was here before joins above its own number, whatever it has
// kept of those of others; and it does not look for whom it sees, nor for who is barred.
func TestFormerLifeIsKnown(t *testing.T) {
	c := Config{Member: membership.Config{ID: "me", Site: "a"}, Sessions: true, Known: []addresses.Known{
		{ID: "me", Join: 7}, {ID: "x1", Join: 99, Addrs: []string{addrOf("x1")}},
	}}
	v := newView(c, rand.New(rand.NewPCG(1, 1)))
	if v.Enter(0); v.Self().Incarnation.Join != 8 {
		t.Errorf("it joins as number %d", v.Self().Incarnation.Join)
	}
	m := someone("b1", 3)
	m.Addrs = []string{addrOf("b1")}
	v.HearHello(0, "b1", membership.Hello{Member: m})
	book := newBook(c, v)
	h := &hosts{book: book, members: v, sessions: true, said: func(membership.PeerID) ([]string, bool) { return nil, false }}
	book.Up(0, "up", false, []string{addrOf("up")}) // who is alone looks for everybody
	h.member(0, m, true)
	h.may = func() (look, keep bool) { return false, false }
	if at := h.deadline(0); at != steal.Never {
		t.Errorf("it leaves, and looks for somebody at %v", at)
	}
	h.may = func() (look, keep bool) { return true, false }
	if at := h.deadline(0); at == steal.Never || at != book.Deadline() {
		t.Errorf("whom it has lost it looks for at %v", at)
	}
	looks := func(id membership.PeerID, from time.Duration) {
		t.Helper()
		for now := from; now < from+10*time.Minute; now += time.Second {
			if slices.Contains(told(h.tick(now)), "dials "+string(id)) {
				t.Fatalf("at %v it looks for %s, a member that it sees", now, id)
			}
		}
	}
	looks("b1", 0)
	h.joined(time.Hour, membership.Member{ID: "x1", Addrs: []string{addrOf("x1")}})
	book.Failed(time.Hour, "x1", false, false)
	looks("x1", time.Hour)
}

// TestWhereaboutsAreBounded: so many hosts are named at once, others each turn; nobody is to whom
// no address leads, and to members no client of which none is known.
func TestWhereaboutsAreBounded(t *testing.T) {
	h := located()
	for n := range hostsTold + 2 {
		id := membership.PeerID(fmt.Sprintf("x%02d", n))
		m := presentOf(id)[id]
		m.Addrs = []string{addrOf(id)}
		h.members.(present)[id] = m
		h.book.Up(0, id, false, m.Addrs)
	}
	none := presentOf("x00")["x00"]
	h.members.(present)["x00"] = none
	h.book.Up(0, "c9", false, nil)
	named := map[membership.PeerID]bool{}
	for turn := range 3 {
		effects := h.tell("c9", true, turn*hostsTold)
		said := effects[0].(membership.Send)
		w := said.Body.(Whereabouts)
		if said.Incarnation != (membership.Incarnation{}) {
			t.Errorf("it is said to one life of %s only", said.To)
		}
		if len(effects) != 1 || len(w.Hosts) != hostsTold {
			t.Fatalf("%d hosts are named, to %d", len(w.Hosts), len(effects))
		}
		for _, one := range w.Hosts {
			named[one.ID] = true
		}
	}
	if len(named) != hostsTold+1 || named["x00"] {
		t.Errorf("%d are named in all, one without an address: %v", len(named), named["x00"])
	}
}

// TestDeadlineAfterListens: where this host listens is news to be kept, so the deadline that was
// told before is not told again.
func TestDeadlineAfterListens(t *testing.T) {
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}, Sessions: true}, rand.New(rand.NewPCG(1, 1)))
	p.Found(time.Hour)
	p.Tick(time.Hour) // the book is kept
	before := p.Deadline()
	p.Listens([]string{addrOf("me")})
	if at := p.Deadline(); at >= before {
		t.Errorf("the deadline is %v, and was %v before", at, before)
	}
}
