package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// salvage gives the leaver a result, and ends its root.
func (s *stage) windDown(effects []Effect) []Effect {
	s.t.Helper()
	w, ok := find[Withdraw](effects)
	if !ok || !w.Salvage {
		s.t.Fatalf("its root is not withdrawn: %v", effects)
	}
	s.p.Salvaged(0, []Part{{Run: 1, Key: steal.Key{1}, Result: steal.Result{Cost: 900}}})
	return s.p.Stopped(0, w.Borrow)
}

// TestMuteHeirIsLeft: an heir that does not acknowledge is left for another, who gets all.
func TestMuteHeirIsLeft(t *testing.T) {
	s := newStage(t, "b1", "c1")
	first, _ := sent[orphan.Will](s.windDown(s.p.Leave(0, 20*time.Second, "b")))
	if len(first) != 1 || first[0] != "b1" || s.p.Sight().Heir() != "b1" {
		t.Fatalf("the heir is %v, not at the site that was asked for", first)
	}
	to, wills := sent[orphan.Will](s.pass(0, 5*time.Second))
	last := len(to) - 1
	if last < 1 || to[last] != "c1" || len(wills[last].Items) != 1 {
		t.Fatalf("the will was sent to %v", to)
	}
	if _, ok := find[Left](s.from(5*time.Second, "b1", orphan.Willed{Number: wills[last].Number})); ok {
		t.Error("it left on the word of one that is not its heir")
	}
	left, ok := find[Left](s.from(5*time.Second, "c1", orphan.Willed{Number: wills[last].Number}))
	if !ok || left.Heir != "c1" || left.Lost != 0 {
		t.Errorf("it left: %v %v", ok, left)
	}
}

// TestLastLeaverWaits: when all are leaving, the one with the most time is everybody's
// heir, and leaves last.
func TestLastLeaverWaits(t *testing.T) {
	for _, c := range []struct {
		grace uint32 // the other's
		heir  string
	}{{60000, "b1"}, {1000, ""}} {
		s := newStage(t, "b1")
		s.member("b1", membership.Leaving, c.grace)
		s.windDown(s.p.Leave(0, 20*time.Second, ""))
		if got := string(s.p.Sight().Heir()); got != c.heir {
			t.Errorf("beside one with %d ms the heir is %q", c.grace, got)
		}
		if c.heir != "" {
			continue
		}
		if _, ok := find[Left](s.pass(0, time.Second)); ok {
			t.Error("it did not wait for the one that leaves to it")
		}
		s.member("b1", membership.Left, 0)
		delete(s.life, "b1")
		if left, ok := find[Left](s.pass(time.Second, 1200*time.Millisecond)); !ok || left.Lost != 1 {
			t.Errorf("alone it stays: %v, %v", ok, left)
		}
	}
}

// TestLeaveAtTheDeadline: a job that does not stop does not keep it; what it has by half time is
// handed on all the same.
func TestLeaveAtTheDeadline(t *testing.T) {
	s := newStage(t, "b1")
	s.p.Leave(0, time.Minute, "")
	s.p.Leave(0, 10*time.Second, "") // in more of a hurry
	s.p.Salvaged(0, []Part{{Run: 1, Key: steal.Key{1}, Result: steal.Result{Cost: 900}}})
	if to, _ := sent[orphan.Will](s.pass(0, 4*time.Second)); len(to) != 0 {
		t.Error("the will is sent before half the time is over")
	}
	_, wills := sent[orphan.Will](s.pass(4*time.Second, 6*time.Second))
	if len(wills) == 0 {
		t.Fatal("half the time is over, and there is no will")
	}
	s.from(6*time.Second, "b1", orphan.Willed{Number: wills[0].Number})
	if _, ok := find[Left](s.pass(6*time.Second, 9900*time.Millisecond)); ok {
		t.Error("it left with a job running, before its time")
	}
	if left, ok := find[Left](s.pass(10*time.Second, 10*time.Second)); !ok || left.Heir != "b1" || left.Lost != 0 {
		t.Errorf("at the deadline: %v, %v", ok, left)
	}
	if s.p.Deadline() != steal.Never {
		t.Error("it has left, and wants to be called")
	}
}

// TestLeaverTakesNoWork: what is lent to it is handed back, whoever asks it gets nothing, and
// it asks for nothing.
func TestLeaverTakesNoWork(t *testing.T) {
	s := newStage(t, "b1")
	s.p.Idle(0, 0)
	s.p.Leave(0, 10*time.Second, "")
	_, held := sent[steal.Missing](s.from(0, "b1", steal.Lend{Run: s.run, Jobs: []steal.Lent{{Number: 3}, {Number: 4}}}))
	if len(held) != 1 || len(held[0].Numbers) != 2 {
		t.Errorf("a loan that came late is answered %v", held)
	}
	if to, _ := sent[steal.Nothing](s.from(0, "b1", steal.Ask{Number: 1, Jobs: 1})); len(to) != 1 {
		t.Error("it was asked, and lends")
	}
	if to, _ := sent[steal.Ask](s.p.Idle(0, 1)); len(to) != 0 {
		t.Error("it is leaving, and asks for work")
	}
}

// TestHeirKeepsForOthers: what a leaver kept for another is kept for that one; when it is gone
// meanwhile, it is advertised.
func TestHeirKeepsForOthers(t *testing.T) {
	s := newStage(t, "b1", "c1")
	r := steal.Result{Cost: 900}
	claim := func(owner membership.PeerID, i membership.Incarnation) []orphan.KeptFor {
		return []orphan.KeptFor{{Owner: owner, Incarnation: i, Why: orphan.ForWill}}
	}
	will := orphan.Will{Run: s.run, Number: 1, Items: []orphan.Bequest{
		{Part: orphan.Part{Key: steal.Key{1}, Result: r}, Owners: claim("c1", s.life["c1"])},
		{Part: orphan.Part{Key: steal.Key{2}, Result: r}, Owners: claim("gone", membership.Incarnation{Join: 9})},
		{Part: orphan.Part{Key: steal.Key{3}, Result: r}, Owners: claim("me", s.p.Sight().Self().Incarnation)},
	}}
	for range 2 {
		if to, _ := sent[orphan.Willed](s.from(0, "b1", will)); len(to) != 1 {
			t.Fatal("a will is not acknowledged")
		}
	}
	advertised := func(effects []Effect) (n int) {
		for _, e := range effects {
			if a, ok := e.(Publish); ok {
				if b, ok := a.Message.Body.(orphan.Advert); ok {
					n += len(b.Changes)
				}
			}
		}
		return n
	}
	if n := advertised(s.pass(0, 50*time.Millisecond)); n != 1 || s.p.Sight().Results().Len() != 2 {
		t.Errorf("%d are advertised of %d that are kept", n, s.p.Sight().Results().Len())
	}
	s.member("c1", membership.Dead, 0)
	delete(s.life, "c1")
	if n := advertised(s.pass(100*time.Millisecond, 200*time.Millisecond)); n != 1 {
		t.Errorf("its owner died, and %d are advertised", n)
	}
}

// TestHeirAsksForARunThatGoesOn: of a run's submissions the first has ended, and the heir knows of
// no other. It acknowledges the will when it has it.
func TestHeirAsksForARunThatGoesOn(t *testing.T) {
	s := newStage(t, "b1")
	root := []byte("another")
	run := steal.Instance{Run: steal.KeyOf(root), First: steal.Submission{Submitter: "c", Nonce: 1}}
	s.from(0, "b1", Ended{[]Tombstone{{Submission: run.First}}})
	effects := s.from(0, "b1", orphan.Will{Run: run, Number: 1, Items: []orphan.Bequest{
		{Part: orphan.Part{Key: steal.Key{1}, Result: steal.Result{Cost: 900}}, Orphan: true}}})
	if to, _ := sent[orphan.Willed](effects); len(to) > 0 {
		t.Fatal("it has nothing of it, and says that it has")
	}
	if _, ask := sent[Fetch](effects); len(ask) != 1 || ask[0].Run != run {
		t.Fatalf("it does not ask for the run: %v", ask)
	}
	effects = s.from(0, "b1", Record{Root: root, Head: Head{Run: run, Task: "t", RootDigest: steal.KeyOf(root), RootBytes: uint32(len(root)), Master: "b1",
		Epoch: membership.Epoch{Number: 1, Master: s.life["b1"]}, Submissions: []steal.Submission{{Submitter: "c", Nonce: 2}}}})
	if to, _ := sent[orphan.Willed](effects); len(to) != 1 || s.p.Sight().Results().Len() != 1 {
		t.Errorf("acknowledged to %v, %d results are kept", to, s.p.Sight().Results().Len())
	}
}

// TestLeaverVerifiesNothing: what comes back to a leaver is settled, and not executed again.
func TestLeaverVerifiesNothing(t *testing.T) {
	for _, leaving := range []bool{false, true} {
		s := newStage(t, "b1")
		s.p.runs.all[0].terms.Verify = 1
		s.p.Idle(0, 0)
		if _, ok := find[steal.WantJobs](s.from(0, "b1", steal.Ask{Number: 1, Jobs: 1, Bytes: 1 << 10})); !ok {
			t.Fatal("the workers are not asked for a job")
		}
		_, lends := sent[steal.Lend](s.p.Taken(0, []Job{{Ref: 1, Run: 1, Key: steal.Key{1}, Task: "t", Args: []byte("x")}}))
		if len(lends) != 1 {
			t.Fatal("nothing was lent")
		}
		if leaving {
			s.p.Leave(0, 10*time.Second, "")
		}
		effects := s.from(0, "b1", steal.Return{Run: s.run, Number: lends[0].Jobs[0].Number, Result: steal.Result{Bytes: []byte("X"), Cost: 9}})
		_, again := find[Execute](effects)
		_, settled := find[Settle](effects)
		if again == leaving || settled != leaving {
			t.Errorf("leaving %v: executed again %v, settled %v", leaving, again, settled)
		}
	}
}

// TestPartsOfWhatIsVerifiedAreNot: what is executed to verify a result is lent as such, executed as
// such, and not verified once more.
func TestPartsOfWhatIsVerifiedAreNot(t *testing.T) {
	for _, verifies := range []bool{false, true} {
		s := newStage(t, "b1")
		s.p.runs.all[0].terms.Verify = 1
		executed, _ := find[Execute](s.from(0, "b1", steal.Lend{Run: s.run, Jobs: []steal.Lent{{Number: 1, Key: steal.Key{2}, Task: "t", Verifies: verifies}}}))
		if executed.Verifies != verifies {
			t.Errorf("a loan that verifies %v is executed as one that does so %v", verifies, executed.Verifies)
		}
		s.p.Idle(0, 0)
		s.from(0, "b1", steal.Ask{Number: 1, Jobs: 1, Bytes: 1 << 10})
		_, lends := sent[steal.Lend](s.p.Taken(0, []Job{{Ref: 1, Run: 1, Key: steal.Key{1}, Task: "t", Args: []byte("x"), Verifies: verifies}}))
		if len(lends) != 1 || lends[0].Jobs[0].Verifies != verifies {
			t.Fatalf("a job that verifies %v is lent as %v", verifies, lends)
		}
		effects := s.from(0, "b1", steal.Return{Run: s.run, Number: lends[0].Jobs[0].Number, Result: steal.Result{Bytes: []byte("X"), Cost: 9}})
		if again, found := find[Execute](effects); found == verifies || found && !again.Verifies {
			t.Errorf("verifies %v: executed again %v, as such %v", verifies, found, again.Verifies)
		}
	}
}

// TestWhoSpawnsVerifies: of a job that was lent and passed on, only the first loan is drawn, or the
// second would double what the first costs.
func TestWhoSpawnsVerifies(t *testing.T) {
	for _, passedOn := range []bool{false, true} {
		s := newStage(t, "b1")
		s.p.runs.all[0].terms.Verify = 1
		s.p.Idle(0, 0)
		s.from(0, "b1", steal.Ask{Number: 1, Jobs: 1, Bytes: 1 << 10})
		_, lends := sent[steal.Lend](s.p.Taken(0, []Job{{Ref: 1, Run: 1, Key: steal.Key{1}, Task: "t", Args: []byte("x"), PassedOn: passedOn}}))
		if len(lends) != 1 {
			t.Fatal("nothing was lent")
		}
		effects := s.from(0, "b1", steal.Return{Run: s.run, Number: lends[0].Jobs[0].Number, Result: steal.Result{Bytes: []byte("X"), Cost: 9}})
		_, again := find[Execute](effects)
		if _, settled := find[Settle](effects); again == passedOn || settled != passedOn {
			t.Errorf("passed on %v: executed again %v, settled %v", passedOn, again, settled)
		}
	}
}
