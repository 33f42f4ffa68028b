package across

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestNeighbours: a grid is news once, is known as long as it is told of, and is at the addresses
// that were told lately.
func TestNeighbours(t *testing.T) {
	var n Neighbours
	now := time.Unix(0, 0)
	later := func(d time.Duration) time.Time { now = now.Add(d); return now }
	tell := func(build string, addrs ...string) bool {
		return n.Succeeds(Grid{Build: build, Made: "made " + build, Addrs: addrs}, now)
	}
	knows := func(want ...string) {
		t.Helper()
		next, previous := n.Known(now)
		var got []string
		for _, g := range next {
			got = append(got, fmt.Sprint(g.Build, g.Made, g.Addrs))
		}
		if !slices.Equal(got, want) || len(previous) != 0 {
			t.Errorf("at %v it knows %q and %v, wanted %q", now.Unix(), got, previous, want)
		}
	}
	knows()
	if !tell("b", "/1", "/2") || tell("b", "/3") {
		t.Error("a grid is news once")
	}
	knows("bmade b[/3 /2 /1]")
	later(keptFor / 2)
	tell("b", "/1")
	tell("c", "/4")
	later(keptFor/2 + time.Second)
	knows("bmade b[/1]", "cmade c[/4]") // nobody has told of 2 and 3 since
	later(keptFor)
	knows()
	if !tell("b", "/1") {
		t.Error("a grid that comes back is news")
	}
}

// TestNeighboursAreBounded: whoever has the secret may tell of many grids with many addresses.
func TestNeighboursAreBounded(t *testing.T) {
	var n Neighbours
	now := time.Unix(0, 0)
	for b := range 3 * gridsMax {
		var addrs []string
		for a := range 3 * addrsMax {
			addrs = append(addrs, fmt.Sprint(a), fmt.Sprint(a)) // twice
		}
		n.Precedes(Grid{Build: fmt.Sprint(b), Addrs: addrs[:addrsMax]}, now)
		n.Precedes(Grid{Build: fmt.Sprint(b), Addrs: addrs}, now)
	}
	next, previous := n.Known(now)
	if len(next) != 0 || len(previous) != gridsMax || len(previous[0].Addrs) != addrsMax {
		t.Errorf("%d and %d grids, with %d addresses", len(next), len(previous), len(previous[0].Addrs))
	}
	if last := previous[0].Addrs[0]; last != fmt.Sprint(3*addrsMax-1) {
		t.Errorf("%s is the latest address", last)
	}
}

// TestNeighboursAreOnOneSide: nodes of two builds may both be started with --next. What is known
// first holds.
func TestNeighboursAreOnOneSide(t *testing.T) {
	now := time.Unix(0, 0)
	other := Grid{Build: "b", Addrs: []string{"/1"}}
	var older, newer Neighbours
	if !newer.Precedes(other, now) || newer.Succeeds(other, now) {
		t.Error("the grid before is the one after, too")
	}
	if !older.Succeeds(other, now) || older.Precedes(other, now) {
		t.Error("the grid after is the one before, too")
	}
	if !newer.Succeeds(other, now.Add(2*keptFor)) {
		t.Error("a grid that was before long ago cannot be the next")
	}
}
