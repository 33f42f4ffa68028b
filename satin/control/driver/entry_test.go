package driver

import (
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

type onItsWay bool

func (o onItsWay) Joining() bool { return bool(o) }

// TestEntry: it is in when it has begun to look for the grid and is not on its way any more, unless
// nobody lets it in; that is said once.
func TestEntry(t *testing.T) {
	var e wayIn
	if e.looks(onItsWay(false)) {
		t.Error("it is in before it has looked")
	}
	e.open = true
	if e.looks(onItsWay(true)) {
		t.Error("it is in, and on its way")
	}
	stranded := e
	stranded.over = true
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
	d.Open(Inherited{Barred: []membership.Bar{{ID: "x", Counter: 2, Barred: true}}})
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

// TestBeginnings: one that is alone with what it knows has gone on, one that knows nobody founds,
// though runs are stored that somebody waits for.
func TestBeginnings(t *testing.T) {
	d, _ := before()
	d.Open(Inherited{})
	if got := d.Beginning(); got != Founded {
		t.Errorf("who knows nobody begins as %v", got)
	}
	d.Do([]peer.Effect{peer.WentOn{}})
	if got := d.Beginning(); got != WentOn {
		t.Errorf("who has gone on alone begins as %v", got)
	}
	stored, _ := before()
	stored.Open(Inherited{Runs: []peer.Recorded{awaited()}})
	if got := stored.Beginning(); got != Founded || stored.machine.Sight().Book().Len() == 0 {
		t.Errorf("who knows only who waits for a run begins as %v", got)
	}
	known, n := alone()
	known.Open(Inherited{})
	if got := known.Beginning(); got != Joined {
		t.Errorf("who knows somebody begins as %v", got)
	}
	past := New(Config{Past: true}, known.machine, n, quiet{}, n, nil, nil)
	past.Open(Inherited{})
	if got := past.Beginning(); got != Joined {
		t.Errorf("who has a past begins as %v", got)
	}
}

// awaited is a run as it is stored, by which its submitter is known.
func awaited() peer.Recorded {
	root := []byte("root")
	first := steal.Submission{Submitter: "client", Nonce: 1}
	h := peer.Head{
		Run: steal.Instance{Run: steal.Key{1}, First: first}, Task: "t", RootDigest: steal.KeyOf(root), RootBytes: uint32(len(root)),
		Epoch: membership.Epoch{Number: 1, Master: membership.Incarnation{Join: 1}}, Master: "me", Submissions: []steal.Submission{first},
		Contacts: []peer.Contact{{Submitter: "client", Addrs: []string{"/there/p2p/client"}}},
	}
	return peer.Recorded{Record: peer.Record{Head: h, Root: root}, Place: h.Run.Run}
}
