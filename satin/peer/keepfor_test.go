package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

func newKeeper() *keeper { return &keeper{results: orphan.NewResults(orphan.NewTable("me"))} }

// keeps are the keys of what is kept.
func (k *keeper) keeps() (keys map[string]int) {
	keys = map[string]int{}
	for _, i := range k.results.Items(copiedHere) {
		keys[tellKey(i.Key)] = len(i.Owners)
	}
	return keys
}

func copyOf(round uint64, whole bool, gone []steal.Key, parts ...string) orphan.Copy {
	c := orphan.Copy{Run: copiedHere, Round: round, Whole: whole, Gone: gone}
	for _, p := range parts {
		c.Parts = append(c.Parts, orphan.Part{Key: keyOf(p), Result: steal.Result{Cost: 100, Bytes: []byte(p)}})
	}
	return c
}

// TestKeeps: copies are kept for each owner, by rounds: what is late or doubled changes nothing,
// and the last is acknowledged again.
func TestKeeps(t *testing.T) {
	k, b := newKeeper(), in("b")
	kept := func(want ...string) {
		t.Helper()
		if got := k.keeps(); len(got) != len(want) {
			t.Errorf("it keeps %v, not %v", got, want)
		}
		for _, w := range want {
			if k.keeps()[w] == 0 {
				t.Errorf("it does not keep %s", w)
			}
		}
	}
	does(t, "a copy", k.copy(0, b, copyOf(1, true, nil, "one", "two")), "b: Copied round 1")
	does(t, "it is doubled", k.copy(0, b, copyOf(1, true, nil, "three")), "b: Copied round 1")
	kept("one", "two")
	does(t, "the next", k.copy(0, b, copyOf(2, false, keysOf("one"), "three")), "b: Copied round 2")
	does(t, "a former one", k.copy(0, b, copyOf(1, true, nil, "one")))
	kept("two", "three")
	does(t, "another's", k.copy(0, in("c"), copyOf(1, true, nil, "two")), "c: Copied round 1")
	if k.keeps()["two"] != 2 {
		t.Error("what two have given is kept for one")
	}
	sum := k.copy(0, b, copyOf(3, true, nil, "four"))[0].(membership.Send).Body.(orphan.Copied).Sum
	if kept("two", "four"); sum != orphan.SumOf(0, keyOf("four")) {
		t.Errorf("the sum of what is kept is %x", sum)
	}
	bad := copyOf(4, false, nil, "bad")
	bad.Parts[0].Result.Outcome = steal.Panicked
	k.copy(0, b, bad)
	kept("two", "four")
	if k.lost(0, "b"); k.used != 1 {
		t.Errorf("of what was kept for it %d became an orphan's", k.used)
	}
	does(t, "a new life begins anew", k.copy(0, life{"b", membership.Incarnation{Join: 2}}, copyOf(1, true, nil)), "b: Copied round 1")
	is := life{"c", membership.Incarnation{Join: 1, Rejoin: 1}}
	k.livesOn(in("c"), is)
	does(t, "one lives on", k.copy(0, is, copyOf(1, true, nil, "five")), "c: Copied round 1")
	if k.keeps()["five"] != 0 {
		t.Error("what it had said before counts as news")
	}
	k.ended(copiedHere)
	if len(k.owners) != 0 {
		t.Errorf("of a run that has ended it remembers %v", k.owners)
	}
	k.noFT = true
	does(t, "nothing is kept", k.copy(0, b, copyOf(1, true, nil, "six")))
}

// TestKeepsForSoMany: those for whom copies of a run are kept are bounded, for each run.
func TestKeepsForSoMany(t *testing.T) {
	k := newKeeper()
	for n := range membership.MembersMax + 1 {
		owner := life{"b", membership.Incarnation{Join: uint64(n + 1)}}
		if effects := k.copy(0, owner, copyOf(1, true, nil)); (len(effects) == 1) != (n < membership.MembersMax) {
			t.Fatalf("copies of owner %d: %v", n+1, told(effects))
		}
	}
	c := copyOf(1, true, nil)
	c.Run.Run = steal.Key{2}
	does(t, "of another run", k.copy(0, in("b"), c), "b: Copied round 1")
}

// TestKeepsReturned: what was returned is kept until its owner says that it is covered.
func TestKeepsReturned(t *testing.T) {
	k := newKeeper()
	done := func(n steal.LoanNo, cost uint32) steal.Done {
		return steal.Done{Run: copiedHere, Key: steal.Key{byte(n)}, Number: n, Result: steal.Result{Cost: cost}}
	}
	k.returned(0, in("b"), done(1, 100))
	k.returned(0, in("b"), done(2, 100))
	k.returned(0, in("c"), done(3, 100))
	k.returned(0, in("c"), done(4, 0))
	does(t, "a round comes", k.ask(copiedHere), "b: Uncovered [1 2]", "c: Uncovered [3]")
	does(t, "of another run", k.ask(steal.Instance{}))
	k.hearCovered(time.Second, in("b"), orphan.Covered{Run: copiedHere, Loans: []steal.LoanNo{1, 3}})
	k.hearCovered(time.Second, life{"c", membership.Incarnation{Join: 9}}, orphan.Covered{Run: copiedHere, Loans: []steal.LoanNo{3}})
	does(t, "one is covered", k.ask(copiedHere), "b: Uncovered [2]", "c: Uncovered [3]")
	k.noFT = true
	k.returned(0, in("d"), done(5, 100))
	does(t, "nothing is kept any more", k.ask(copiedHere), "b: Uncovered [2]", "c: Uncovered [3]")
}

// TestKeptUnderABest: what comes to be kept waits for the best that it was found under, and for its
// run, unless that is over. A will is acknowledged once all in it is kept.
func TestKeptUnderABest(t *testing.T) {
	k, over := newKeeper(), false
	k.runs, k.members = &runs{}, presentOf("b", "c")
	k.postponed, k.isOver = &postponing{runs: k.runs, members: k.members}, func(steal.Instance) bool { return over }
	r := k.runs.whole(copiedHere)
	r.root.bytes = nil
	brings := func(body membership.Body) *arrival { return &arrival{life: in("b"), message: Message{Body: body}} }
	c := copyOf(1, true, nil, "one")
	c.Best = naming("best")
	w := orphan.Will{Run: copiedHere, Number: 3, Best: c.Best, Items: []orphan.Bequest{{
		Part: orphan.Part{Key: keyOf("left"), Result: worth("v")}, Owners: []orphan.KeptFor{{Owner: "c", Incarnation: in("c").incarnation}},
	}}}
	does(t, "the root is missing", k.hearCopy(0, brings(c), c), "b: Fetch")
	does(t, "and with a will", k.hearWill(0, brings(w), w), "b: Fetch")
	r.root.bytes = []byte("root")
	does(t, "the best is", k.hearCopy(0, brings(c), c))
	if does(t, "with a will, too", k.hearWill(ms, brings(w), w)); len(k.postponed.all) != 2 || len(k.keeps()) != 0 {
		t.Errorf("%d wait, kept is %v", len(k.postponed.all), k.keeps())
	}
	r.best.remember(c.Best.Digest)
	does(t, "a copy", k.hearCopy(0, brings(c), c), "b: Copied round 1")
	does(t, "a will", k.hearWill(0, brings(w), w), "b: Willed")
	if len(k.keeps()) != 2 {
		t.Errorf("it keeps %v", k.keeps())
	}
	k.runs.end(r)
	does(t, "the run is not known", k.hearCopy(0, brings(c), c))
	over = true
	if does(t, "it is over", k.hearCopy(0, brings(c), c)); len(k.postponed.all) != 2 {
		t.Errorf("%d wait", len(k.postponed.all))
	}
	k.noFT = true
	does(t, "nothing is kept here", k.hearWill(0, brings(w), w), "b: Willed")
}

// TestReturnedIsKept: what an owner has acknowledged, while its run goes on.
func TestReturnedIsKept(t *testing.T) {
	k := newKeeper()
	k.runs, k.ledger = &runs{}, steal.NewLedger()
	for n, of := range []steal.Instance{copiedHere, {Run: steal.Key{9}}} {
		number := steal.LoanNo(n + 1)
		borrow, _ := k.ledger.Borrow("b", in("b").incarnation, number, of, keyOf("job"))
		k.ledger.Finish(0, borrow, worth("v"))
	}
	k.runs.whole(copiedHere)
	k.hearReturned(0, in("b"), steal.Returned{Numbers: []steal.LoanNo{1, 2, 3}})
	does(t, "it asks for how long", k.ask(copiedHere), "b: Uncovered [1]")
	if k.results.Len() != 1 {
		t.Errorf("%d are kept", k.results.Len())
	}
	k.hearReturned(0, in("b"), steal.Returned{Numbers: []steal.LoanNo{1}})
	k.hearCovered(0, in("b"), orphan.Covered{Run: copiedHere, Loans: []steal.LoanNo{1}})
	if k.results.Len() != 0 {
		t.Error("it is kept though it is in a copy")
	}
}

// TestCopiesAreKeptOnce: copies that come twice or late change nothing, and are
// acknowledged with what is kept.
func TestCopiesAreKeptOnce(t *testing.T) {
	s := newStage(t, "b1")
	part := func(k byte) orphan.Part {
		return orphan.Part{Key: steal.Key{k}, Result: steal.Result{Cost: 500, Bytes: []byte{k}}}
	}
	copied := func(c orphan.Copy) uint64 {
		c.Run = s.run
		_, acks := sent[orphan.Copied](s.from(0, "b1", c))
		if len(acks) == 0 {
			return 0
		}
		return acks[0].Sum
	}
	one := orphan.Copy{Round: 1, Whole: true, Parts: []orphan.Part{part(1), part(2)}}
	two := orphan.Copy{Round: 2, Parts: []orphan.Part{part(3)}, Gone: []steal.Key{{1}, {2}}}
	if sum := copied(one); sum != 1+2 {
		t.Errorf("kept %d", sum)
	}
	if sum := copied(two); sum != 3 {
		t.Errorf("kept %d", sum)
	}
	if sum := copied(two); sum != 3 {
		t.Errorf("doubled, it keeps %d", sum)
	}
	if copied(one); s.p.Sight().Results().Len() != 1 {
		t.Errorf("an old round brought %d back", s.p.Sight().Results().Len())
	}
	if copied(orphan.Copy{Round: 3, Whole: true}); s.p.Sight().Results().Len() != 0 {
		t.Errorf("anew and empty, it keeps %d", s.p.Sight().Results().Len())
	}
}

// TestKeptIsAskedAboutInPortions: of one owner so many in one question; an answer says no more than
// that. What is kept for other reasons it is not asked about.
func TestKeptIsAskedAboutInPortions(t *testing.T) {
	k := newKeeper()
	var all []steal.LoanNo
	for n := range steal.LoanNo(uncoveredEach + 3) {
		k.returned(0, in("b"), steal.Done{Run: copiedHere, Key: steal.Key{byte(n >> 8), byte(n)}, Number: n + 1, Result: worth("v")})
		all = append(all, n+1)
	}
	k.copy(0, in("c"), copyOf(1, true, nil, "copied"))
	asked := k.ask(copiedHere)
	if u := asked[0].(tells).body.(orphan.Uncovered); len(asked) != 1 || len(u.Loans) != uncoveredEach {
		t.Fatalf("it asks %q", told(asked))
	}
	if k.hearCovered(0, in("b"), orphan.Covered{Run: copiedHere, Loans: all}); len(k.keeps()) != 4 {
		t.Errorf("it keeps %d", len(k.keeps()))
	}
}

// TestKeptForTheLost: what was kept for one that is gone is an orphan's, and of its copies nothing
// is remembered; a run's that is on is not dropped because another is over.
func TestKeptForTheLost(t *testing.T) {
	k := newKeeper()
	k.copy(0, in("b"), copyOf(1, true, nil, "one"))
	k.copy(0, in("c"), copyOf(1, true, nil, "two"))
	k.livesOn(in("b"), life{"b", membership.Incarnation{Join: 1, Rejoin: 1}})
	if k.owners[1].owner != in("c") {
		t.Errorf("one lives on, and another is known as %v", k.owners[1].owner)
	}
	if k.lost(0, "b"); len(k.owners) != 1 || k.used != 1 {
		t.Errorf("%d are remembered, %d results are used", len(k.owners), k.used)
	}
	k.runs, k.members = &runs{}, presentOf("c")
	k.postponed = &postponing{runs: k.runs, members: k.members}
	k.isOver = func(steal.Instance) bool { return true }
	k.runs.whole(copiedHere)
	c := copyOf(2, false, nil, "three")
	does(t, "its run is on", k.hearCopy(0, &arrival{life: in("c"), message: Message{Body: c}}, c), "c: Copied round 2")
}

// TestWillIsAdvertised: what the heir got as an orphan's, or for one that is gone by now, the
// workers may miss, and are asked about; for a run that is not known yet it waits.
func TestWillIsAdvertised(t *testing.T) {
	k := newKeeper()
	k.runs, k.members = &runs{}, presentOf("b")
	k.postponed = &postponing{runs: k.runs, members: k.members}
	w := orphan.Will{Run: copiedHere, Number: 1, Items: []orphan.Bequest{{
		Part: orphan.Part{Key: keyOf("left"), Result: worth("v")}, Owners: []orphan.KeptFor{{Owner: "gone", Why: orphan.ForCopy}},
	}}}
	from := &arrival{life: in("b"), message: Message{Body: w}}
	if does(t, "its run is not known", k.hearWill(0, from, w), "b: Fetch"); len(k.postponed.all) != 1 {
		t.Errorf("%d wait", len(k.postponed.all))
	}
	r := k.runs.whole(copiedHere)
	k.results = r.look.results
	does(t, "it is", k.hearWill(time.Second, from, w), "b: Willed")
	if items := k.results.Items(copiedHere); len(items) != 1 || !items[0].Orphan || r.look.at != time.Second {
		t.Errorf("it has %v, and asks the workers at %v", items, r.look.at)
	}
}
