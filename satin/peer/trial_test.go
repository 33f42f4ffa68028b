package peer

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// lends is a loan of one job under a best.
func (s *stage) lends(number steal.LoanNo, best steal.Stamp) []Effect {
	return s.from(0, "b1", steal.Lend{Run: s.run, Best: best, Jobs: []steal.Lent{{Number: number, Key: steal.Key{byte(number)}, Task: "t"}}})
}

func executes(effects []Effect) (n int) {
	for _, e := range effects {
		if x, ok := e.(Execute); ok && !x.IsRoot {
			n++
		}
	}
	return n
}

// TestMessagesWaitWhileBestsAreCompared: two bests come while none, then one, is being
// compared. Each loan is used when its own is held, and only then is it acknowledged; what
// names no best is used at once.
func TestMessagesWaitWhileBestsAreCompared(t *testing.T) {
	s := newStage(t, "b1")
	first, second := steal.StampOf([]byte("first")), steal.StampOf([]byte("second"))
	got := s.lends(1, first)
	if c, ok := find[Compare](got); !ok || c.Best.Digest != first.Digest || c.From != "b1" || executes(got) != 0 {
		t.Fatalf("a loan with a best that is not known: %v", got)
	}
	if to, _ := sent[HaveBest](got); len(to) != 0 {
		t.Error("acknowledged before it is compared")
	}
	if to, _ := sent[WantBest](got); len(to) != 0 {
		t.Error("what is being compared is asked for")
	}
	got = s.lends(2, second)
	if _, ok := find[Compare](got); ok || executes(got) != 0 {
		t.Fatalf("a second comparison at a time, or a loan used: %v", got)
	}
	if executes(s.lends(3, steal.Stamp{})) != 1 {
		t.Error("a loan under no best waits")
	}
	got = s.p.Compared(0, 1, first.Digest, Better, steal.Result{})
	if c, ok := find[Compare](got); !ok || c.Best.Digest != second.Digest || executes(got) != 1 {
		t.Fatalf("the first is held: %v", got)
	}
	if to, all := sent[HaveBest](got); len(to) != 1 || all[0].Digest != first.Digest {
		t.Errorf("acknowledged: %v", all)
	}
	got = s.p.Compared(0, 1, second.Digest, Worse, steal.Result{})
	if to, all := sent[HaveBest](got); len(to) != 1 || all[0].Digest != second.Digest || executes(got) != 1 {
		t.Errorf("the second is passed over: %v, acknowledged %v", got, all)
	}
	if best, _ := s.p.Sight().Best(1); string(best) != "first" {
		t.Errorf("the best is %q", best)
	}
}

// TestOfferWhileComparing: a worker finds a better best while one from outside is compared.
// Verdicts and offers come in the workers' order, whichever that is.
func TestOfferWhileComparing(t *testing.T) {
	for _, v := range []Verdict{Better, Worse} {
		s := newStage(t, "b1")
		theirs, ours := steal.StampOf([]byte("theirs")), steal.StampOf([]byte("ours"))
		s.lends(1, theirs)
		s.p.Offered(0, 1, ours)
		if got := s.lends(2, ours); executes(got) != 1 {
			t.Error("a loan under our own best waits")
		}
		got := s.p.Compared(0, 1, theirs.Digest, v, steal.Result{})
		want := map[Verdict]string{Better: "theirs", Worse: "ours"}[v]
		if best, _ := s.p.Sight().Best(1); string(best) != want || executes(got) != 1 {
			t.Errorf("verdict %d: the best is %q; %v", v, best, got)
		}
	}
}

// TestVerdictAfterTheEnd: a run ends while a best is compared.
func TestVerdictAfterTheEnd(t *testing.T) {
	s := newStage(t, "b1")
	best := steal.StampOf([]byte("best"))
	s.lends(1, best)
	s.p.Cancel(0, s.p.submissions.mine[0].id.Nonce)
	if got := s.p.Compared(0, 1, best.Digest, Better, steal.Result{}); len(got) != 0 || !s.p.Sight().Quiet() {
		t.Errorf("a verdict on the best of a run that has ended: %v", got)
	}
}

// TestSpoiltBest: a value on which the order panics is dropped, and the run goes on; work that was
// done under it fails the run.
func TestSpoiltBest(t *testing.T) {
	s := newStage(t, "b1")
	bad := steal.StampOf([]byte("bad"))
	why := steal.Result{Outcome: steal.Panicked, Bytes: []byte("moody")}
	if _, ok := find[Compare](s.from(0, "b1", BestIs{Run: s.run, Best: bad})); !ok {
		t.Fatal("not compared")
	}
	got := s.p.Compared(0, 1, bad.Digest, Spoilt, why)
	if _, ends := find[Deliver](got); ends {
		t.Fatal("a value alone fails the run")
	}
	if to, _ := sent[HaveBest](got); len(to) != 0 {
		t.Error("acknowledged")
	}
	if _, again := find[Compare](s.from(0, "b1", BestIs{Run: s.run, Best: bad})); again {
		t.Error("compared again")
	}
	if executes(s.lends(1, steal.Stamp{})) != 1 {
		t.Error("the run does not go on")
	}
	got = s.lends(2, steal.Stamp{Digest: bad.Digest})
	if d, ok := find[Deliver](got); !ok || d.Result.Outcome != steal.Panicked || string(d.Result.Bytes) != "moody" {
		t.Errorf("work under it waits for ever: %v", got)
	}
}

// TestWorkWaitsForSpoiltBest: the work was there before the verdict.
func TestWorkWaitsForSpoiltBest(t *testing.T) {
	s := newStage(t, "b1")
	bad := steal.StampOf([]byte("bad"))
	s.lends(1, bad)
	got := s.p.Compared(0, 1, bad.Digest, Spoilt, steal.Result{Outcome: steal.Panicked})
	if d, ok := find[Deliver](got); !ok || d.Result.Outcome != steal.Panicked {
		t.Errorf("%v", got)
	}
}

// TestOrderThatNeverReturns: after a minute the run fails; until then nothing but what
// needs the best waits.
func TestOrderThatNeverReturns(t *testing.T) {
	s := newStage(t, "b1")
	s.lends(1, steal.StampOf([]byte("best")))
	got := s.pass(0, trialMax-time.Second)
	if _, ends := find[Deliver](got); ends {
		t.Fatal("the run fails too soon")
	}
	if _, lost := find[membership.Lost](got); lost {
		t.Error("heartbeats wait")
	}
	if d, ok := find[Deliver](s.pass(trialMax-time.Second, trialMax+time.Second)); !ok || d.Result.Outcome != steal.Panicked {
		t.Error("the run waits for ever")
	}
}

// TestTrialIsBounded: somebody who brings new bests all the time fills neither memory nor
// the places of others.
func TestTrialIsBounded(t *testing.T) {
	s := newStage(t, "b1", "b2")
	for n := range 1000 {
		s.from(0, "b1", BestIs{Run: s.run, Best: steal.StampOf(fmt.Appendf(nil, "best %d", n))})
	}
	if n := len(s.p.runs.all[0].best.trial.waiting); n != contendersEach {
		t.Errorf("%d values of one peer wait", n)
	}
	other := steal.StampOf([]byte("another"))
	s.from(0, "b2", BestIs{Run: s.run, Best: other})
	if !s.p.runs.all[0].best.trial.has(other.Digest) {
		t.Error("there is no room for another's")
	}
	for n := range byte(8) {
		s.from(0, "b2", BestIs{Run: s.run, Best: steal.StampOf(bytes.Repeat([]byte{n}, contendersBytesMax/2))})
	}
	total := 0
	for _, c := range s.p.runs.all[0].best.trial.waiting {
		total += len(c.best.Value)
	}
	if total > contendersBytesMax {
		t.Errorf("%d bytes wait", total)
	}
}
