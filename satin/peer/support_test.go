package peer

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// member lets a peer greet p.
func greet(p *Peer, now time.Duration, m membership.Member) []Effect {
	return p.Received(now, m.ID, Message{From: m.Incarnation, Body: membership.Hello{Member: m}})
}

func someone(id string, join uint64) membership.Member {
	return membership.Member{ID: membership.PeerID(id), Site: "a", Workers: 1, State: membership.Here,
		Incarnation: membership.Incarnation{Join: join, Random: uint64(join)}}
}

// heldRun lets p hear of a run of another master, and returns its record.
func heldRun(p *Peer, master membership.Member) Record {
	root := []byte("root")
	rec := Record{Root: root, Head: Head{
		Run: steal.Instance{Run: steal.KeyOf(root), First: steal.Submission{Submitter: "client", Nonce: 1}}, Task: "t",
		RootDigest: steal.KeyOf(root), RootBytes: uint32(len(root)), Epoch: membership.Epoch{Number: 1, Master: master.Incarnation}, Master: master.ID,
		Submissions: []steal.Submission{{Submitter: "client", Nonce: 1}}}}
	p.Received(0, master.ID, Message{From: master.Incarnation, Body: rec})
	return rec
}

// TestSupersededLoanIsRefused: an epoch fences the root's loans.
func TestSupersededLoanIsRefused(t *testing.T) {
	p, _ := lone(t)
	old, next := someone("old", 3), someone("next", 4)
	greet(p, 0, old)
	greet(p, 0, next)
	rec := heldRun(p, old)
	lend := steal.Lend{Run: rec.Head.Run, Epoch: rec.Head.Epoch, Jobs: []steal.Lent{{Number: 1, Key: steal.Key{1}, Task: "t", Args: []byte("x")}}}
	if _, ok := find[Execute](p.Received(0, old.ID, Message{From: old.Incarnation, Body: lend})); !ok {
		t.Fatal("a loan of the master was refused")
	}
	rec.Head.Epoch, rec.Head.Master = membership.Epoch{Number: 2, Master: next.Incarnation}, next.ID
	p.Received(0, next.ID, Message{From: next.Incarnation, Body: rec})
	lend.Jobs[0].Number = 2
	effects := p.Received(0, old.ID, Message{From: old.Incarnation, Body: lend})
	if _, ok := find[Execute](effects); ok {
		t.Error("a loan of a superseded root was taken")
	}
	var held, record bool
	for _, b := range bodies(effects) {
		switch b := b.(type) {
		case steal.Missing:
			held = len(b.Numbers) == 1 && b.Numbers[0] == 2
		case Record:
			record = b.Head.Master == next.ID
		}
	}
	if !held || !record {
		t.Errorf("the lender hears %v", bodies(effects))
	}
	// borrowed from the new root, and lent on
	lend.Jobs[0].Number, lend.Epoch = 3, rec.Head.Epoch
	if _, ok := find[Execute](p.Received(0, old.ID, Message{From: old.Incarnation, Body: lend})); !ok {
		t.Error("a loan under the present epoch was refused")
	}
}

// TestHeirSucceeds: the heir that a master named on leaving takes its runs, not the oldest.
func TestHeirSucceeds(t *testing.T) {
	for _, heir := range []membership.PeerID{"me", "older", ""} {
		p, _ := lone(t)
		master, older := someone("master", 3), someone("older", 1)
		older.ID = "a-older" // of the same join number as me, and the smaller id
		if heir == "older" {
			heir = older.ID
		}
		greet(p, 0, older)
		greet(p, 0, master)
		heldRun(p, master)
		master.State, master.How, master.Heir = membership.Left, membership.Went, heir
		m, ok := find[Mastered](p.Received(0, master.ID, Message{From: master.Incarnation, Body: membership.Gone{Member: master}}))
		if want := heir == "me"; ok != want {
			t.Errorf("heir %q: this peer succeeds %v", heir, ok)
		} else if ok && (m.Master != "me" || m.Epoch.Number != 2) {
			t.Errorf("heir %q: %v", heir, m)
		}
	}
}

// TestHeirThatDoesNotKnow: the heir's connection was refused before it heard that it is one, so it
// looks for the oldest; and the oldest does not wait for it for ever.
func TestHeirThatDoesNotKnow(t *testing.T) {
	p, _ := lone(t)
	master, younger := someone("master", 3), someone("younger", 9)
	greet(p, 0, master)
	greet(p, 0, younger)
	heldRun(p, master)
	master.State, master.How, master.Heir = membership.Left, membership.Went, younger.ID
	if _, ok := find[Mastered](p.Received(0, master.ID, Message{From: master.Incarnation, Body: membership.Gone{Member: master}})); ok {
		t.Fatal("the oldest does not leave the heir any time")
	}
	took := time.Duration(0)
	for now := time.Duration(0); now < 10*time.Second && took == 0; now += 100 * time.Millisecond {
		p.Received(now, younger.ID, Message{From: younger.Incarnation, Body: membership.Heartbeat{}})
		if _, ok := find[Mastered](p.Tick(now)); ok {
			took = now
		}
	}
	if took < heirMax || took > heirMax+time.Second {
		t.Errorf("the oldest takes over after %v", took)
	}

	p, _ = lone(t)
	older := someone("a-older", 1)
	greet(p, 0, older)
	master = someone("master", 3)
	greet(p, 0, master)
	heldRun(p, master)
	p.Disconnected(0, master.ID)
	p.DialFailed(0, master.ID, DialRefused)
	master.State, master.How, master.Heir = membership.Left, membership.Went, "me"
	if m, ok := find[Mastered](p.Received(0, master.ID, Message{From: master.Incarnation, Body: membership.Gone{Member: master}})); !ok || m.Master != "me" {
		t.Error("the heir heard late that it is one, and does nothing")
	}
}

// TestMasterThatLeftItsRoot: a master has left its root for another's, which dies before everybody
// has heard of it. That the one is alive keeps nobody from succeeding the other.
func TestMasterThatLeftItsRoot(t *testing.T) {
	p, other := lone(t)
	master, rival := someone("master", 3), someone("rival", 4)
	greet(p, 0, master)
	greet(p, 0, rival)
	rec := heldRun(p, master)
	p.Disconnected(0, rival.ID)
	p.DialFailed(0, rival.ID, DialRefused)
	rec.Head.Epoch, rec.Head.Master = membership.Epoch{Number: 2, Master: rival.Incarnation}, rival.ID
	if m, ok := find[Mastered](p.Received(0, "other", Message{From: other, Body: rec})); ok {
		t.Errorf("another says that the root is left, and this peer believes it: %v", m)
	}
	p.Received(0, master.ID, Message{From: master.Incarnation, Body: rec})
	if r := p.runs.all[0]; r.master != "me" || r.epoch.Number != 3 {
		t.Errorf("the master says that it has left its root; it has %s, under epoch %d", r.master, r.epoch.Number)
	}
}

// TestRejoinedMasterStays: one that was held dead and is back in a moment keeps its root; a process
// that was started again has none.
func TestRejoinedMasterStays(t *testing.T) {
	p, other := lone(t)
	master := someone("master", 3)
	greet(p, 0, master)
	heldRun(p, master)
	dead := master
	dead.State, dead.How = membership.Dead, membership.Silent
	if _, ok := find[Mastered](p.Received(time.Second, "other", Message{From: other, Body: membership.Gone{Member: dead}})); ok {
		t.Error("it is succeeded though it may be back in a moment")
	}
	back := master
	back.Incarnation.Rejoin, back.Incarnation.Random = 1, 77
	greet(p, 1500*time.Millisecond, back)
	for now := 1500 * time.Millisecond; now < 3*time.Second; now += 100 * time.Millisecond {
		p.Received(now, "master", Message{From: back.Incarnation, Body: membership.Heartbeat{}})
		if _, ok := find[Mastered](p.Tick(now)); ok {
			t.Fatal("it is succeeded though it is back")
		}
	}
	again := someone("master", 9)
	if m, ok := find[Mastered](greet(p, 3*time.Second, again)); !ok || m.Master != "me" || m.Epoch.Number != 2 {
		t.Errorf("it was started again, and %v, %v", m, ok)
	}
}

// TestContradictingErrors: which of several errors a run fails with depends on the order; two
// errors of one job do not.
func TestContradictingErrors(t *testing.T) {
	p := New(Config{
		Member: membership.Config{ID: "me"},
		JobOf:  func(b []byte) steal.Key { return steal.Key{b[0]} },
	}, rand.New(rand.NewPCG(1, 2)))
	failed := func(text string) steal.Result {
		return steal.Result{Outcome: steal.Failed, Bytes: []byte(text)}
	}
	value := steal.Result{Bytes: []byte("value")}
	chosen := steal.Result{Bytes: []byte("other"), Choosing: true}
	for _, c := range []struct {
		a, b steal.Result
		want bool
	}{
		{failed("1 divided by zero"), failed("1 divided by zero"), false},
		{failed("1 divided by zero"), failed("2 divided by zero"), false},
		{failed("1 divided by zero"), failed("1 out of range"), true},
		{value, failed("1 divided by zero"), true},
		{chosen, failed("1 divided by zero"), false},
		{value, steal.Result{Outcome: steal.Panicked, Bytes: []byte("killed")}, false},
	} {
		if got := p.submissions.contradicts(delivered{result: c.a}, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// TestKeptAnswerIsAdvertised: the master dies, and another than the one that keeps its answer
// succeeds it. The keeper advertises the answer, so that the root is not done again.
func TestKeptAnswerIsAdvertised(t *testing.T) {
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(4, 4)))
	master, next := someone("master", 1), someone("next", 2)
	p.Join(0)
	p.Received(0, master.ID, Message{From: master.Incarnation, Body: Snapshot{About: aboutAll, Members: []membership.Member{master, next}}})
	rec := heldRun(p, master)
	p.Received(0, master.ID, Message{From: master.Incarnation, Body: Keep{Run: rec.Head.Run, Epoch: rec.Head.Epoch, Result: steal.Result{Bytes: []byte("answer"), Cost: 900}}})
	if p.Sight().Results().Len() > 0 {
		t.Error("the master lives, and the answer is advertised")
	}
	master.State, master.How = membership.Dead, membership.Killed
	_, answers := sent[Answer](p.Received(time.Second, next.ID, Message{From: next.Incarnation, Body: membership.Gone{Member: master}}))
	if len(answers) != 1 || p.runs.find(rec.Head.Run).root.borrow != 0 {
		t.Fatalf("sends %v", answers)
	}
	for _, e := range p.Tick(time.Second + 50*time.Millisecond) {
		if x, ok := e.(Publish); ok {
			if a, ok := x.Message.Body.(orphan.Advert); ok && len(a.Changes) == 1 && a.Changes[0].Key == rec.Head.Run.Run {
				return
			}
		}
	}
	t.Error("the answer is not advertised")
}

// TestSupportersThatAreGoneAreForgotten lets a long run see more supporters come and go than a grid
// has members, and demands that the last one counts.
func TestSupportersThatAreGoneAreForgotten(t *testing.T) {
	var s support
	now := time.Duration(0)
	for n := range 2 * membership.MembersMax {
		now += supportFor + claimLag
		s.gains(now, membership.PeerID(fmt.Sprint("peer ", n)), 1)
	}
	if _, ok := s.find(membership.PeerID(fmt.Sprint("peer ", 2*membership.MembersMax-1))); !ok || len(s.supporters) > 2 {
		t.Errorf("%d supporters are remembered, the last among them: %v", len(s.supporters), ok)
	}
}
