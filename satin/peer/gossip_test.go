package peer

import (
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
