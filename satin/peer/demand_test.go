package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestUnheardSubmissionIsWithdrawn: a master drops a run, answered or not, whose submitter has not
// been heard for an hour, and not before.
func TestUnheardSubmissionIsWithdrawn(t *testing.T) {
	p, _ := lone(t)
	root := []byte("root")
	submit := Submit{Submission: steal.Submission{Submitter: "client", Nonce: 1}, Run: steal.KeyOf(root), Task: "t", RootDigest: steal.KeyOf(root), Root: root}
	x, ok := find[Execute](p.Received(0, "client", Message{From: asClient, Body: submit}))
	if !ok {
		t.Fatal("it is not started")
	}
	p.Finished(time.Minute, x.Borrow, steal.Result{Bytes: []byte("answer")})
	submit.Root = nil
	p.Received(30*time.Minute, "client", Message{From: asClient, Body: submit})
	for now := 30 * time.Minute; now < 3*time.Hour; now += 500 * time.Millisecond {
		effects := p.Tick(now)
		if _, ended := find[EndRun](effects); ended {
			if now < 90*time.Minute || now > 90*time.Minute+time.Second {
				t.Errorf("withdrawn at %v", now)
			}
			if !p.Sight().Quiet() {
				t.Error("something is left of it")
			}
			return
		}
	}
	t.Error("it is kept for ever")
}

// TestSleeperAsksBeforeItRestarts: one that was stopped while the run ended, and all that knew of
// it went, has only a record.
func TestSleeperAsksBeforeItRestarts(t *testing.T) {
	p, _ := lone(t)
	master := someone("master", 3)
	greet(p, 0, master)
	heldRun(p, master)
	p.Tick(100 * time.Millisecond)
	p.Tick(time.Hour) // it was stopped for so long
	master.State, master.How = membership.Left, membership.Went
	effects := p.Received(time.Hour, "master", Message{From: master.Incarnation, Body: membership.Gone{Member: master}})
	if _, ok := find[Execute](effects); ok {
		t.Error("a zombie run is started")
	}
	asked := false
	for _, b := range bodies(effects) {
		_, ok := b.(Wanted)
		asked = asked || ok
	}
	if !asked {
		t.Errorf("it does not ask: %v", bodies(effects))
	}
	s := steal.Submission{Submitter: "client", Nonce: 1}
	if _, ended := find[EndRun](p.Received(time.Hour+time.Second, "client", Message{From: asClient, Body: Ended{[]Tombstone{{Submission: s}}}})); !ended {
		t.Error("it was withdrawn, and goes on")
	}
}

// TestUnknownNonceIsWithdrawn: a submitter that has started again says so of what
// it asked for before.
func TestUnknownNonceIsWithdrawn(t *testing.T) {
	p, other := lone(t)
	ask := func(s steal.Submission) []membership.Body {
		return bodies(p.Received(0, "other", Message{From: other, Body: Wanted{Submission: s}}))
	}
	if got := ask(steal.Submission{Submitter: "me", Nonce: 77}); len(got) != 1 || got[0].(Ended).Submissions[0].Submission.Nonce != 77 {
		t.Errorf("it says %v", got)
	}
	nonce, _, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	if got := ask(steal.Submission{Submitter: "me", Nonce: nonce}); len(got) != 1 || got[0].(Submit).Submission.Nonce != nonce {
		t.Errorf("what it wants it repeats: %v", got)
	}
}

// TestRootComesFromTheSubmitter: when everybody else who had it is gone.
func TestRootComesFromTheSubmitter(t *testing.T) {
	q, _ := lone(t)
	rec := heldRun(q, someone("gone", 1)) // its record only, since the root is left out
	p, other := lone(t)
	rec.Root = nil
	p.Received(0, "other", Message{From: other, Body: rec})
	asked := false
	for now := time.Duration(0); now < time.Minute && !asked; now += 200 * time.Millisecond {
		p.Received(now, "other", Message{From: membership.Incarnation{Join: 2, Random: 5}, Body: membership.Heartbeat{}})
		for _, b := range bodies(p.Tick(now)) {
			_, ok := b.(NeedRoot)
			asked = asked || ok
		}
	}
	if !asked {
		t.Fatal("the submitter is never asked for the root")
	}
	submit := Submit{Submission: rec.Head.Run.First, Run: rec.Head.Run.Run, Task: "t", RootDigest: rec.Head.RootDigest, Root: []byte("root")}
	if _, ok := find[StartRun](p.Received(time.Minute, "client", Message{From: asClient, Body: submit})); !ok {
		t.Error("the root has come, and is not used")
	}
}

// TestRootGoesToWhoNeedsIt: the master that the submitter knows of is dead, and only the newcomer
// that asks knows it. That it asks does not put off the repeats, either, which go to anybody in
// turn. It asks who the newcomer is: all others may be dead.
func TestRootGoesToWhoNeedsIt(t *testing.T) {
	c := New(Config{Member: membership.Config{ID: "client", Client: true}}, rand.New(rand.NewPCG(3, 3)))
	c.Join(0)
	c.Connected(0, "x")
	x := someone("x", 1)
	c.Received(0, "x", Message{From: x.Incarnation, Body: Snapshot{About: aboutAll, Members: []membership.Member{x}}})
	nonce, _, _ := c.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	c.Received(0, "x", Message{From: x.Incarnation, Body: Accepted{Nonce: nonce, Master: "x"}})
	at := c.submissions.deadline()
	y := someone("y", 2)
	for range 2 {
		got := sends(c.Received(time.Second, "y", Message{From: y.Incarnation, Body: NeedRoot{nonce}}), "y")
		if len(got) != 1 || got[0] != (membership.Who{}) {
			t.Fatalf("a stranger that needs the root gets %v", got)
		}
	}
	greet(c, time.Second, y)
	for range 2 {
		got := sends(c.Received(time.Second, "y", Message{From: y.Incarnation, Body: NeedRoot{nonce}}), "y")
		if len(got) != 1 || len(c.Sight().Members()) != 2 || string(got[0].(Submit).Root) != "root" {
			t.Errorf("it knows %v, and says %v", c.Sight().Members(), got)
		}
	}
	old := membership.Incarnation{Join: 2, Random: 1}
	for _, from := range []membership.Incarnation{{}, {Random: 7}, old} {
		// on its way in, a client, a life that is over
		if got := sends(c.Received(time.Second, "y", Message{From: from, Body: NeedRoot{nonce}}), "y"); len(got) != 0 {
			t.Errorf("%v hears %v", from, got)
		}
	}
	if c.submissions.deadline() != at {
		t.Errorf("the submission is repeated at %v, not %v", c.submissions.deadline(), at)
	}
}

// sends are the bodies that go to a peer.
func sends(effects []Effect, to membership.PeerID) (all []membership.Body) {
	for _, e := range effects {
		if s, ok := e.(Send); ok && s.To == to {
			all = append(all, s.Message.Body)
		}
	}
	return all
}

// TestLonelyClientLooksForContacts: all peers are gone, and the next one came where the client
// heard nothing of it.
func TestLonelyClientLooksForContacts(t *testing.T) {
	c := New(Config{Member: membership.Config{ID: "client", Client: true}}, rand.New(rand.NewPCG(3, 3)))
	c.Join(0)
	c.Connected(0, "x")
	x := someone("x", 1)
	c.Received(0, "x", Message{From: x.Incarnation, Body: Snapshot{About: aboutAll, Members: []membership.Member{x}}})
	c.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	c.Tick(3 * time.Second)
	if c.Sight().Joining() {
		t.Error("it knows a member, and looks for more")
	}
	x.State, x.How = membership.Left, membership.Went
	c.Received(3*time.Second, "x", Message{From: x.Incarnation, Body: membership.Gone{Member: x}})
	if !c.Sight().Joining() {
		t.Fatal("it knows nobody, and does not look for anybody")
	}
	if got := bodies(c.Connected(4*time.Second, "y")); len(got) != 1 || got[0] != (Pull{}) {
		t.Errorf("it asks a contact %v", got)
	}
	y := someone("y", 2)
	c.Received(4*time.Second, "y", Message{From: y.Incarnation, Body: Snapshot{About: aboutAll, Members: []membership.Member{y}}})
	asked := false
	for now := 4 * time.Second; now < 12*time.Second; now += 100 * time.Millisecond {
		for _, b := range bodies(c.Tick(now)) {
			_, ok := b.(Submit)
			asked = asked || ok
		}
	}
	if c.Sight().Joining() || !asked {
		t.Error("it has found one, and does not ask it for the run")
	}
}

// TestFactsAreBounded: what workers and peers tell without end takes bounded memory
// and bounded messages.
func TestFactsAreBounded(t *testing.T) {
	p, other := lone(t)
	_, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	start, _ := find[StartRun](effects)
	fact := func(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16), 99} }
	p.Told(0, start.Run, make([]byte, FactMax+1))
	for n := range 20000 {
		p.Told(0, start.Run, fact(n))
	}
	f := &p.runs.all[0].facts
	if len(f.wait) > factsWait || len(f.known) > factsKnown || len(f.order) != len(f.known) {
		t.Errorf("%d wait, %d are known", len(f.wait), len(f.known))
	}
	heard := 0
	for n := range 100 {
		m := Facts{Run: start.Instance}
		for k := range factsAtOnce {
			m.Facts = append(m.Facts, fact(1<<20+n*factsAtOnce+k))
		}
		for _, e := range p.Received(0, "other", Message{From: other, Body: m}) {
			if _, ok := e.(Hear); ok {
				heard++
			}
		}
	}
	if heard != factsHeard {
		t.Errorf("%d facts were heard in a moment", heard)
	}
	published := 0
	for now := time.Duration(0); now < 5*time.Second; now += 100 * time.Millisecond {
		for _, e := range p.Tick(now) {
			if m, ok := e.(Publish); ok {
				facts, _ := m.Message.Body.(Facts)
				published += len(facts.Facts)
				if len(facts.Facts) > factsAtOnce {
					t.Errorf("%d facts at once", len(facts.Facts))
				}
			}
		}
	}
	if published != factsWait {
		t.Errorf("%d facts were published of %d that waited", published, factsWait)
	}
}

// TestVerifyKeepsLittle: the arguments of drawn loans are bounded, and forgotten with the loans.
func TestVerifyKeepsLittle(t *testing.T) {
	p, _ := lone(t)
	p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")).With(Terms{Verify: 1}))
	big := make([]byte, 1<<20)
	for n := range steal.Ref(500) {
		p.verifier.lent(1, []Job{{Ref: n, Task: "t", Args: big}})
	}
	bytes, drawn := 0, 0
	for _, n := range p.verifier.notes {
		if bytes += len(n.args); n.args != nil {
			drawn++
		}
	}
	if bytes > notesBytes || drawn == 0 || len(p.verifier.notes) > 70 {
		t.Errorf("%d notes, %d drawn, of %d bytes; nothing is lent", len(p.verifier.notes), drawn, bytes)
	}
}

// TestBarsAreKept: who was kicked is kept out after a restart.
func TestBarsAreKept(t *testing.T) {
	p, _ := lone(t)
	p.Bar(0, "other", true)
	q := New(Config{Member: membership.Config{ID: "again", Site: "a"}}, rand.New(rand.NewPCG(3, 3)))
	q.Barred(0, p.Sight().Bars())
	q.Found(0)
	if _, ok := find[membership.Joined](greet(q, 0, someone("other", 5))); ok || len(q.Sight().Bars()) != 1 {
		t.Error("the barred is let in")
	}
	if got := bodies(q.Received(0, "other", Message{Body: Pull{}})); len(got) != 1 || got[0].(membership.Refused).Barred != true {
		t.Errorf("one that is barred pulls, and is told %v", got)
	}
}
