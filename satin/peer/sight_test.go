package peer

import (
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestRunStatus: what a person may see of a run.
func TestRunStatus(t *testing.T) {
	p, _ := lone(t)
	nonce, _, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	runs := p.Sight().Runs()
	if len(runs) != 1 || runs[0].Master != "me" || runs[0].Epoch.Number != 1 || runs[0].Waits != 1 || runs[0].State != Computing {
		t.Fatalf("runs %v", runs)
	}
	if no, ok := p.Sight().RunOf(nonce); !ok || no != runs[0].Run {
		t.Errorf("the submission belongs to run %d", no)
	}
	p.Cancel(0, nonce)
	if len(p.Sight().Runs()) != 0 || !p.Sight().Quiet() {
		t.Errorf("cancelled, but runs are %v", p.Sight().Runs())
	}
}

// TestSightOfMembers: who is here and who is barred, and how large a result may be.
func TestSightOfMembers(t *testing.T) {
	p, other := lone(t)
	s := p.Sight()
	if s.Self().ID != "me" || s.Joining() || len(s.Members()) != 1 || s.Members()[0].ID != "other" {
		t.Errorf("%v is joining: %v, with %v", s.Self(), s.Joining(), s.Members())
	}
	if m, ok := s.Member("other"); !ok || m.Incarnation != other {
		t.Errorf("the other is %v", m)
	}
	root := RootOf(steal.Key{1}, "t", nil).With(Terms{ResultMax: 5})
	if p.Submit(0, root); s.Promised() != 5 {
		t.Errorf("%d bytes are promised", s.Promised())
	}
	if p.Bar(0, "other", true); len(s.Bars()) != 1 || len(s.Members()) != 0 {
		t.Errorf("barred are %v, here are %v", s.Bars(), s.Members())
	}
}

// TestSightFollowsThePeer: one sight shows what is so when it is asked, and changes nothing.
func TestSightFollowsThePeer(t *testing.T) {
	p, other := lone(t)
	s := p.Sight()
	nonce, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "t", nil))
	no, _ := s.RunOf(nonce)
	root, _ := find[Execute](effects)
	if got := s.Submitters(no); len(got) != 1 || got[0] != "me" {
		t.Errorf("the run is waited for by %v", got)
	}
	p.Idle(0, 1)
	p.Received(0, "other", Message{From: other, Body: steal.Ask{Number: 1, Jobs: 1}})
	p.Taken(0, []Job{{Ref: 1, Run: no, Key: steal.Key{2}, Task: "t"}})
	if s.Ledger().Lent() != 1 || s.Stats().LentNear != 1 {
		t.Errorf("%d jobs are lent, and count %+v", s.Ledger().Lent(), s.Stats())
	}
	deadline := p.Deadline()
	if err := s.Check(); err != nil || s.Quiet() || p.Deadline() != deadline {
		t.Errorf("looked at, the peer wants to be called at %v, not %v: %v", p.Deadline(), deadline, err)
	}
	p.Finished(time.Second, root.Borrow, steal.Result{Outcome: steal.Value})
	if len(s.Runs()) != 0 || len(s.Submitters(no)) != 0 {
		t.Errorf("it has ended, but %v wait for %v", s.Submitters(no), s.Runs())
	}
	if p.Received(time.Second, "other", Message{From: other, Body: membership.Heartbeat{}}); !s.Quiet() {
		t.Error("it has ended, and something is kept of it")
	}
}

// TestSightOfABest: whom the run's best need not be sent again, and what is pruned by it is held
// here. Whoever speaks in another life, or has acknowledged another best, is not trusted.
func TestSightOfABest(t *testing.T) {
	s := newStage(t, "b1", "c1")
	sight := s.p.Sight()
	trusted := func(event string, digest steal.Key, want ...membership.PeerID) {
		t.Helper()
		got, of := sight.Trusted(1)
		if !slices.Equal(got, want) || of != digest {
			t.Errorf("%s: %v are trusted to hold %v, want %v and %v", event, got, of, want, digest)
		}
	}
	has := func(id membership.PeerID, text string) {
		s.from(0, id, HaveBest{Run: s.run, Digest: stamp(text).Digest})
	}
	has("c1", "better")
	if trusted("there is none", steal.Key{}); sight.HasBest(s.run, stamp("good").Digest) {
		t.Error("it has a best that nobody has found")
	}
	if _, some := sight.Best(1); some {
		t.Error("it shows a best that nobody has found")
	}
	s.p.Offered(0, 1, stamp("good"))
	has("b1", "good")
	trusted("one has said so", stamp("good").Digest, "b1")
	s.p.Offered(0, 1, stamp("better"))
	trusted("it has a better one", stamp("better").Digest)
	has("b1", "good")
	trusted("the former comes late", stamp("better").Digest)
	has("b1", "better")
	has("c1", "better")
	trusted("both have said so", stamp("better").Digest, "b1", "c1")
	s.life["b1"] = membership.Incarnation{Join: 2, Rejoin: 1}
	s.member("b1", membership.Here, 0)
	trusted("one has another life", stamp("better").Digest, "c1")
	for text, want := range map[string]bool{"good": true, "better": true, "best": false} {
		if sight.HasBest(s.run, stamp(text).Digest) != want {
			t.Errorf("the best %q is held, or one above it: %v", text, !want)
		}
	}
	if value, some := sight.Best(1); !some || string(value) != "better" {
		t.Errorf("it shows the best %q", value)
	}
	if all, digest := sight.Trusted(9); all != nil || digest != (steal.Key{}) || !sight.HasBest(steal.Instance{}, steal.Key{1}) {
		t.Error("somebody is trusted with a best of a run that is over, or lacks one")
	}
}

// TestSightOfAnAnswer: between the answer and the last submitter's word a run has one, and is shown
// as answered; each that waits is named once, however often it has submitted.
func TestSightOfAnAnswer(t *testing.T) {
	p, m := submittedBy(t, "c1", Terms{})
	s := p.Sight()
	for n := range steal.Nonce(2) {
		m.Submission.Nonce = 50 + n
		p.Received(0, "c1", Message{From: asClient, Body: m})
	}
	m.Submission = steal.Submission{Submitter: "c2", Nonce: 1}
	p.Received(0, "c2", Message{From: asClient, Body: m})
	no := s.Runs()[0].Run
	if got := s.Submitters(no); !slices.Equal(got, []membership.PeerID{"c1", "c2"}) || len(s.Submitters(no+1)) != 0 {
		t.Errorf("%v wait for it", got)
	}
	p.Finished(time.Second, p.runs.all[0].root.borrow, value("4"))
	if r := s.Runs()[0]; r.State != Answered || r.Waits != 4 {
		t.Errorf("it has its answer, and is shown as %+v", r)
	}
	var over Ended
	for _, one := range p.runs.all[0].submissions {
		if one.Submitter == "c1" {
			over.Submissions = append(over.Submissions, Tombstone{Submission: one})
		}
	}
	p.Received(time.Second, "c1", Message{From: asClient, Body: over})
	if r := s.Runs()[0]; r.State != Answered || r.Waits != 1 || !slices.Equal(s.Submitters(no), []membership.PeerID{"c2"}) {
		t.Errorf("one has it, and it is shown as %+v, for %v", r, s.Submitters(no))
	}
	over.Submissions = []Tombstone{{Submission: m.Submission}}
	if p.Received(time.Second, "c2", Message{From: asClient, Body: over}); len(s.Runs()) != 0 || !s.Quiet() {
		t.Errorf("all have it, and there are %v", s.Runs())
	}
}

// TestSightOfASubmission: the run of one is known when a master has taken it and its record is
// here, in whatever order that comes.
func TestSightOfASubmission(t *testing.T) {
	for _, order := range [][]string{{"accepted", "record"}, {"record", "accepted"}} {
		p := outside(true)
		master := someone("m", 1)
		greet(p, 0, master)
		root := RootOf(steal.Key{1}, "t", []byte("root"))
		nonce, _, err := p.Submit(0, root)
		if err != nil {
			t.Fatal(err)
		}
		first := steal.Submission{Submitter: "me", Nonce: nonce}
		rec := Record{Head: Head{
			Run: steal.Instance{Run: root.Run, First: first}, Task: "t", RootDigest: root.Digest, RootBytes: 4, Master: "m",
			Epoch: membership.Epoch{Number: 1, Master: master.Incarnation}, Submissions: []steal.Submission{first},
		}}
		for n, what := range order {
			if _, known := p.Sight().RunOf(nonce); known {
				t.Errorf("%v: known after %d of them", order, n)
			}
			body := membership.Body(rec)
			if what == "accepted" {
				body = Accepted{Nonce: nonce, Run: rec.Head.Run, Master: "m"}
			}
			p.Received(0, "m", Message{From: master.Incarnation, Body: body})
		}
		if no, known := p.Sight().RunOf(nonce); !known || no != p.Sight().Runs()[0].Run {
			t.Errorf("%v: its run is %d: %v", order, no, known)
		}
		if _, known := p.Sight().RunOf(nonce + 1); known {
			t.Error("the run of another submission is known")
		}
	}
}

// TestSightOfLosses: what each has cost a run, and what has crossed the border since the beginning.
func TestSightOfLosses(t *testing.T) {
	s := newStage(t, "b1", "a2")
	for n, id := range []membership.PeerID{"b1", "a2"} {
		s.from(0, id, steal.Ask{Number: 1, Jobs: 1, Bytes: 1 << 10})
		s.p.Taken(0, []Job{{Ref: steal.Ref(n + 1), Run: 1, Key: steal.Key{byte(n)}, Task: "t"}})
	}
	s.lends(7, steal.Stamp{})
	s.pass(0, time.Second)
	s.die(time.Second, "b1")
	got := s.p.Sight().Losses(1)
	if len(got) != 1 || got[0].Peer != "b1" || got[0].Site != "b" || got[0].At != time.Second || got[0].Restarted != 1 {
		t.Fatalf("the losses are %+v", got)
	}
	if got = s.p.Sight().Losses(2); len(got) != 1 || got[0].LossCost != (LossCost{}) {
		t.Errorf("another run has lost %+v", got)
	}
	if got := s.p.Sight().Stats(); got.LentFar != 1 || got.LentNear != 1 || got.Borrowed != 1 || got.Again != 1 || got.Reused != 0 {
		t.Errorf("it counts %+v", got)
	}
}

// TestSightOfALeave: who the heir is is known when it has been chosen, and where hosts are with the
// peer's own join number.
func TestSightOfALeave(t *testing.T) {
	s := newStage(t, "b1")
	if heir, by := s.p.Sight().Heir(), s.p.Sight().LeavesBy(); heir != "" || by != 0 {
		t.Errorf("it does not leave, and its heir is %q, until %v", heir, by)
	}
	s.windDown(s.p.Leave(0, 20*time.Second, ""))
	if heir, by := s.p.Sight().Heir(), s.p.Sight().LeavesBy(); heir != "b1" || by != 20*time.Second {
		t.Errorf("it leaves, and its heir is %q, until %v", heir, by)
	}
	s.p.Listens([]string{addrOf("me")})
	own := 0
	for _, known := range s.p.Sight().Addresses() {
		if known.ID == "me" && known.Join == s.p.Sight().Self().Incarnation.Join && known.Join > 0 {
			own++
		}
	}
	if own != 1 || s.p.Sight().Book() != s.p.book || s.p.Sight().Results() != s.p.results {
		t.Errorf("of itself it knows %v", s.p.Sight().Addresses())
	}
}

// TestSightOfAClient: it looks for more until it is in, and again when it knows nobody any more.
func TestSightOfAClient(t *testing.T) {
	p := outside(true)
	s, m := p.Sight(), someone("m", 1)
	if !s.Joining() {
		t.Error("it is told to join, and looks for nobody")
	}
	p.Proved("m", false)
	p.Connected(0, "m")
	p.Received(0, "m", Message{From: m.Incarnation, Body: Snapshot{Members: []membership.Member{m}, About: aboutAll}})
	if s.Joining() || len(s.Members()) != 1 {
		t.Errorf("it is in, with %v, and looks for more", s.Members())
	}
	gone := m
	gone.State = membership.Left
	p.Received(lonelyMin, "m", Message{From: m.Incarnation, Body: membership.Gone{Member: gone}})
	if !s.Joining() || len(s.Members()) != 0 {
		t.Errorf("the only one has left, and it looks for nobody: %v", s.Members())
	}
}
