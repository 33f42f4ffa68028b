package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// advertiser is a peer's part in a grid of a1 and b1, with what it holds itself.
func advertiser(id membership.PeerID, over ...steal.Instance) *adverts {
	t := orphan.NewTable(id)
	t.Reborn(0, in(id).incarnation)
	isOver := func(i steal.Instance) bool { return len(over) > 0 && i == over[0] }
	return &adverts{self: id, table: t, members: presentOf("a1", "b1"), isOver: isOver}
}

// holds has it hold a result of a run.
func (a *adverts) holds(now time.Duration, i steal.Instance, key string) {
	a.table.Advertise(now, i, orphan.Entry{Key: keyOf(key), Cost: 5})
}

// advert is what is published of one result of a run.
func advert(i steal.Instance, after uint64, key string) orphan.Advert {
	return orphan.Advert{
		After: after, Runs: []steal.Instance{i}, Changes: []orphan.Change{{Key: keyOf(key), Cost: 5}},
	}
}

func instanceOf(name string) steal.Instance {
	return steal.Instance{Run: keyOf(name), First: steal.Submission{Submitter: "c1", Nonce: 1}}
}

// TestAdverts: what is held is published once, and what is heard is news unless its run is over;
// who has missed something asks for the whole list, once.
func TestAdverts(t *testing.T) {
	on, over := instanceOf("on"), instanceOf("over")
	a := advertiser("me", over)
	does(t, "it holds nothing", a.tick(time.Second))
	a.holds(time.Second, on, "x")
	does(t, "not at once", a.tick(time.Second))
	does(t, "in a moment", a.tick(2*time.Second), "all: Advert after 0: +x")
	if does(t, "once", a.tick(3*time.Second)); a.published != 1 {
		t.Errorf("%d results were offered", a.published)
	}
	does(t, "another holds something", a.hearAdvert(0, in("a1"), advert(on, 0, "y")), "lists")
	does(t, "of a run that is over", a.hearAdvert(0, in("a1"), advert(over, 1, "z")))
	if a.table.Len() != 2 {
		t.Errorf("%d entries", a.table.Len())
	}
	does(t, "something was missed", a.hearAdvert(0, in("b1"), advert(on, 3, "y")), "b1: WantList of b1")
	does(t, "and more", a.hearAdvert(ms, in("b1"), advert(on, 4, "z")))
	a.noFT = true
	does(t, "it measures without", a.hearAdvert(0, in("a1"), advert(on, 2, "u")))
}

// TestListsAreTaken: the list of one that is present, in that life, if it is not this peer's own.
func TestListsAreTaken(t *testing.T) {
	on := instanceOf("on")
	list := func(of life) orphan.List {
		return orphan.List{
			Version: orphan.Version{Holder: of.peer, Incarnation: of.incarnation, Number: 2},
			Runs:    []orphan.Listed{{Run: on, Entries: []orphan.Entry{{Key: keyOf("x"), Cost: 5}}}},
		}
	}
	a := advertiser("me")
	does(t, "of one that is gone", a.hearList("a1", list(in("c1"))))
	does(t, "of another life", a.hearList("a1", list(life{"b1", membership.Incarnation{Join: 9}})))
	does(t, "of itself", a.hearList("a1", list(in("me"))))
	does(t, "of a third", a.hearList("a1", list(in("b1"))), "lists")
	does(t, "again", a.hearList("b1", list(in("b1"))))
	does(t, "it gives that list", a.hearWantList(in("a1"), "b1"), "a1: List of b1, number 2: x")
	does(t, "not to its holder", a.hearWantList(in("b1"), "b1"))
	does(t, "nor one that it has not", a.hearWantList(in("b1"), "a1"))
	does(t, "all to one that joins", a.giveAll("c1"), "c1: List of b1, number 2: x")
}

// TestTablesAreCompared: who has missed what is settled elsewhere is given it, and who has missed
// it itself asks for it.
func TestTablesAreCompared(t *testing.T) {
	has, lacks := advertiser("a1"), advertiser("b1")
	has.holds(0, instanceOf("on"), "x")
	has.tick(time.Minute)
	for now := range time.Duration(3) { // it is on its way to nobody any more
		has.table.Age((now + 2) * time.Minute)
	}
	does(t, "their digests differ", lacks.differs("a1"), "a1: Versions of 0 lists")
	does(t, "and they differ", has.differs("b1"), "b1: Versions of 1 lists")
	does(t, "one is gone", has.differs("c1"))
	does(t, "it gives", has.hearVersions(0, in("b1"), lacks.table.Versions(), false), "b1: List of a1, number 1: x")
	does(t, "it asks", lacks.hearVersions(0, in("a1"), has.table.Versions(), false), "a1: WantList of a1")
	has.noFT = true
	does(t, "it measures without", has.differs("b1"))
	does(t, "nor compares", has.hearVersions(0, in("b1"), lacks.table.Versions(), false))
	does(t, "nor gives", has.giveAll("c1"))
}

// TestStrays: who has advertised results of a run that is not known is asked about it.
func TestStrays(t *testing.T) {
	a, on := advertiser("me"), instanceOf("on")
	a.hearAdvert(0, in("a1"), advert(on, 0, "x"))
	for known, want := range map[bool][]string{true: nil, false: {"a1: Fetch"}} {
		does(t, "its run", a.stray(0, func(steal.Instance) bool { return known }), want...)
	}
	delete(a.members.(present), "a1")
	does(t, "who has told is gone", a.stray(0, func(steal.Instance) bool { return false }))
}

// TestStrayResultsAreAskedAbout: a peer that has heard of a run nothing but what another advertised
// asks that one for its record, and forgets the results when it hears that the run is over.
func TestStrayResultsAreAskedAbout(t *testing.T) {
	p := New(Config{Member: membership.Config{ID: "me", Site: "a", Workers: 1}}, rand.New(rand.NewPCG(1, 1)))
	p.Found(0)
	m := someone("m", 2)
	greet(p, 0, m)
	first := steal.Submission{Submitter: "s", Nonce: 1}
	run := steal.Instance{Run: keyOf("root"), First: first}
	p.Received(0, "m", Message{From: m.Incarnation, Body: orphan.Advert{Runs: []steal.Instance{run}, Changes: []orphan.Change{{Key: keyOf("part"), Cost: 1}}}})
	if p.Sight().Quiet() {
		t.Fatal("what is advertised is not kept")
	}
	asked := 0
	for now := time.Duration(0); now < 5*time.Second; now += 50 * time.Millisecond {
		p.Received(now, "m", Message{From: m.Incarnation, Body: membership.Heartbeat{}})
		for _, b := range sends(p.Tick(now), "m") {
			if b == (Fetch{run}) {
				asked++
			}
		}
	}
	if asked == 0 || asked > 10 {
		t.Errorf("it has asked %d times", asked)
	}
	p.Received(5*time.Second, "m", Message{From: m.Incarnation, Body: Ended{[]Tombstone{{Submission: first}}}})
	if !p.Sight().Quiet() {
		t.Error("the run is over, and its results are kept")
	}
}

// TestListsAreGivenInPortions: who lacks many lists gets some for each digest, the rest with the
// next. What it says of this peer's lists beyond any number is not looked at.
func TestListsAreGivenInPortions(t *testing.T) {
	a, on := advertiser("me"), instanceOf("on")
	holders := []membership.PeerID{"a1", "b1", "c1", "d1", "e1", "f1"}
	a.members = presentOf(holders...)
	for n, id := range holders {
		l := orphan.List{Version: orphan.Version{Holder: id, Incarnation: in(id).incarnation, Number: 1}, Runs: []orphan.Listed{{Run: on}}}
		for k := range orphan.EntriesMax - 1 { // they count with what they are of
			l.Runs[0].Entries = append(l.Runs[0].Entries, orphan.Entry{Key: steal.Key{byte(k >> 8), byte(k), byte(n)}})
		}
		does(t, "it is told", a.hearList("a1", l), "lists")
	}
	for now := range time.Duration(3) {
		a.table.Age((now + 2) * time.Minute)
	}
	given := a.hearVersions(0, in("x1"), orphan.Versions{}, false)
	if len(given) != listEntriesGiven/orphan.EntriesMax {
		t.Errorf("%d lists at once", len(given))
	}
	var known orphan.Versions
	for _, e := range given {
		l := e.(membership.Send).Body.(orphan.List)
		known.All, known.Settled = append(known.All, l.Version), append(known.Settled, l.Number)
	}
	if rest := a.hearVersions(0, in("x1"), known, false); len(rest) != len(holders)-len(given) {
		t.Errorf("then %d", len(rest))
	}
	for range membership.SnapshotMax {
		known.All = append(known.All, orphan.Version{Holder: "a1", Incarnation: in("a1").incarnation, Number: 9})
		known.Settled = append(known.Settled, 9)
	}
	known.All[membership.SnapshotMax].Holder = "b1"
	for _, one := range told(a.hearVersions(0, in("x1"), known, false)) {
		if one == "x1: WantList of b1" {
			t.Error("it reads on beyond the bound")
		}
	}
}

// TestListsOfTheGone: who has newer lists of some that are not here, or are so in another life, is
// not asked for them; one that was missed and came by another way is not asked for again.
func TestListsOfTheGone(t *testing.T) {
	a, on := advertiser("me"), instanceOf("on")
	newer := func(of life, number uint64) (v orphan.Versions) {
		return orphan.Versions{All: []orphan.Version{{Holder: of.peer, Incarnation: of.incarnation, Number: number}}, Settled: []uint64{number}}
	}
	does(t, "of one that is gone", a.hearVersions(0, in("a1"), newer(in("c1"), 5), false))
	next := life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}}
	does(t, "of a life that was not heard of", a.hearVersions(0, in("a1"), newer(next, 5), false))
	does(t, "of this peer itself", a.hearVersions(0, in("a1"), newer(in("me"), 5), false))
	does(t, "of one that is here", a.hearVersions(0, in("a1"), newer(in("b1"), 5), false), "a1: WantList of b1")
	list := orphan.List{Version: orphan.Version{Holder: "b1", Incarnation: in("b1").incarnation, Number: 5}, Runs: []orphan.Listed{{Run: on}}}
	does(t, "it comes", a.hearList("a1", list), "lists")
	does(t, "it is doubled", a.hearList("a1", list))
	does(t, "they are alike", a.hearVersions(time.Hour, in("a1"), newer(in("b1"), 5), false))
}
