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
	for _, v := range []Merit{Better, Worse} {
		s := newStage(t, "b1")
		theirs, ours := steal.StampOf([]byte("theirs")), steal.StampOf([]byte("ours"))
		s.lends(1, theirs)
		s.p.Offered(0, 1, ours)
		if got := s.lends(2, ours); executes(got) != 1 {
			t.Error("a loan under our own best waits")
		}
		got := s.p.Compared(0, 1, theirs.Digest, v, steal.Result{})
		want := map[Merit]string{Better: "theirs", Worse: "ours"}[v]
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

// verdict ends the comparison of a value.
func (b *best) verdict(text string, v Merit) []membership.Effect {
	return b.compared(0, stamp(text).Digest, v, panicked)
}

// TestOneComparisonAtATime: values that come while one is compared wait for their turn, each once,
// and a verdict on another, or one too many, changes nothing.
func TestOneComparisonAtATime(t *testing.T) {
	b := newBest(true)
	does(t, "a verdict on nothing", b.verdict("none", Better))
	does(t, "the first", b.came(0, in("a"), BestIs{Best: stamp("first")}), `compare the best "first"`)
	for range 3 {
		does(t, "the second", b.came(0, in("b"), BestIs{Best: stamp("second")}))
		does(t, "the third", b.came(0, in("b"), BestIs{Best: stamp("third")}))
	}
	does(t, "the third's comes before it is asked", b.verdict("third", Better))
	does(t, "the first is worse", b.verdict("first", Worse), "unblocks", "a: HaveBest", `compare the best "second"`)
	does(t, "doubled", b.verdict("first", Worse))
	does(t, "the second is spoilt", b.verdict("second", Spoilt), "unblocks", `compare the best "third"`)
	does(t, "the third is better", b.verdict("third", Better), "unblocks", "unblocks", "b: HaveBest")
	if b.trial.open || len(b.trial.waiting) > 0 || string(b.value) != "third" {
		t.Errorf("the best is %q, and %d wait", b.value, len(b.trial.waiting))
	}
}

// TestWhoIsToldThatItIsHeld: each life that has sent the value while it waited, once; not who has
// died meanwhile, and of many as many as there may be.
func TestWhoIsToldThatItIsHeld(t *testing.T) {
	b := newBest(true)
	is := BestIs{Best: stamp("best")}
	again := life{"b", membership.Incarnation{Join: 1, Rejoin: 4}}
	for _, from := range []life{in("b"), in("c"), again, in("b")} {
		b.came(0, from, is)
	}
	b.lost("c")
	does(t, "it is held", b.verdict("best", Better), "unblocks", "unblocks", "b: HaveBest", "b: HaveBest")

	b = newBest(true)
	for n := range sourcesMax + passedMax + 1 {
		from := in(membership.PeerID(fmt.Sprint("x", n)))
		if n >= sourcesMax { // those before them were not asked
			is.For = steal.Key{byte(n)}
		}
		b.came(0, from, is)
	}
	named := steal.Key{sourcesMax + passedMax - 1}
	effects := b.verdict("best", Worse)
	told := 0
	for _, e := range effects {
		if _, is := e.(membership.Send); is {
			told++
		}
	}
	if told != sourcesMax || !b.knows(named) || b.knows(is.For) {
		t.Errorf("%d are told; what was asked for counts as held: %v and %v", told, b.knows(named), b.knows(is.For))
	}
}

// TestPassedOverIsAskedForAtOnce: what was asked for has been passed over, so that the next that a
// message waits for may be asked for without delay. What came unasked changes nothing there.
func TestPassedOverIsAskedForAtOnce(t *testing.T) {
	b := newBest(true)
	does(t, "one is missing", b.ask(0, in("b"), stamp("one").Digest), "b: WantBest")
	does(t, "another is published", b.came(0, in("c"), BestIs{Best: stamp("two")}), `compare the best "two"`)
	does(t, "it is held", b.verdict("two", Better), "unblocks", "unblocks", "c: HaveBest")
	does(t, "the next is missing", b.ask(ms, in("c"), stamp("three").Digest))
	is := BestIs{For: stamp("one").Digest, Best: stamp("two")}
	does(t, "the one comes, which is the other by now", b.came(ms, in("b"), is), "b: HaveBest", "unblocks")
	does(t, "the next is missing", b.ask(ms, in("c"), stamp("three").Digest), "c: WantBest")
}

// TestRoomForContenders: the first has always room. Others are bounded in number, each peer's and
// all together, and in bytes.
func TestRoomForContenders(t *testing.T) {
	big := steal.Stamp{Digest: steal.Key{1}, Value: make([]byte, contendersBytesMax)}
	b := newBest(true)
	if b.contend(0, "a", big); !b.trial.has(big.Digest) {
		t.Fatal("the first has no room")
	}
	if b.contend(0, "b", stamp("x")); b.trial.has(stamp("x").Digest) {
		t.Error("one more has room, beside one that fills it")
	}
	b.compared(0, big.Digest, Worse, steal.Result{})
	taken := 0
	for n := range 4 * contendersMax {
		s := stamp(fmt.Sprint(n))
		b.contend(0, membership.PeerID(fmt.Sprint("x", n/(2*contendersEach))), s)
		if b.trial.has(s.Digest) {
			taken++
		}
		if own := n % (2 * contendersEach); b.trial.has(s.Digest) != (own < contendersEach) && taken < contendersMax {
			t.Errorf("number %d of one peer has room: %v", own, b.trial.has(s.Digest))
		}
	}
	if taken != contendersMax {
		t.Errorf("%d wait", taken)
	}
	half := steal.Stamp{Digest: steal.Key{2}, Value: make([]byte, contendersBytesMax/2)}
	rest := steal.Stamp{Digest: steal.Key{3}, Value: make([]byte, contendersBytesMax/2)}
	b = newBest(true)
	b.contend(0, "a", half)
	if b.contend(0, "b", rest); !b.trial.has(rest.Digest) {
		t.Error("together they are as many bytes as may wait, and there is no room")
	}
}

// TestSpoiltAreRemembered: the latest of them. One that was forgotten is compared again, which
// costs a comparison.
func TestSpoiltAreRemembered(t *testing.T) {
	b := newBest(true)
	for n := range spoiltMax + 1 {
		text := fmt.Sprint("bad", n)
		b.contend(0, "a", stamp(text))
		b.verdict(text, Spoilt)
	}
	if _, bad := b.trial.isSpoilt(stamp("bad0").Digest); bad || len(b.trial.spoilt) != spoiltMax {
		t.Errorf("%d are remembered, the first of them: %v", len(b.trial.spoilt), bad)
	}
	if why, bad := b.trial.isSpoilt(stamp("bad1").Digest); !bad || string(why.Bytes) != "why" {
		t.Errorf("why is %q", why.Bytes)
	}
	if b.contend(0, "b", stamp("bad1")); b.trial.has(stamp("bad1").Digest) {
		t.Error("one that is known to be none is compared")
	}
}

// TestOrderAnswersAfterAll: the run has failed, which its master may not know yet. What is
// compared next has a minute of its own.
func TestOrderAnswersAfterAll(t *testing.T) {
	b := newBest(true)
	b.contend(time.Second, "a", stamp("slow"))
	b.contend(time.Second, "a", stamp("next"))
	b.flush()
	if n := len(b.tick(time.Second + trialMax)); n != 1 || b.deadline() != steal.Never {
		t.Errorf("it is said %d times, and again at %v", n, b.deadline())
	}
	does(t, "it answers", b.compared(time.Hour, stamp("slow").Digest, Worse, steal.Result{}), "unblocks", `compare the best "next"`)
	if b.deadline() != time.Hour+trialMax {
		t.Errorf("the next may take until %v", b.deadline())
	}
}

// TestWorkBringsItsBest: what is held back brings the value that it waits for, which is compared
// though the message that brought it first was dropped. What is held, or only named, is not.
func TestWorkBringsItsBest(t *testing.T) {
	b := newBest(true)
	b.offered(0, "me", stamp("held"))
	for name, c := range map[string]struct {
		steal.Stamp
		want []string
	}{
		"only a name":    {naming("one"), nil},
		"what is held":   {stamp("held"), nil},
		"what is not":    {stamp("one"), []string{`compare the best "one"`}},
		"no best at all": {steal.Stamp{}, nil},
	} {
		b.trial = trial{}
		never, effects := b.postpones(0, "b", c.Stamp)
		if does(t, name, effects, c.want...); never || len(b.trial.waiting) != len(c.want) {
			t.Errorf("%s: it waits for ever: %v; %d wait to be compared", name, never, len(b.trial.waiting))
		}
	}
}
