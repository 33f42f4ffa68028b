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
		site: "a", once: true, members: g.present, ledger: steal.NewLedger(), results: orphan.NewResults(orphan.NewTable("me")),
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
	for _, k := range y.with[0].after {
		sum = orphan.SumOf(sum, k)
	}
	return g.hearCopied(now, g.held[0].holder, orphan.Copied{Run: copiedHere, Round: y.round, Sum: sum})
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
	if messages != partsMax/orphan.PartsMax || len(g.runs[0].with[0].has) != partsMax {
		t.Errorf("%d parts are kept after %d messages", len(g.runs[0].with[0].has), messages)
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
		for _, k := range s.p.copier.of(s.run).with[0].after {
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
	first := g.held[0].holder.peer
	does(t, "and the next", g.tick(g.at))
	delete(g.present, first)
	g.lost(g.at, first)
	does(t, "its holder is gone", g.gathered(g.at, listed("left")))
	now, effects := g.round(listed("left", "right")...)
	second := g.held[0].holder.peer
	does(t, "another is there", effects, fmt.Sprintf(`%s: Copy round 1, anew: +right "right" +left "left" with best "best"`, second))
	delete(g.present, second)
	does(t, "it goes, which was not heard yet, and listed is more", g.gathered(now, listed("left", "right", "root")))
	g.lost(now, second)
	if g.held[0].holder != (life{}) || g.deadline() != now {
		t.Errorf("%v is to keep it, at %v", g.held[0].holder, g.deadline())
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
	if to := g.of(other); to.with[0].again.Truncate(ms) != (now+copyGapMin).Truncate(ms) || g.find(func(y *copying) bool { return y.no == 9 }) != nil {
		t.Errorf("it is repeated at %v, or there is a third run", to.with[0].again)
	}
	g.ended(copiedHere)
	does(t, "one has ended", g.hearCopied(now, in("b1"), orphan.Copied{Run: copiedHere, Round: 1, Sum: 5}))
	sum := orphan.SumOf(0, keyOf("right"))
	does(t, "the other is kept", g.hearCopied(now, in("b1"), orphan.Copied{Run: other, Round: 1, Sum: sum}))
	does(t, "it is doubled", g.hearCopied(now, in("b1"), orphan.Copied{Run: other, Round: 1, Sum: 5}))
	if g.held[0].holder.peer != "b1" || g.deadline() != g.at {
		t.Errorf("%v keeps it, and something is repeated at %v", g.held[0].holder, g.deadline())
	}
}
