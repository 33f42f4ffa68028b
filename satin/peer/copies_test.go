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
		site: "a", members: g.present, ledger: steal.NewLedger(), store: orphan.NewStore(orphan.NewTable("me")),
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
	g.isOnly = true
	now, effects = g.round()
	does(t, "the answer is nowhere else", effects)
	g.isOnly = false
	_, effects = g.round()
	does(t, "it is", effects, `b1: Copy round 3 -root with best "best"`)
	if g.sent != 3 {
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
}

// TestCopiesHolder: who keeps the copies, by who is there.
func TestCopiesHolder(t *testing.T) {
	leaving := func(p present, ids ...membership.PeerID) {
		for _, id := range ids {
			m := p[id]
			m.State = membership.Leaving
			p[id] = m
		}
	}
	for name, c := range map[string]struct {
		others        []membership.PeerID
		leaving       []membership.PeerID
		avoid, holder membership.PeerID
	}{
		"nobody is there":               {},
		"one in this site":              {others: []membership.PeerID{"a2"}, holder: "a2"},
		"one in another":                {others: []membership.PeerID{"a2", "b1"}, holder: "b1"},
		"that one leaves":               {others: []membership.PeerID{"a2", "b1"}, leaving: []membership.PeerID{"b1"}, holder: "a2"},
		"all leave":                     {others: []membership.PeerID{"a2"}, leaving: []membership.PeerID{"a2"}},
		"that one did not answer":       {others: []membership.PeerID{"a2", "b1"}, avoid: "b1", holder: "a2"},
		"two, of whom one did not":      {others: []membership.PeerID{"b1", "c1"}, avoid: "b1", holder: "c1"},
		"only one, that did not answer": {others: []membership.PeerID{"b1"}, avoid: "b1", holder: "b1"},
	} {
		g := newGiver(t, c.others...)
		leaving(g.present, c.leaving...)
		g.avoid = c.avoid
		if g.reviewHolder(); g.holder.peer != c.holder {
			t.Errorf("%s: %q is to keep the copies, not %q", name, g.holder.peer, c.holder)
		}
	}
	g := newGiver(t, "a2")
	now, _ := g.round(listed("left")...)
	g.has(now)
	g.present["b1"] = presentOf("b1")["b1"]
	now = g.at
	does(t, "one comes in another site", g.tick(now), "a2: Copy round 2, anew:", "want parts")
	does(t, "and gets all", g.gathered(now, listed("left")), `b1: Copy round 3, anew: +left "left" with best "best"`)
	g.has(now)
	leaving(g.present, "b1")
	does(t, "it leaves", g.tick(g.at), "b1: Copy round 4, anew:", "want parts")
	g.open = false
	before := g.at
	if g.lost(now, "b1"); g.at != before {
		t.Error("one that keeps nothing any more is lost, and that is news")
	}
	g.lost(now+1, "a2")
	if g.holder != (life{}) || g.at != now+1 {
		t.Errorf("the holder is lost, and %v is the next, at %v", g.holder, g.at)
	}
	g.holder = in("b1")
	if g.livesOn(in("b1"), life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}}); g.holder.incarnation.Rejoin != 1 {
		t.Error("the holder lives on, and is not known by that")
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
		g.store.KeepFor(0, copiedHere, keyOf(key), r, orphan.KeptFor{Owner: id, Incarnation: in(id).incarnation, Why: orphan.ForReturn})
	}
	g.store.KeepFor(0, copiedHere, keyOf("copy"), r, orphan.KeptFor{Owner: "a2", Incarnation: in("a2").incarnation, Why: orphan.ForCopy})
	_, effects := g.round(listed("near")...)
	sent := effects[0].(membership.Send).Body.(orphan.Copy)
	var got []string
	for _, p := range sent.Parts {
		got = append(got, tellKey(p.Key))
	}
	slices.Sort(got)
	if fmt.Sprint(got) != "[borrowed near]" {
		t.Errorf("copied are %v", got)
	}
}

// TestCopiesCover: a settled loan is covered by what the workers list later, once all of that is
// acknowledged.
func TestCopiesCover(t *testing.T) {
	g := newGiver(t, "b1")
	loan := g.ledger.Lend(0, "b1", in("b1").incarnation, copiedHere, steal.Key{5}, 1)
	ask := orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{loan, 9}}
	asked := func(event string, want ...string) {
		t.Helper()
		does(t, event, g.hearUncovered(in("b1"), ask), want...)
	}
	asked("one that is lent still", "b1: Covered [9]")
	g.ledger.Settle("b1", loan, copiedHere)
	g.settled(copiedHere, loan)
	g.settled(copiedHere, loan)
	g.settled(copiedHere, 9)
	asked("they came")
	g.tick(g.at)
	asked("the workers are asked")
	now := g.at
	g.settled(copiedHere, 12)
	g.gathered(now, listed("part"))
	asked("the parts are on their way")
	g.has(now)
	asked("they are kept", "b1: Covered [1 9]")
	does(t, "one that came after the workers were asked", g.hearUncovered(in("b1"), orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{12}}))
	g.unkept(8)
	asked("of another run not all is listed", "b1: Covered [1 9]")
	g.unkept(7)
	asked("not all is listed")
	for n := range steal.LoanNo(uncoveredMax + 1) {
		g.settled(copiedHere, n)
	}
	if y := g.runs[0]; len(y.uncovered) != uncoveredMax {
		t.Errorf("%d loans are remembered", len(y.uncovered))
	}
}

// TestCopiesAreBounded: the dearest parts, so many in a message and of a run.
func TestCopiesAreBounded(t *testing.T) {
	g := newGiver(t, "b1")
	var all []Part
	for n := range partsMax + 10 {
		key := steal.Key{byte(n), byte(n >> 8)}
		all = append(all, Part{Run: 7, Key: key, Result: steal.Result{Cost: uint32(n + 1), Bytes: make([]byte, 10)}})
	}
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
