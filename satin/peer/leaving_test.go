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

// leaver is a peer called me at site a that leaves within 20 s, with results of
// one run, and others.
type leaver struct {
	*leaving
	t *testing.T
	present
	over bool // the run is
	left int  // jobs that are not settled
	runs int  // that the heir does not hold
}

var leftRun = steal.Instance{Run: steal.Key{1}}

func newLeaver(t *testing.T, site membership.Site, bound bool, others ...membership.PeerID) *leaver {
	l := &leaver{t: t, present: presentOf(others...)}
	l.leaving = &leaving{
		self: "me", home: "a", members: l.present, results: orphan.NewResults(orphan.NewTable("me")),
		best: func(steal.Instance, life) (steal.Stamp, bool) { return stamp("best"), !l.over },
		lots: rand.New(rand.NewPCG(1, 1)),
	}
	l.jobs = func() int { return l.left }
	l.leaving.runs = func(life) int { return l.runs }
	l.begin(0, 20*time.Second, site, bound)
	return l
}

// tick lets time pass, with a job left or none.
func (l *leaver) tick(now time.Duration, isWoundDown bool) []membership.Effect {
	l.winds(isWoundDown)
	return l.leaving.tick(now)
}

// answered hears of answers, with a job left or none.
func (l *leaver) answered(now time.Duration, all, isWoundDown bool) []membership.Effect {
	l.winds(isWoundDown)
	return l.leaving.answered(now, 0, all)
}

func (l *leaver) winds(down bool) {
	if l.left = max(l.left, 1); down {
		l.left = 0
	}
}

// is puts another in a state.
func (l *leaver) is(id membership.PeerID, state membership.State, grace uint32) {
	m := l.present[id]
	m.State, m.Grace = state, grace
	l.present[id] = m
}

// keeps puts a result among those it keeps: an orphan's, or one that it keeps for others.
func (l *leaver) keeps(key string, owners ...membership.PeerID) {
	r := steal.Result{Cost: 200, Bytes: []byte(key)}
	if len(owners) == 0 {
		l.results.Orphan(0, leftRun, keyOf(key), r)
	}
	for _, o := range owners {
		l.results.KeepFor(0, leftRun, keyOf(key), r, orphan.KeptFor{Owner: o, Incarnation: in(o).incarnation, Why: orphan.ForCopy})
	}
}

// has is the heir's word that it has what was sent last.
func (l *leaver) has() bool {
	return l.hears(0, l.heir, l.number)
}

// hears tells whether the leave goes on when somebody says that it has what was sent by a number.
func (l *leaver) hears(now time.Duration, from life, number uint64) bool {
	return len(l.hearWilled(now, from, orphan.Willed{Number: number})) > 0
}

// TestLeaveInSteps: the will when no job is left, then the answers, then it goes. Till then it
// waits.
func TestLeaveInSteps(t *testing.T) {
	l := newLeaver(t, "", false, "b1")
	l.keeps("orphan")
	l.keeps("copy", "c1")
	l.keeps("its own", "b1")
	does(t, "a job is left", l.tick(0, false))
	if l.deadline(0) != 10*time.Second {
		t.Errorf("it goes on at %v", l.deadline(0))
	}
	does(t, "none is", l.tick(time.Second, true), `b1: Will orphan "orphan" copy "copy" for c1 with best "best"`)
	due := l.deadline(time.Second)
	if due.Truncate(ms) != time.Second+willGapMin {
		t.Errorf("it is repeated at %v", due)
	}
	does(t, "not yet acknowledged", l.tick(due-1, true))
	does(t, "it is repeated", l.tick(due, true), `b1: Will orphan "orphan" copy "copy" for c1 with best "best"`)
	if l.hears(0, in("c1"), 1) || l.hears(0, in("b1"), 2) {
		t.Error("another's word, or of another will, counts")
	}
	if !l.has() || l.has() {
		t.Error("the heir has it not, or twice")
	}
	does(t, "all is handed on", l.tick(2*time.Second, true), "hands on runs")
	does(t, "answers were given just now", l.answered(2*time.Second, false, true))
	does(t, "they are kept, a job has come", l.answered(2*time.Second, true, false))
	l.keeps("copy")
	does(t, "what was a copy is an orphan's", l.tick(3*time.Second, true), `b1: Will copy "copy" for c1 with best "best"`)
	l.has()
	does(t, "it is handed on again", l.tick(3*time.Second, true), "hands on runs")
	does(t, "and nothing is left", l.answered(3*time.Second, true, true), "has left, its heir is b1")
}

// TestLeaveByDeadline: halfway it hands on what there is, and at the deadline it goes. What nobody
// has acknowledged is lost.
func TestLeaveByDeadline(t *testing.T) {
	l := newLeaver(t, "", false, "b1")
	l.keeps("one")
	does(t, "before half the time is over", l.tick(10*time.Second-1, false))
	does(t, "half of it is", l.tick(10*time.Second, false), `b1: Will one "one" with best "best"`)
	l.has()
	l.keeps("two")
	does(t, "more is left", l.tick(11*time.Second, false), `b1: Will two "two" with best "best"`)
	does(t, "time is over", l.tick(20*time.Second, false), "b1: Late", "all: Late",
		`has left, its heir is "b1", 1 results are lost, 1 jobs are not settled`)

	l = newLeaver(t, "", false, "b1")
	l.shorten(time.Second, 5*time.Second, false)
	if l.shorten(time.Second, time.Minute, false); l.until != 5*time.Second || l.hurry != 3*time.Second {
		t.Errorf("in a hurry at %v, gone at %v", l.hurry, l.until)
	}
	l.off()
	if does(t, "it stays", l.tick(time.Hour, true)); l.deadline(0) != steal.Never {
		t.Error("it wants to be told of the time")
	}
}

// TestLeaveHeir: who is the heir, by who is there.
func TestLeaveHeir(t *testing.T) {
	for name, c := range map[string]struct {
		site    membership.Site
		others  []membership.PeerID
		leaving map[membership.PeerID]uint32 // with the time that they have
		tried   []membership.PeerID
		heir    membership.PeerID
	}{
		"at the site that is wanted": {site: "c", others: []membership.PeerID{"a2", "b1", "c1"}, heir: "c1"},
		"else in its own":            {site: "d", others: []membership.PeerID{"a2", "b1", "b2", "b3", "b4", "b5"}, heir: "a2"},
		"else anywhere":              {others: []membership.PeerID{"b1"}, heir: "b1"},
		"one that stays":             {site: "c", others: []membership.PeerID{"b1", "c1"}, leaving: map[membership.PeerID]uint32{"c1": 9000}, heir: "b1"},
		"one that was not tried":     {others: []membership.PeerID{"a2", "b1"}, tried: []membership.PeerID{"a2"}, heir: "b1"},
		"the one, though it was":     {others: []membership.PeerID{"b1"}, tried: []membership.PeerID{"b1"}, heir: "b1"},
		"of leavers the last":        {others: []membership.PeerID{"b1", "c1"}, leaving: map[membership.PeerID]uint32{"b1": 9000, "c1": 8000}, heir: "b1"},
		"of two as late one":         {others: []membership.PeerID{"n1", "n2"}, leaving: map[membership.PeerID]uint32{"n1": 5000, "n2": 5000}, heir: "n2"},
		"it has as much time itself": {others: []membership.PeerID{"b1"}, leaving: map[membership.PeerID]uint32{"b1": 5000}},
		"nobody, being the last":     {others: []membership.PeerID{"b1"}, leaving: map[membership.PeerID]uint32{"b1": 4000}},
		"nobody, where nobody is":    {},
	} {
		l := newLeaver(t, c.site, false, c.others...)
		for id, grace := range c.leaving {
			l.is(id, membership.Leaving, grace)
		}
		l.tried = c.tried
		if l.chooseHeir(0); l.heir.peer != c.heir {
			t.Errorf("%s: the heir is %q, not %q", name, l.heir.peer, c.heir)
		}
	}
	l := newLeaver(t, "", false)
	does(t, "nobody is there", l.tick(0, true), "has left, without an heir")
	l = newLeaver(t, "", false, "b1")
	l.is("b1", membership.Leaving, 4000)
	does(t, "another leaves to this one, and is waited for", l.tick(0, true))
}

// TestLeaveNextHeir: one that dies or does not answer is followed by another, who gets all.
func TestLeaveNextHeir(t *testing.T) {
	l := newLeaver(t, "", false, "a2", "b1")
	l.keeps("one")
	does(t, "to the first", l.tick(0, true), `a2: Will one "one" with best "best"`)
	l.tick(heirWait-1, true)
	if l.heir.peer != "a2" {
		t.Error("it has some time to answer")
	}
	does(t, "it does not answer", l.tick(heirWait+ms, true), `b1: Will one "one" with best "best"`)
	l.has()
	l.keeps("two")
	is := l.present["b1"]
	is.Incarnation.Rejoin++
	l.present["b1"] = is
	l.livesOn(in("b1"), life{"b1", is.Incarnation})
	does(t, "it lives on, and has the first", l.tick(heirWait+ms, true), `b1: Will two "two" with best "best"`)
	delete(l.present, "b1")
	first := l.tick(heirWait+ms, true)
	if len(first) != 1 || len(first[0].(membership.Send).Body.(orphan.Will).Items) != 2 {
		t.Errorf("it dies, and the next gets %v", told(first))
	}
	l.over = true
	l.results.Drop(leftRun)
	does(t, "the run ends", l.tick(heirWait+willGapMin+2*ms, true), "hands on runs")
	l = newLeaver(t, "", false, "a2", "b1")
	l.tick(0, true)
	l.is("a2", membership.Leaving, 9000)
	if l.tick(0, true); l.heir.peer != "b1" {
		t.Error("an heir that leaves, and has nothing yet, is kept")
	}
}

// TestLeaveBound: it leaves only while somebody is at the site that is to take over, and has
// answered.
func TestLeaveBound(t *testing.T) {
	l := newLeaver(t, "b", true, "a2", "b1", "b2")
	does(t, "a job is left", l.tick(0, false))
	does(t, "none is", l.tick(time.Second, true), "b1: Ping", "b2: Ping", "hands on runs")
	does(t, "nobody has answered", l.answered(time.Second, true, true))
	if l.deadline(time.Second) != time.Second+pingEvery {
		t.Errorf("it asks again at %v", l.deadline(time.Second))
	}
	if l.hearPong(l.present["a2"]) || !l.hearPong(l.present["b1"]) {
		t.Error("one elsewhere has answered, or one there has not")
	}
	l.is("b1", membership.Suspected, 0)
	l.is("b2", membership.Suspected, 0)
	does(t, "they are suspected", l.answered(time.Second, true, true))
	does(t, "they may be there", l.tick(time.Second, true), "hands on runs")
	l.is("b2", membership.Here, 0)
	does(t, "one is there", l.answered(time.Second, true, true), "has left, its heir is b1")

	l = newLeaver(t, "b", true, "b1")
	l.is("b1", membership.Leaving, 0)
	if does(t, "the only one leaves", l.tick(0, true), "stays"); l.deadline(0) != stayEvery {
		t.Errorf("if it may not yet, it tries again at %v", l.deadline(0))
	}
	l.shorten(0, 20*time.Second, false)
	if got := told(l.tick(0, true)); len(got) == 1 && got[0] == "stays" {
		t.Error("it is to leave in any case, and stays")
	}
	l = newLeaver(t, "b", true, "b1")
	does(t, "nobody has answered in time", l.tick(20*time.Second, true), "stays")
}

// TestInherits: the heir keeps what others have left, for those for whom they kept it.
func TestInherits(t *testing.T) {
	k := newKeeper()
	k.self, k.members = "me", presentOf("b1")
	gone := life{"b1", membership.Incarnation{Join: 9}}
	for name, c := range map[string]struct {
		owners []life
		orphan bool
		cost   uint32
		claims int  // that are kept
		found  bool // as an orphan's
	}{
		"an orphan's":              {orphan: true, cost: 200, found: true},
		"for another":              {owners: []life{in("b1")}, cost: 200, claims: 1},
		"for one that is gone":     {owners: []life{gone}, cost: 200, found: true},
		"for the heir":             {owners: []life{in("me")}, cost: 200},
		"for another, an orphan's": {owners: []life{in("b1")}, orphan: true, cost: 200, claims: 1, found: true},
		"of no worth":              {owners: []life{in("b1")}, orphan: true},
	} {
		b := orphan.Bequest{Part: orphan.Part{Key: keyOf(name), Result: steal.Result{Cost: c.cost}}, Orphan: c.orphan}
		for _, o := range c.owners {
			b.Owners = append(b.Owners, orphan.KeptFor{Owner: o.peer, Incarnation: o.incarnation, Why: orphan.ForWill})
		}
		k.inherit(0, leftRun, b)
		claims, found := 0, false
		for _, i := range k.results.Items(leftRun) {
			if i.Key == b.Key {
				claims, found = len(i.Owners), i.Orphan
			}
		}
		if claims != c.claims || found != c.found {
			t.Errorf("%s: kept for %d, as an orphan's: %v", name, claims, found)
		}
	}
}

// TestLeaveInPortions: a will brings what the link is known to carry, of one run, in numbered
// messages; a long one has time to arrive before it is repeated, and before its heir is given up.
func TestLeaveInPortions(t *testing.T) {
	l := newLeaver(t, "", false, "b1")
	for _, key := range []string{"one", "two", "three", "four"} {
		l.results.Orphan(0, leftRun, keyOf(key), steal.Result{Cost: 200, Bytes: make([]byte, portionMin/2)})
	}
	l.results.Orphan(0, steal.Instance{Run: steal.Key{2}}, keyOf("other"), worth("v"))
	now := time.Duration(0)
	sends := func(event string, items int, number uint64) {
		t.Helper()
		w, ok := l.tick(now, true)[0].(membership.Send).Body.(orphan.Will)
		if !ok || len(w.Items) != items || w.Number != number {
			t.Errorf("%s: will %d has %d results", event, w.Number, len(w.Items))
		}
	}
	sends("as many as fill a message", 2, 1)
	if size := portionMin; l.deadline(now) != willGapMin+timeFor(size) || l.needsHeir(heirWait+timeFor(size)-1) || !l.needsHeir(heirWait+timeFor(size)) {
		t.Errorf("it is repeated at %v", l.deadline(now))
	}
	now += 3 * portionTime
	if l.hears(now, in("b1"), 1); l.portion.grown != 0 {
		t.Error("a slow link carries more")
	}
	sends("the rest of that run", 2, 2)
	if l.hears(now, in("b1"), 1) || !l.hears(now, in("b1"), 2) {
		t.Error("the word on the first counts for the second, or that on the second does not")
	}
	if l.portion.grown != 1 {
		t.Error("a fast link carries no more")
	}
	sends("of another run", 1, 3)
	l.has()
	does(t, "that is all", l.tick(now, true), "hands on runs")
	for n := range orphan.PartsMax + 1 {
		l.results.Orphan(0, leftRun, steal.Key{byte(n >> 8), byte(n)}, worth("v"))
	}
	sends("so many small ones", orphan.PartsMax, 4)
}

// TestLeaveWithAnswers: an heir that does not say that it keeps the answers is followed by another,
// who gets all; one that does is not.
func TestLeaveWithAnswers(t *testing.T) {
	for _, kept := range []bool{false, true} {
		l := newLeaver(t, "", false, "a2", "b1")
		does(t, "nothing is left", l.tick(0, true), "hands on runs")
		does(t, "they are handed on", l.answered(time.Second, false, true))
		if kept { // and a job has come
			does(t, "they are kept", l.answered(time.Second, true, false))
		}
		l.tick(time.Second+heirWait-1, true)
		if l.heir.peer != "a2" {
			t.Error("it has some time to answer")
		}
		if l.tick(time.Second+heirWait, true); l.heir.peer == "a2" != kept {
			t.Errorf("they are kept: %v, and the heir is %s", kept, l.heir.peer)
		}
	}
}

// TestLeaveLoses: what the heir has as a copy, and is an orphan's by now, is lost; what was kept
// for the heir is not, and all is lost without one. Who leaves anything undone does not leave in
// order.
func TestLeaveLoses(t *testing.T) {
	l := newLeaver(t, "", false, "b1")
	l.keeps("copy", "c1")
	l.keeps("its own", "b1")
	l.tick(0, true)
	l.has()
	l.tick(0, true)
	does(t, "it goes with all", l.goes("b1"), "has left, its heir is b1")
	l.keeps("copy")
	does(t, "one is an orphan's", l.goes("b1"), "b1: Late", "all: Late", `has left, its heir is "b1", 1 results are lost`)
	l.runs = 1
	does(t, "it does not hold a run", l.goes("b1"), "b1: Late", "all: Late",
		`has left, its heir is "b1", 1 results are lost, 1 runs are not held`)
	l.runs = 0
	delete(l.present, "b1")
	does(t, "nobody is its heir", l.tick(0, true), "all: Late", `has left, its heir is "", 2 results are lost`)
	for _, left := range []Left{{Lost: 1}, {Jobs: 1}, {Runs: 1}, {Lost: 1, Jobs: 1}} {
		if left.InOrder() || !(Left{Heir: "b1"}).InOrder() {
			t.Errorf("%+v is in order, or nothing is", left)
		}
	}
}

// TestBequests: the heir keeps copies as the leaver's, and what was returned under the loan's
// number, by which its owner covers it.
func TestBequests(t *testing.T) {
	i := &orphan.Item{Key: keyOf("k"), Owners: []orphan.KeptFor{
		{Owner: "b1", Why: orphan.ForCopy}, {Owner: "c1", Why: orphan.ForCopy}, {Owner: "d1", Why: orphan.ForReturn, Loan: 7}, {Owner: "e1", Why: orphan.ForWill},
	}}
	b, wanted := bequest(i, "b1")
	want := []orphan.KeptFor{{Owner: "c1", Why: orphan.ForWill}, {Owner: "d1", Why: orphan.ForReturn, Loan: 7}, {Owner: "e1", Why: orphan.ForWill}}
	if !wanted || !slices.Equal(b.Owners, want) || i.Owners[1].Why != orphan.ForCopy {
		t.Errorf("it is left for %v", b.Owners)
	}
	if _, wanted = bequest(&orphan.Item{Owners: i.Owners[:1]}, "b1"); wanted {
		t.Error("what was kept for the heir goes to it")
	}
}

// TestLeaveAsksTheSite: some of those at the site that is to take over, in turns of a moment, until
// one has answered; what one says before it was asked, or after, is no news.
func TestLeaveAsksTheSite(t *testing.T) {
	var site []membership.PeerID
	for n := range pingsMax + 3 {
		site = append(site, membership.PeerID(fmt.Sprint("b", n)))
	}
	l := newLeaver(t, "b", true, site...)
	l.is("b2", membership.Suspected, 0)
	if l.hearPong(l.present["b1"]) || l.stayDeadline(0) != steal.Never {
		t.Error("one has answered that was not asked, or is asked again")
	}
	asks := func(now time.Duration) (n int) {
		l.greetSite(now)
		return len(l.flush())
	}
	if asks(time.Second) != pingsMax || asks(time.Second+pingEvery-1) != 0 || asks(time.Second+pingEvery) != pingsMax {
		t.Error("too many are asked, too few or at wrong times")
	}
	if l.stayDeadline(0) != time.Second+2*pingEvery || l.hearPong(l.present["b2"]) {
		t.Errorf("they are asked again at %v, or one that is suspected has answered", l.stayDeadline(0))
	}
	if !l.hearPong(l.present["b3"]) || asks(time.Minute) != 0 || l.stayDeadline(0) != steal.Never {
		t.Error("one has answered, and they are asked")
	}
	free := newLeaver(t, "b", false, "b1")
	free.greetSite(0)
	if does(t, "not bound", free.flush()); free.hearPong(free.present["b1"]) {
		t.Error("one is waited for that need not be there")
	}
	for id := range l.present {
		l.is(id, membership.Suspected, 0)
	}
	if l.isOff(l.until-1) || !l.isOff(l.until) {
		t.Error("those that are suspected count as there when time is over, or not before")
	}
}
