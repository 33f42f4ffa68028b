package peer

import (
	"testing"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// newLooks is what looks for results of one run, and answers others.
func newLooks(goes *bool) (*looks, *run) {
	l := &looks{runs: &runs{}, members: presentOf("b1"), leaves: func() bool { return *goes }}
	l.postponed = &postponing{runs: l.runs, members: l.members}
	r := l.runs.whole(soughtRun)
	r.look.members, l.results = l.members, r.look.results
	return l, r
}

// advertised has another hold a result of the sought run.
func advertised(r *run, key string) {
	r.look.table.HearAdvert("b1", in("b1").incarnation, orphan.Advert{
		Runs: []steal.Instance{soughtRun}, Changes: []orphan.Change{{Key: keyOf(key), Cost: 9}},
	})
}

// TestLooksWhereItMay: the workers are asked what they miss where there is something to find, not
// without a root, and not by who leaves or is a client.
func TestLooksWhereItMay(t *testing.T) {
	goes := false
	l, r := newLooks(&goes)
	does(t, "nothing is to be found", l.tick(0))
	advertised(r, "far")
	l.listed(0)
	goes = true
	does(t, "it leaves", l.tick(0))
	goes, l.client = false, true
	does(t, "it is a client", l.tick(lookEvery))
	l.client, r.root.bytes = false, nil
	does(t, "the root is missing", l.tick(2*lookEvery))
	r.root.bytes = []byte("root")
	does(t, "it has come", l.tick(3*lookEvery), "want keys")
	does(t, "of no run", l.unfinished(0, 99, keysOf("far")))
	does(t, "one is missing", l.unfinished(0, r.no, keysOf("far")), "b1: WantResult far")
	if l.lost("b1"); len(r.look.fetches) != 0 {
		t.Error("it waits for one that is gone")
	}
}

// TestLookIsAnswered: with what is held and the best, or that there is nothing.
func TestLookIsAnswered(t *testing.T) {
	l, r := newLooks(new(bool))
	want := orphan.WantResult{Run: soughtRun, Key: keyOf("held")}
	does(t, "nothing is held", l.hearWantResult(in("b1"), want), "b1: ResultIs held not here")
	r.best.offered(0, "me", stamp("best"))
	l.results.Orphan(0, soughtRun, keyOf("held"), worth("v"))
	does(t, "it is held", l.hearWantResult(in("b1"), want), `b1: ResultIs held: "v" with best "best"`)
	r.disk.add(storedKey{key: keyOf("held"), found: true})
	if m := l.hearWantResult(in("b1"), want)[0].(membership.Send).Body.(orphan.ResultIs); !m.Stored || !m.Found {
		t.Errorf("it was on the disk, and is told as %+v", m)
	}
	want.Run = steal.Instance{}
	does(t, "of no run", l.hearWantResult(in("b1"), want), "b1: ResultIs held not here")
}

// TestFoundUnderABest: what was asked for is used once the best is here that it was found under.
func TestFoundUnderABest(t *testing.T) {
	l, r := newLooks(new(bool))
	brings := func(m orphan.ResultIs) *arrival { return &arrival{life: in("b1"), message: Message{Body: m}} }
	is := found("far")
	does(t, "nobody has asked", l.hearResultIs(0, brings(is), is))
	advertised(r, "far")
	l.unfinished(0, r.no, keysOf("far"))
	is.Best = naming("best")
	does(t, "its best is missing", l.hearResultIs(0, brings(is), is), "b1: WantBest")
	if len(l.postponed.all) != 1 {
		t.Errorf("%d wait", len(l.postponed.all))
	}
	r.best.remember(is.Best.Digest)
	does(t, "it is here", l.hearResultIs(0, brings(is), is), `use "far's" for far`)
	advertised(r, "not")
	none := orphan.ResultIs{Run: soughtRun, Key: keyOf("far"), Best: naming("other")}
	does(t, "what is not there waits for nothing", l.hearResultIs(0, brings(none), none))
}
