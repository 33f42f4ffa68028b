package peer

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// TestMembersAreNotLost: in a grid of more members than the book takes by hearsay, one that comes
// into it later, since it has a session, is not looked for like one that is lost.
func TestMembersAreNotLost(t *testing.T) {
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}, Sessions: true}, rand.New(rand.NewPCG(1, 1)))
	p.Found(0)
	teller := someone("teller", 2)
	greet(p, 0, teller)
	p.Connected(0, "teller", "/ip4/10.0.0.1/tcp/1/p2p/teller")
	var s Snapshot
	for n := range 2 * addresses.HeardMax {
		m := someone(fmt.Sprint("p", n), uint64(n)+3)
		m.Addrs = []string{fmt.Sprintf("/ip4/10.0.0.1/tcp/%d/p2p/p%d", n+2, n)}
		s.About, s.Members = AboutMembers, append(s.Members, m)
	}
	p.Received(0, "teller", Message{From: teller.Incarnation, Body: s})
	for _, m := range s.Members {
		if p.book.Has(m.ID) {
			p.DialFailed(0, m.ID, DialUnanswered)
		}
	}
	var late []membership.Member
	for _, m := range s.Members {
		if _, ok := p.Sight().Member(m.ID); ok && !p.book.Has(m.ID) {
			late = append(late, m)
		}
	}
	if len(late) < 2 {
		t.Fatal("no member is without an entry")
	}
	p.Connected(time.Second, late[0].ID, late[0].Addrs...)
	p.hosts.reach(p.now, late[1].ID)
	p.book.Failed(time.Second, late[1].ID, false, false)
	p.book.Down(time.Second, late[0].ID)
	for now := time.Second; now < time.Minute; now += 100 * time.Millisecond {
		for _, e := range p.book.Tick(now) {
			if d := e.(membership.Dial); d.ID == late[0].ID || d.ID == late[1].ID {
				t.Fatalf("at %v the member %s is looked for", now, d.ID)
			}
		}
	}
}

// TestClientBelievesNoGhost: a client watches nobody, and whoever would have told it of a
// member's end may be gone, too. It asks those that it has a session with, other clients
// included, who is there.
func TestClientBelievesNoGhost(t *testing.T) {
	c := New(Config{Member: membership.Config{ID: "client", Client: true}, Sessions: true}, rand.New(rand.NewPCG(1, 1)))
	c.Join(0)
	c.Connected(0, "x", "/ip4/10.0.0.1/tcp/1/p2p/x")
	x, ghost := someone("x", 1), someone("ghost", 2)
	c.Received(0, "x", Message{From: x.Incarnation, Body: Snapshot{About: aboutAll, Members: []membership.Member{x, ghost}}})
	c.Proved("other", true)
	c.Connected(0, "other", "/ip4/10.0.0.2/tcp/1/p2p/other")
	x.State, x.How = membership.Dead, membership.Killed
	c.Received(0, "other", Message{From: x.Incarnation, Body: membership.Gone{Member: x}})
	c.Disconnected(0, "x")
	c.DialFailed(0, "x", DialRefused)
	for now := time.Duration(0); now < 5*time.Second; now += 50 * time.Millisecond {
		for _, b := range sends(c.Tick(now), "other") {
			if _, asks := b.(Digest); asks {
				return
			}
		}
	}
	t.Errorf("it believes in %v, and asks nobody", c.Sight().Members())
}

// TestClientIsAsked: one that believes in many who are gone, and has no session but with a client,
// asks that client, and is told of the members that the client has met. Of several that have a
// session with each other one asks for all.
func TestClientIsAsked(t *testing.T) {
	for first, want := range map[bool]int{true: 2, false: 0} {
		p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}, Sessions: true}, rand.New(rand.NewPCG(1, 1)))
		p.Found(0)
		for n := range 50 {
			greet(p, 0, someone(fmt.Sprint("p", n), uint64(n)+2))
		}
		if !first {
			greet(p, 0, someone("early", 60))
			p.Connected(0, "early", "/ip4/10.0.0.1/tcp/2/p2p/b")
		}
		p.Proved("client", true)
		p.Connected(0, "client", "/ip4/10.0.0.1/tcp/1/p2p/client")
		asked := 0
		for now := time.Duration(0); now < 900*time.Millisecond; now += 50 * time.Millisecond {
			for _, b := range sends(p.Tick(now), "client") {
				if _, is := b.(Digest); is {
					asked++
				}
			}
		}
		if asked < want || want == 0 && asked > 0 {
			t.Errorf("first %v: the client is asked %d times", first, asked)
		}
	}
}

// TestStandingSessionsAreTriedFirst: of many that are held dead, one to whom a session stands all
// the time hears of it within seconds, and can say that it lives.
func TestStandingSessionsAreTriedFirst(t *testing.T) {
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}, Sessions: true}, rand.New(rand.NewPCG(1, 1)))
	p.Found(0)
	for n := range 50 {
		m := someone(fmt.Sprint("p", n), uint64(n)+2)
		greet(p, 0, m)
		m.State, m.How = membership.Dead, membership.Silent
		p.Received(time.Millisecond, "p0", Message{From: someone("p0", 2).Incarnation, Body: membership.Hello{Member: someone("p0", 2)}})
		p.apply(p.view.Merge(time.Minute, []membership.Member{m}))
	}
	p.Connected(time.Minute, "p7", "/ip4/10.0.0.1/tcp/7/p2p/p7")
	asked := 0
	for now := time.Minute; now < time.Minute+10*time.Second; now += 50 * time.Millisecond {
		for _, b := range sends(p.Tick(now), "p7") {
			if _, ok := b.(Digest); ok {
				asked++
			}
		}
	}
	if asked < 4 {
		t.Errorf("it was asked %d times in ten seconds", asked)
	}
}

// TestClientIsCalledBack: a client that finds no member, since none can be dialled, is made known
// to them by another client, and they look for it.
func TestClientIsCalledBack(t *testing.T) {
	where := func(id membership.PeerID) string {
		return fmt.Sprintf("/ip4/10.0.0.1/tcp/%d/p2p/%s", len(id), id)
	}
	lots := rand.New(rand.NewPCG(1, 1))
	conf := membership.Config{ID: "between", Client: true}
	between := New(Config{Member: conf, Sessions: true}, lots)
	between.Join(0)
	conf = membership.Config{ID: "member", Site: "a", Workers: 1, Addrs: []string{where("member")}}
	member := New(Config{Member: conf, Sessions: true}, lots)
	member.Found(0)
	for _, id := range []membership.PeerID{"member", "other"} {
		between.Proved(id, id == "other")
		between.Connected(0, id, where(id))
	}
	self := member.Sight().Self()
	for _, b := range []membership.Body{membership.Hello{Member: self}, Snapshot{About: aboutAll, Members: []membership.Member{self}}} {
		between.Received(0, "member", Message{From: self.Incarnation, Body: b})
	}
	member.Proved("between", true)
	member.Connected(0, "between", where("between"))
	told := map[membership.PeerID]membership.PeerID{}
	for _, e := range between.Received(time.Second, "other", Message{Body: Digest{}}) {
		if s, ok := e.(Send); ok {
			if w, ok := s.Message.Body.(Whereabouts); ok {
				told[s.To] = w.Hosts[0].ID
				if s.To == "member" {
					member.Received(time.Second, "between", s.Message)
				}
			}
		}
	}
	if told["member"] != "other" || told["other"] != "member" {
		t.Fatalf("the client has told %v", told)
	}
	for now := time.Second; now < 2*addresses.GroupEvery; now += 100 * time.Millisecond {
		for _, e := range member.Tick(now) {
			if d, ok := e.(membership.Dial); ok && d.ID == "other" {
				return
			}
		}
	}
	t.Error("the member does not look for the client")
}

// TestClientIsNoMember: who has a session with nobody but one that has proved to be a client looks
// for every host that it knows, clients, too.
func TestClientIsNoMember(t *testing.T) {
	for _, isClient := range []bool{false, true} {
		known := addresses.Known{ID: "lost", Client: true, Addrs: []string{"/ip4/10.0.0.1/tcp/9/p2p/lost"}}
		conf := membership.Config{ID: "me", Site: "a", Workers: 1}
		p := New(Config{Member: conf, Known: []addresses.Known{known}, Sessions: true}, rand.New(rand.NewPCG(1, 1)))
		p.Found(0)
		p.Proved("other", isClient)
		p.Connected(0, "other")
		looks := false
		for now := time.Duration(0); now < addresses.GroupEvery; now += 100 * time.Millisecond {
			for _, e := range p.Tick(now) {
				d, ok := e.(membership.Dial)
				looks = looks || ok && d.ID == "lost"
			}
		}
		if looks != isClient {
			t.Errorf("the other a client: %v; the lost client is looked for: %v", isClient, looks)
		}
	}
}
