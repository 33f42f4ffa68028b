package driver

import (
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
)

type onItsWay bool

func (o onItsWay) Joining() bool { return bool(o) }

// TestEntry: it is in when it has begun to look for the grid and is not on its way any more, unless
// nobody lets it in; that is said once.
func TestEntry(t *testing.T) {
	var e entry
	if e.looks(onItsWay(false)) {
		t.Error("it is in before it has looked")
	}
	e.open = true
	if e.looks(onItsWay(true)) {
		t.Error("it is in, and on its way")
	}
	stranded := e
	stranded.stranded = true
	if stranded.looks(onItsWay(false)) {
		t.Error("it is in, and was not let in")
	}
	if !e.looks(onItsWay(false)) || e.looks(onItsWay(false)) || !e.in {
		t.Error("that it is in is said once")
	}
}

// TestOpenTellsWhoIsBarred, before anybody can be let in.
func TestOpenTellsWhoIsBarred(t *testing.T) {
	d, n := before()
	d.Open([]membership.Bar{{ID: "x", Counter: 2, Barred: true}})
	if bars := d.machine.Sight().Bars(); len(bars) != 1 || n.entered != 1 {
		t.Errorf("%v are barred, entered %d times", bars, n.entered)
	}
	stranded, n := before()
	stranded.entry.open = true
	stranded.Do([]peer.Effect{peer.Stranded{}})
	if stranded.Entered() || n.entered > 0 {
		t.Error("one that nobody lets in is in")
	}
}
