package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/steal"
)

// submittedBy makes a peer that computes a client's run.
func submittedBy(t *testing.T, client membership.PeerID, terms Terms) (*Peer, Submit) {
	p, _ := lone(t)
	root := []byte("root")
	m := Submit{
		Submission: steal.Submission{Submitter: client, Nonce: 1}, Run: steal.Key{1}, Task: "t", RootDigest: steal.KeyOf(root), Root: root,
		Terms: terms, Addrs: []string{"/ip4/10.0.0.9/tcp/1"},
	}
	p.Connected(0, client)
	if _, ok := find[StartRun](p.Received(0, client, Message{From: asClient, Body: m})); !ok {
		t.Fatal("the run does not begin")
	}
	return p, m
}

// endsAt is when the run ends, if it does so within two hours.
func endsAt(p *Peer) time.Duration {
	for now := time.Duration(0); now < 2*time.Hour; now += time.Second {
		if _, ended := find[EndRun](p.Tick(now)); ended {
			return now
		}
	}
	return 0
}

// TestRunOfADeadClient: it ends a minute after its client was seen to die, unless it is kept,
// and an hour after the last word of one that is only silent.
func TestRunOfADeadClient(t *testing.T) {
	for name, c := range map[string]struct {
		terms   Terms
		refused bool
		want    time.Duration
	}{
		"seen to die": {Terms{}, true, DiedMax},
		"kept":        {Terms{Keep: 60}, true, 0}, // it goes on
		"silent":      {Terms{}, false, UnheardMax},
	} {
		p, _ := submittedBy(t, "client", c.terms)
		d, ok := find[membership.Dial](p.Disconnected(0, "client"))
		if !ok || d.ID != "client" {
			t.Fatalf("%s: nobody looks whether the client lives", name)
		}
		if c.refused {
			p.DialFailed(0, "client", DialRefused)
		} else {
			p.DialFailed(0, "client", DialUnanswered)
		}
		if got := endsAt(p); got < c.want || got > c.want+2*time.Second {
			t.Errorf("%s: the run ended after %v, wanted %v", name, got, c.want)
		}
	}
}

// TestClientThatComesBack: a client that speaks again, or is reached, has not died.
func TestClientThatComesBack(t *testing.T) {
	for name, back := range map[string]func(*Peer, Submit){
		"it asks again": func(p *Peer, m Submit) { p.Received(time.Second, "client", Message{From: asClient, Body: m}) },
		"it is reached": func(p *Peer, _ Submit) { p.Connected(time.Second, "client") },
	} {
		p, m := submittedBy(t, "client", Terms{})
		p.Disconnected(0, "client")
		p.DialFailed(0, "client", DialRefused)
		back(p, m)
		if got := endsAt(p); got < UnheardMax {
			t.Errorf("%s: the run ended after %v", name, got)
		}
	}
	p, _ := submittedBy(t, "client", Terms{})
	p.DialFailed(0, "client", DialRefused) // of some other dial: its connection stands
	if got := endsAt(p); got < UnheardMax {
		t.Errorf("a refused dial alone ended the run after %v", got)
	}
}

// TestCancelledRun: the submitter is told, everybody hears of it, and a repeat of the submission
// does not begin it again.
func TestCancelledRun(t *testing.T) {
	p, m := submittedBy(t, "client", Terms{})
	_, effects, _ := p.Command(0, p.Sight().Runs()[0].ID, Cancel{})
	if _, ended := find[EndRun](effects); !ended {
		t.Error("the run goes on")
	}
	if to, _ := sent[Ended](effects); len(to) != 1 || to[0] != "client" {
		t.Errorf("told are %v", to)
	}
	if _, published := find[Publish](effects); !published {
		t.Error("nobody else is told")
	}
	effects = p.Received(time.Second, "client", Message{From: asClient, Body: m})
	if _, again := find[StartRun](effects); again {
		t.Error("it begins again")
	}
	if to, _ := sent[Ended](effects); len(to) != 1 {
		t.Error("a submitter that did not hear of it is not told again")
	}
	own, _ := lone(t)
	nonce, _, _ := own.Submit(0, RootOf(steal.Key{2}, "t", []byte("root")))
	_, effects, _ = own.Command(0, own.Sight().Runs()[0].ID, Cancel{})
	if d, ok := find[Deliver](effects); !ok || d.Nonce != nonce || d.Result.Outcome != steal.Panicked {
		t.Errorf("its own submission is told %+v", d)
	}
}

// TestMasterSeeksSubmitter: the master of a run looks for those who wait for it, while other
// sessions stand, but for who was seen to die.
func TestMasterSeeksSubmitter(t *testing.T) {
	const where = "/ip4/10.0.0.2/tcp/1/p2p/c"
	for _, died := range []bool{false, true} {
		p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}, Sessions: true}, rand.New(rand.NewPCG(1, 1)))
		p.Found(0)
		other := someone("other", 2)
		p.Connected(0, "other", "/ip4/10.0.0.1/tcp/1/p2p/other")
		greet(p, 0, other)
		p.Proved("c", true)
		p.Connected(0, "c", where)
		root := []byte("root")
		p.Received(0, "c", Message{From: asClient, Body: Submit{
			Submission: steal.Submission{Submitter: "c", Nonce: 1}, Run: keyOf("root"), Task: "task", RootDigest: steal.KeyOf(root), Root: root, Addrs: []string{where},
		}})
		p.Disconnected(0, "c")
		if died {
			p.DialFailed(0, "c", DialRefused)
		} else {
			p.DialFailed(0, "c", DialUnanswered)
		}
		sought := false
		for now := time.Duration(0); now < 2*addresses.GroupEvery; now += 50 * time.Millisecond {
			p.Received(now, "other", Message{From: other.Incarnation, Body: membership.Heartbeat{}})
			for _, e := range p.Tick(now) {
				d, ok := e.(membership.Dial)
				sought = sought || ok && d.ID == "c"
			}
		}
		if sought == died || len(p.runs.all) != 1 {
			t.Errorf("the submitter died: %v; it is looked for: %v, in %d runs", died, sought, len(p.runs.all))
		}
	}
}

// TestSubmittersAreLookedFor: who waits for a run of this peer's and has no session is; no member
// is, nor who waits for another's, nor one that was seen to die.
func TestSubmittersAreLookedFor(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	for n, by := range []membership.PeerID{"u", "v", "b1", "w"} {
		m := asks(by, byte(n), "root")
		m.Addrs = []string{addrOf(by)}
		s.own(m)
	}
	other := asks("x", 9, "other")
	other.Addrs = []string{addrOf("x")}
	s.of("a1", other).contactIs(other.contact())
	s.book.Up(0, "v", false, nil)
	s.runs.broke(0, "w")
	s.runs.refused(0, "w")
	s.submitters.seek(time.Second)
	var sought []string
	for range 10 {
		for _, e := range s.book.Tick(time.Minute) {
			sought = append(sought, string(e.(membership.Dial).ID))
		}
	}
	if len(sought) != 1 || sought[0] != "u" {
		t.Errorf("sought are %v", sought)
	}
}

// TestSubmitterIsDown: one that waits for a run is dialled when its connection breaks, a member and
// anybody else is not; nor does one look that is not in.
func TestSubmitterIsDown(t *testing.T) {
	s := newOfRuns(t, "a1")
	for n, by := range []membership.PeerID{"u", "a1"} {
		m := asks(by, byte(n), "root")
		m.Addrs = []string{addrOf(by)}
		s.own(m)
	}
	does(t, "who waits", s.submitters.down(0, "u"), "dials u")
	does(t, "a member", s.submitters.down(0, "a1"))
	does(t, "anybody else", s.submitters.down(0, "v"))
	if _, known := s.runs.all[0].demand.down["u"]; !known || len(s.runs.all[1].demand.down) > 0 {
		t.Errorf("down are %v and %v", s.runs.all[0].demand.down, s.runs.all[1].demand.down)
	}
	s.submitters.members = newView(s.conf, s.rng)
	does(t, "not in", s.submitters.down(time.Hour, "u"))
}
