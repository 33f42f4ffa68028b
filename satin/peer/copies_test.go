package peer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// giver is a copier at site a with one run, and the others that a test plays.
type giver struct {
	*copier
	t *testing.T
	present
	isOnly bool
	goes   bool // it is leaving
}

func (g *giver) stamp(membership.PeerID, membership.Incarnation) steal.Stamp { return stamp("best") }

func (g *giver) isOnlyHere() bool { return g.isOnly }

var copiedHere = steal.Instance{Run: steal.Key{1}}

func newGiver(t *testing.T, others ...membership.PeerID) *giver {
	g := &giver{t: t, present: presentOf(others...)}
	g.copier = &copier{
		site: "a", members: g.present, ledger: steal.NewLedger(), results: orphan.NewResults(orphan.NewTable("me")),
		obituary: &obituary{}, lots: rand.New(rand.NewPCG(1, 1)), at: steal.Never,
		keeper: newKeeper(), leaves: func() bool { return g.goes },
	}
	g.began(copiedHere, 7, g)
	g.opened(0)
	return g
}

// listed are parts of the run that the workers list, of 200 ms each.
func listed(keys ...string) (all []Part) {
	for _, k := range keys {
		all = append(all, Part{Run: 7, Key: keyOf(k), Result: steal.Result{Cost: 200, Bytes: []byte(k)}})
	}
	return all
}

// round lets a round come, and is when and what the peer sends then.
func (g *giver) round(parts ...Part) (now time.Duration, effects []membership.Effect) {
	g.t.Helper()
	now = g.at
	does(g.t, "a round comes", g.tick(now), "want parts")
	return now, g.gathered(now, parts)
}

// has has the holder acknowledge what is out.
func (g *giver) has(now time.Duration) []membership.Effect {
	y := g.runs[0]
	var sum uint64
	for _, k := range y.after {
		sum = orphan.SumOf(sum, k)
	}
	return g.hearCopied(now, g.holder, orphan.Copied{Run: copiedHere, Round: y.round, Sum: sum})
}

// TestCopiesGiven: what the holder lacks goes there, and what it has in vain is taken back.
func TestCopiesGiven(t *testing.T) {
	g := newGiver(t, "a2", "b1")
	if g.at < copyEvery/2 || g.at > copyEvery {
		t.Errorf("the first round is at %v", g.at)
	}
	now, effects := g.round(listed("left", "right")...)
	does(t, "two parts", effects, `b1: Copy round 1, anew: +right "right" +left "left" with best "best"`)
	does(t, "another's word", g.hearCopied(now, in("a2"), orphan.Copied{Run: copiedHere, Round: 1}))
	does(t, "of another round", g.hearCopied(now, in("b1"), orphan.Copied{Run: copiedHere, Round: 2}))
	does(t, "it is kept", g.has(now))
	now, effects = g.round(listed("left", "right")...)
	if does(t, "the same", effects); g.deadline() != now+copyEvery {
		t.Errorf("the next round is at %v", g.deadline())
	}
	now, effects = g.round(append(listed("root"), Part{Run: 8}, Part{Run: 7, Key: keyOf("cheap")})...)
	does(t, "one replaces both", effects, `b1: Copy round 2 +root "root" -right -left with best "best"`)
	does(t, "it is kept", g.has(now))
	cheap := listed("root", "cheap")
	cheap[1].Result.Cost = copyCostMin - 1
	_, effects = g.round(cheap...)
	does(t, "one that is not worth a message", effects)
	cheap[1].Result.Cost, cheap[1].Key = copyCostMin, keyOf("worth")
	now, effects = g.round(cheap...)
	does(t, "one that is", effects, `b1: Copy round 3 +worth "cheap" with best "best"`)
	g.has(now)
	g.isOnly = true
	now, effects = g.round()
	does(t, "the answer is nowhere else", effects)
	g.isOnly = false
	_, effects = g.round()
	does(t, "it is", effects, `b1: Copy round 4 -root -worth with best "best"`)
	if g.sent != 4 {
		t.Errorf("%d parts were sent", g.sent)
	}
	g.ended(copiedHere)
	if g.opened(now); g.deadline() != steal.Never {
		t.Error("rounds go on without a run")
	}
}

// TestCopiesRepeated: what is not acknowledged is repeated, later each time, and then all goes to
// another. Who keeps less than it should is left, too, but not more often than once a minute.
func TestCopiesRepeated(t *testing.T) {
	g := newGiver(t, "b1", "c1")
	now, effects := g.round(listed("left")...)
	first := g.holder.peer
	copies := fmt.Sprintf(`%s: Copy round 1, anew: +left "left" with best "best"`, first)
	does(t, "it is sent", effects, copies)
	repeats := 0
	for at := now; g.holder.peer == first; at += 100 * ms {
		if at > now+copyWait+time.Second {
			t.Fatal("the holder never answers, and is not given up")
		}
		for _, e := range told(g.tick(at)) {
			if e != copies && e != "want parts" {
				t.Fatalf("after %v it does %s", at-now, e)
			}
			if e == copies {
				repeats++
			}
		}
	}
	if repeats != 3 { // after 1, 3 and 7 s
		t.Errorf("it was sent again %d times", repeats)
	}
	g.open = false
	now, effects = g.round(listed("left")...)
	second := g.holder.peer
	if second == first || len(effects) != 1 {
		t.Fatalf("then %s is to keep it: %v", second, told(effects))
	}
	does(t, "it does not keep what it should", g.hearCopied(now, g.holder, orphan.Copied{Run: copiedHere, Round: 2, Sum: 5}))
	if g.holder != (life{}) {
		t.Error("it is not left")
	}
	now, _ = g.round(listed("left")...)
	if g.holder.peer != first {
		t.Errorf("it is left for %s", g.holder.peer)
	}
	does(t, "nor does the other", g.hearCopied(now, g.holder, orphan.Copied{Run: copiedHere, Round: 3, Sum: 5}))
	if g.holder.peer != first {
		t.Error("two are left within a minute")
	}
	g.at = g.moved
	now, _ = g.round(listed("right")...)
	g.hearCopied(now, g.holder, orphan.Copied{Run: copiedHere, Round: 4, Sum: 5})
	if now != g.moved-moveEvery || g.holder != (life{}) {
		t.Errorf("after a minute, at %v, it is kept by %v", now, g.holder)
	}
}

// TestCopiesPeriod: where peers die often copies are made more often, and as
// before some time later.
func TestCopiesPeriod(t *testing.T) {
	g := newGiver(t, "b1")
	g.every = time.Minute
	if p := g.period(0); p != time.Minute {
		t.Errorf("every %v, as configured", p)
	}
	g.every = 0
	last := g.period(0)
	for n := range 50 {
		g.obituary.add(time.Second, membership.Member{ID: "x"})
		p := g.period(time.Second)
		if p > last || p < copyEveryMin || n == 0 && p == copyEvery {
			t.Errorf("every %v after %d deaths, every %v before", p, n+1, last)
		}
		last = p
	}
	if last != copyEveryMin {
		t.Errorf("every %v, though everybody dies", last)
	}
	g.at = time.Hour
	if g.died(time.Second); g.at != time.Second+copyEveryMin {
		t.Errorf("the next round is at %v", g.at)
	}
	if p := g.period(time.Second + churnWindow); p != copyEvery {
		t.Errorf("every %v, long after", p)
	}
	g.goes = true
	g.opened(0)
	if g.died(time.Second); g.deadline() != steal.Never {
		t.Error("a death has copies made where none are")
	}
}

// TestCopiesReturned: results that nobody else may have are copied, too: those that their owners
// have not acknowledged, and those that are kept here for owners in this site.
func TestCopiesReturned(t *testing.T) {
	g := newGiver(t, "a2", "b1")
	r := steal.Result{Cost: 300, Bytes: []byte("r")}
	borrow, _ := g.ledger.Borrow("b1", in("b1").incarnation, 1, copiedHere, keyOf("borrowed"))
	g.ledger.Finish(0, borrow, r)
	for id, key := range map[membership.PeerID]string{"a2": "near", "b1": "far"} {
		g.results.KeepFor(0, copiedHere, keyOf(key), r, orphan.KeptFor{Owner: id, Incarnation: in(id).incarnation, Why: orphan.ForReturn})
	}
	g.results.KeepFor(0, copiedHere, keyOf("kept"), r, orphan.KeptFor{Owner: "a2", Incarnation: in("a2").incarnation, Why: orphan.ForReturn})
	g.results.KeepFor(0, copiedHere, keyOf("copy"), r, orphan.KeptFor{Owner: "a2", Incarnation: in("a2").incarnation, Why: orphan.ForCopy})
	_, effects := g.round(listed("near")...)
	sent := effects[0].(membership.Send).Body.(orphan.Copy)
	var got []string
	for _, p := range sent.Parts {
		got = append(got, tellKey(p.Key))
	}
	slices.Sort(got)
	if fmt.Sprint(got) != "[borrowed kept near]" {
		t.Errorf("copied are %v", got)
	}
	g.has(g.at)
	delete(g.present, "b1")
	g.lost(g.at, "b1")
	_, effects = g.round()
	does(t, "its owner keeps the copies", effects, `a2: Copy round 2, anew: +borrowed "r" with best "best"`)
}

// TestCopiesAreBounded: the dearest parts, so many in a message and of a run.
func TestCopiesAreBounded(t *testing.T) {
	g := newGiver(t, "b1")
	var all []Part
	for n := range partsMax + 10 {
		key := steal.Key{byte(n), byte(n >> 8)}
		all = append(all, Part{Run: 7, Key: key, Result: steal.Result{Cost: uint32(n + 1), Bytes: make([]byte, 10)}})
	}
	g.round(all[:partsMax]...)
	if y := g.runs[0]; y.unkept {
		t.Error("there is room for all, and not all are copied")
	}
	g = newGiver(t, "b1")
	_, effects := g.round(all...)
	sent := effects[0].(membership.Send).Body.(orphan.Copy)
	if y := g.runs[0]; len(y.parts) != partsMax || !y.unkept || len(sent.Parts) != orphan.PartsMax {
		t.Errorf("%d parts are copied, %d in a message; not all: %v", len(y.parts), len(sent.Parts), y.unkept)
	}
	messages := 1
	for e := g.has(g.at); len(e) > 0; e = g.has(g.at) {
		messages++
	}
	if messages != partsMax/orphan.PartsMax || len(g.runs[0].has) != partsMax {
		t.Errorf("%d parts are kept after %d messages", len(g.runs[0].has), messages)
	}
}

// TestCopiesAreMoreFrequentAfterDeaths: where peers die every few seconds, ten seconds between
// copies would lose nearly all; later it is as before.
func TestCopiesAreMoreFrequentAfterDeaths(t *testing.T) {
	s := newStage(t, "b1", "c1", "d1", "e1")
	at, _ := s.round(0)
	for _, id := range []membership.PeerID{"d1", "e1"} {
		s.from(at, "b1", membership.Gone{Member: membership.Member{
			ID: id, Site: membership.Site(id[:1]), Incarnation: s.life[id], State: membership.Dead, How: membership.Killed,
		}})
		delete(s.life, id)
	}
	first, _ := s.round(at)
	second, _ := s.round(first)
	if first-at > 4*time.Second || second-first > 4*time.Second || second-first < copyEveryMin {
		t.Errorf("two of five are dead, and copies are made after %v and %v", first-at, second-first)
	}
	late, _ := s.round(second + churnWindow)
	if next, _ := s.round(late); next-late < copyEvery {
		t.Errorf("nobody has died for %v, and copies are made after %v", churnWindow, next-late)
	}
}

// round lets time pass until the workers are asked for their parts, answers, and is what was sent
// to keep for this peer.
func (s *stage) round(from time.Duration, parts ...Part) (at time.Duration, c orphan.Copy) {
	s.t.Helper()
	for at = from; at < from+12*time.Second; at += 50 * time.Millisecond {
		if _, ok := find[WantParts](s.pass(at, at)); !ok {
			continue
		}
		to, copies := sent[orphan.Copy](s.p.Gathered(at, parts))
		if len(copies) == 0 {
			return at, c
		}
		c = copies[0]
		var sum uint64
		for _, k := range s.p.copier.of(s.run).after {
			sum = orphan.SumOf(sum, k)
		}
		s.from(at, to[0], orphan.Copied{Run: s.run, Round: c.Round, Sum: sum})
		return at, c
	}
	s.t.Fatal("the workers are not asked for their parts")
	return 0, c
}

// TestCopiesStayUntilTheOwnerHasTheResult: what a finished job has replaced is not taken back
// before its owner, or the holder, has its result.
func TestCopiesStayUntilTheOwnerHasTheResult(t *testing.T) {
	s := newStage(t, "b1", "c1")
	left := Part{Run: 1, Key: steal.Key{1}, Result: steal.Result{Cost: 900}}
	e, ok := find[Execute](s.from(0, "b1", steal.Lend{Run: s.run, Jobs: []steal.Lent{{Number: 1, Key: steal.Key{9}, Task: "t", Args: []byte("nine")}}}))
	if !ok {
		t.Fatal("the job is not executed")
	}
	at, c := s.round(0, left)
	if len(c.Parts) != 1 || c.Parts[0].Key != left.Key {
		t.Fatalf("kept elsewhere: %v", c)
	}
	s.p.Finished(at, e.Borrow, steal.Result{Cost: 2000, Bytes: []byte("NINE")})
	at, c = s.round(at + time.Second)
	if len(c.Gone) != 1 || len(c.Parts) != 1 || c.Parts[0].Key != (steal.Key{9}) {
		t.Fatalf("its result is not acknowledged, and kept elsewhere is: %v", c)
	}
	s.from(at, "b1", steal.Returned{Numbers: []steal.LoanNo{1}})
	if _, c = s.round(at + time.Second); len(c.Parts) != 0 || len(c.Gone) != 1 || c.Gone[0] != (steal.Key{9}) {
		t.Errorf("its owner, at another site, has the result, and kept elsewhere is: %v", c)
	}
}

// TestCopiesStayUntilTheAnswerIsKept: nothing is taken back while the master alone has the answer.
func TestCopiesStayUntilTheAnswerIsKept(t *testing.T) {
	s := newStage(t, "b1", "c1")
	asker := membership.PeerID("asker")
	s.p.Received(0, asker, Message{From: asClient, Body: Submit{Submission: steal.Submission{Submitter: asker, Nonce: 1}, Run: s.run.Run, Task: "t", RootDigest: steal.KeyOf([]byte("root"))}})
	left := Part{Run: 1, Key: steal.Key{1}, Result: steal.Result{Cost: 900}}
	at, c := s.round(0, left)
	if len(c.Parts) != 1 {
		t.Fatalf("kept elsewhere: %v", c)
	}
	s.p.Finished(at, s.p.runs.find(s.run).root.borrow, steal.Result{Cost: 9000, Bytes: make([]byte, rootAlong+1)})
	if at, c = s.round(at + time.Second); c.Round != 0 {
		t.Fatalf("only the master has the answer, and it sends %v", c)
	}
	s.from(at, s.p.runs.find(s.run).keptBy.by, Kept{s.run})
	if _, c = s.round(at + time.Second); len(c.Gone) != 1 {
		t.Errorf("the answer is kept elsewhere, and the copies are not taken back: %v", c)
	}
}

// TestCopiesBegin: rounds come when there is a run and the peer is in, at a place of its own in the
// period; not where parts are never copied, and not while it leaves.
func TestCopiesBegin(t *testing.T) {
	g := newGiver(t, "b1")
	first := g.at
	if g.opened(time.Second); g.at != first {
		t.Errorf("there is one more run, and the next round is moved from %v to %v", first, g.at)
	}
	places := map[time.Duration]bool{}
	for range 20 {
		g.at = steal.Never
		g.opened(time.Minute)
		if places[g.at] = true; g.at < time.Minute+copyEvery/2 || g.at > time.Minute+copyEvery {
			t.Errorf("the first round is at %v", g.at)
		}
	}
	if len(places) < 10 {
		t.Errorf("all peers begin at one of %d times", len(places))
	}
	g.goes = true
	if g.opened(time.Minute); g.deadline() != steal.Never || g.on {
		t.Errorf("it leaves, and the next round is at %v", g.deadline())
	}
	g.goes, g.every = false, -1
	if g.opened(time.Minute); g.deadline() != steal.Never || g.on {
		t.Errorf("parts are never copied, and the next round is at %v", g.deadline())
	}
	g = newGiver(t)
	does(t, "nobody is there to keep them", g.tick(g.at))
	if g.open || g.at == steal.Never {
		t.Error("the workers are asked, or never will be")
	}
}

// TestCopiesOfSlowWorkers: while they have not listed their parts they are not asked again. When a
// holder is lost meanwhile what they list goes to nobody, and all goes to the next one.
func TestCopiesOfSlowWorkers(t *testing.T) {
	g := newGiver(t, "b1", "c1")
	does(t, "a round comes", g.tick(g.at), "want parts")
	first := g.holder.peer
	does(t, "and the next", g.tick(g.at))
	delete(g.present, first)
	g.lost(g.at, first)
	does(t, "its holder is gone", g.gathered(g.at, listed("left")))
	now, effects := g.round(listed("left", "right")...)
	second := g.holder.peer
	does(t, "another is there", effects, fmt.Sprintf(`%s: Copy round 1, anew: +right "right" +left "left" with best "best"`, second))
	delete(g.present, second)
	does(t, "it goes, which was not heard yet, and listed is more", g.gathered(now, listed("left", "right", "root")))
	g.lost(now, second)
	if g.holder != (life{}) || g.deadline() != now {
		t.Errorf("%v is to keep it, at %v", g.holder, g.deadline())
	}
	does(t, "its word comes late", g.hearCopied(now, in(second), orphan.Copied{Run: copiedHere, Round: 1}))
}

// TestCopiesOfTwoRuns: each run's go by themselves, whichever ends or begins meanwhile.
func TestCopiesOfTwoRuns(t *testing.T) {
	g := newGiver(t, "b1")
	other := steal.Instance{Run: steal.Key{2}}
	does(t, "a round comes", g.tick(g.at), "want parts")
	g.began(other, 8, g)
	now := g.at
	parts := append(listed("left"), Part{Run: 8, Key: keyOf("right"), Result: steal.Result{Cost: 200, Bytes: []byte("right")}})
	does(t, "one has begun meanwhile", g.gathered(now, parts),
		`b1: Copy round 1, anew: +left "left" with best "best"`, `b1: Copy round 1, anew: +right "right" with best "best"`)
	if to := g.of(other); to.again.Truncate(ms) != (now+copyGapMin).Truncate(ms) || g.find(func(y *copying) bool { return y.no == 9 }) != nil {
		t.Errorf("it is repeated at %v, or there is a third run", to.again)
	}
	g.ended(copiedHere)
	does(t, "one has ended", g.hearCopied(now, in("b1"), orphan.Copied{Run: copiedHere, Round: 1, Sum: 5}))
	sum := orphan.SumOf(0, keyOf("right"))
	does(t, "the other is kept", g.hearCopied(now, in("b1"), orphan.Copied{Run: other, Round: 1, Sum: sum}))
	does(t, "it is doubled", g.hearCopied(now, in("b1"), orphan.Copied{Run: other, Round: 1, Sum: 5}))
	if g.holder.peer != "b1" || g.deadline() != g.at {
		t.Errorf("%v keeps it, and something is repeated at %v", g.holder, g.deadline())
	}
}

// TestCopiesOfALivingHolder: one that goes on in another life has what it had, and is given what it
// lacks; what it said in the life before does not count.
func TestCopiesOfALivingHolder(t *testing.T) {
	g := newGiver(t, "b1")
	now, _ := g.round(listed("left")...)
	was, is := in("b1"), life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}}
	m := g.present["b1"]
	m.Incarnation = is.incarnation
	g.present["b1"] = m
	g.livesOn(in("c1"), is)
	g.livesOn(was, is)
	word := orphan.Copied{Run: copiedHere, Round: 1, Sum: orphan.SumOf(0, keyOf("left"))}
	does(t, "what it said before", g.hearCopied(now, was, word))
	repeated := g.tick(g.runs[0].again)
	if to := repeated[0].(membership.Send); len(repeated) != 1 || to.Incarnation != is.incarnation {
		t.Errorf("it is repeated to %v", to)
	}
	does(t, "what it says now", g.hearCopied(now, is, word))
	_, effects := g.round(listed("left", "right")...)
	does(t, "it lacks one", effects, `b1: Copy round 2 +right "right" with best "best"`)
}

// TestCopiesInPortions: a message brings what the link is known to carry, a longer result alone.
// What these parts replace is taken back by the last of several, so that a holder that is lost
// between two has the one or the other.
func TestCopiesInPortions(t *testing.T) {
	g := newGiver(t, "b1")
	now, _ := g.round(listed("old")...)
	g.has(now)
	big := listed("one", "two", "three")
	for n := range big {
		big[n].Result.Bytes, big[n].Result.Cost = make([]byte, portionMin+n), 1000
	}
	now, effects := g.round(big...)
	for n := range 3 {
		if len(effects) != 1 {
			t.Fatalf("message %d: %q", n, told(effects))
		}
		c := effects[0].(membership.Send).Body.(orphan.Copy)
		if last := n == 2; len(c.Parts) != 1 || c.Whole || (len(c.Gone) == 1) != last {
			t.Errorf("message %d brings %d parts, and takes back %d", n, len(c.Parts), len(c.Gone))
		}
		now += 2 * portionTime
		effects = g.has(now)
	}
	does(t, "that is all", effects)
	if g.portion.grown != 0 || g.sent != 4 {
		t.Errorf("a slow link carries more each time: %d; %d parts were sent", g.portion.grown, g.sent)
	}
	halves := listed("half", "other")
	for n := range halves {
		halves[n].Result.Bytes, halves[n].Result.Cost = make([]byte, portionMin/2), 1000
	}
	now, effects = g.round(halves...)
	if c := effects[0].(membership.Send).Body.(orphan.Copy); len(c.Parts) != 2 || len(c.Gone) != 3 {
		t.Errorf("of two that fill a message %d are in it, and it takes back %d", len(c.Parts), len(c.Gone))
	}
	g.has(now)
	if g.portion.grown != 1 {
		t.Errorf("a fast link carries as much as before: %d", g.portion.grown)
	}
}

// TestCopiesWaitForEachOther: while one is out a round sends no other, though more is finished; the
// rest follows its acknowledgement. At each round the owners of what was returned are asked, too.
func TestCopiesWaitForEachOther(t *testing.T) {
	g := newGiver(t, "b1")
	g.keeper.returned(0, in("c1"), steal.Done{Run: copiedHere, Key: keyOf("returned"), Result: worth("r"), Number: 6})
	does(t, "a round comes", g.tick(g.at), "c1: Uncovered [6]", "want parts")
	now := g.at
	does(t, "one is finished", g.gathered(now, listed("left")), `b1: Copy round 1, anew: +left "left" with best "best"`)
	g.runs[0].again = steal.Never // it is on its way
	g.tick(g.at)
	does(t, "another is", g.gathered(g.at, listed("left", "right")))
	does(t, "the first is kept", g.has(g.at), `b1: Copy round 2 +right "right" with best "best"`)
}

// TestCopiesOfAllRunsMove: a holder that does not keep what it should of one run is sent nothing of
// any other either, and the next gets all.
func TestCopiesOfAllRunsMove(t *testing.T) {
	g := newGiver(t, "b1", "c1")
	g.began(steal.Instance{Run: steal.Key{2}}, 8, g)
	parts := append(listed("left"), Part{Run: 8, Key: keyOf("right"), Result: steal.Result{Cost: 200}})
	now, _ := g.round(parts...)
	first := g.holder
	does(t, "it keeps less", g.hearCopied(now, first, orphan.Copied{Run: copiedHere, Round: 1, Sum: 5}))
	g.at = steal.Never
	does(t, "it is time to repeat the other", g.tick(now+copyGapMax))
	g.at = now + copyGapMax
	if _, effects := g.round(parts...); len(effects) != 2 || g.holder.peer == first.peer {
		t.Errorf("%s gets %q", g.holder.peer, told(effects))
	}
}

// TestCopiesAreTakenBackInPortions, too: a message has room for so many keys.
func TestCopiesAreTakenBackInPortions(t *testing.T) {
	g := newGiver(t, "b1")
	y := g.runs[0]
	for n := range orphan.EntriesMax + 1 {
		y.has = append(y.has, steal.Key{byte(n >> 8), byte(n)})
	}
	if _, gone, rest, _ := y.changes(portionMin); len(gone) != orphan.EntriesMax || rest {
		t.Errorf("%d are taken back at once", len(gone))
	}
}
