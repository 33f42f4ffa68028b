package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// salvor is the salvage of a peer with one run, whose look-up sees what it keeps.
type salvor struct {
	*salvage
	t    *testing.T
	r    *run
	goes bool // it is leaving
}

func newSalvor(t *testing.T) *salvor {
	v := &salvor{t: t}
	v.salvage = &salvage{
		runs: &runs{}, ledger: steal.NewLedger(), stops: &stops{}, losses: &losses{},
		mastership: &mastership{leaves: func() bool { return v.goes }},
	}
	v.r = v.runs.whole(soughtRun)
	v.results = v.r.look.results
	return v
}

// worth is a result that is worth keeping.
func worth(text string) steal.Result { return steal.Result{Bytes: []byte(text), Cost: 100} }

// keeps demands whether the result of a job is kept.
func (v *salvor) keeps(event, key string, want bool) {
	v.t.Helper()
	if _, ok := v.results.Get(soughtRun, keyOf(key)); ok != want {
		v.t.Errorf("%s: it is kept: %v", event, ok)
	}
}

// TestSalvagedIsKept: parts of what was withdrawn, and orphans that finish before they are told.
// Not kept is what is cheaper to do again, or of a run that is over. A panic fails the run.
func TestSalvagedIsKept(t *testing.T) {
	v := newSalvor(t)
	v.salvaged(0, []Part{
		{v.r.no, keyOf("part"), worth("v")}, {v.r.no, keyOf("cheap"), value("v")}, {99, keyOf("of none"), worth("v")},
	})
	v.keeps("a part", "part", true)
	if v.r.look.at == steal.Never {
		t.Error("the workers are never asked whether they miss it")
	}
	v.keeps("a cheap one", "cheap", false)
	v.keeps("of no run", "of none", false)
	v.stops.salvage(orphaned{1, soughtRun, keyOf("orphan")})
	v.stops.salvage(orphaned{2, soughtRun, keyOf("wild")})
	v.stops.salvage(orphaned{3, steal.Instance{}, keyOf("late")})
	does(t, "an orphan finishes", v.finished(0, 1, worth("v")))
	v.keeps("an orphan", "orphan", true)
	does(t, "it is not known any more", v.finished(0, 1, steal.Result{Outcome: steal.Panicked}))
	does(t, "one panics", v.finished(0, 2, steal.Result{Outcome: steal.Panicked}), `fails: panic ""`)
	does(t, "its run is over", v.finished(0, 3, worth("v")))
	v.noFT = true
	v.keep(0, soughtRun, keyOf("off"), worth("v"))
	v.keeps("it is turned off", "off", false)
}

// TestStoppedGoesBack: what a leave has withdrawn, to its owner; a root waits for its next master,
// which is this peer when it stays after all. An orphan's end is nobody's business.
func TestStoppedGoesBack(t *testing.T) {
	v := newSalvor(t)
	borrow, _ := v.ledger.Borrow("b1", in("b1").incarnation, 7, soughtRun, keyOf("job"))
	v.goes = true
	v.stops.halt(borrow)
	does(t, "a borrowed job", v.stopped(borrow), "b1: Missing [7]")
	does(t, "it is told again", v.stopped(borrow))
	v.r.root.borrow = v.ledger.NextBorrow()
	v.stops.halt(v.r.root.borrow)
	if does(t, "a root", v.stopped(v.r.root.borrow)); v.r.root.borrow != 0 {
		t.Error("a root that has stopped executes")
	}
	if v.mastership.due {
		t.Error("a root would start again where its master leaves")
	}
	v.r.root.borrow, v.goes = v.ledger.NextBorrow(), false
	v.stops.halt(v.r.root.borrow)
	if does(t, "it stays after all", v.stopped(v.r.root.borrow)); !v.mastership.due {
		t.Error("its root never starts again")
	}
	v.stops.halt(9)
	v.stops.salvage(orphaned{9, soughtRun, keyOf("orphan")})
	does(t, "its owner is gone", v.stopped(9))
}

// TestPutBack: what is held here settles a job that goes back; any other is looked up before it
// starts again. A loss is charged with both.
func TestPutBack(t *testing.T) {
	v := newSalvor(t)
	v.losses.begins(0, membership.Lost{Member: membership.Member{ID: "x"}})
	v.keep(0, soughtRun, keyOf("held"), worth("v"))
	does(t, "held here", v.putBack(0, steal.LoanLost{Ref: 1, Run: soughtRun, Key: keyOf("held")}), `settle job 1 with "v"`)
	v.r.look.members = presentOf("b1")
	v.r.look.table.HearAdvert("b1", in("b1").incarnation, orphan.Advert{
		Runs: []steal.Instance{soughtRun}, Changes: []orphan.Change{{Key: keyOf("far"), Cost: 9}},
	})
	does(t, "held elsewhere", v.putBack(0, steal.LoanLost{Ref: 2, Run: soughtRun, Key: keyOf("far")}),
		"b1: WantResult far", "put back job 2, of loss 1")
	v.losses.settled()
	does(t, "held nowhere", v.putBack(0, steal.LoanLost{Ref: 3, Run: soughtRun, Key: keyOf("new")}), "put back job 3")
	does(t, "of no run", v.putBack(0, steal.LoanLost{Ref: 4, Key: keyOf("new")}))
	v.found(reuses{Use{Run: v.r.no, Result: worth("v")}, true, false})
	want := LossCost{Restarted: 1, Reused: 2, Saved: 200 * time.Millisecond}
	if got := v.losses.reports(v.r.no)[0].LossCost; got != want {
		t.Errorf("the loss has cost %v, want %v", got, want)
	}
	if v.again != 2 || v.reused != 2 || v.fetched != 1 {
		t.Errorf("%d go back, %d are reused, %d of them fetched", v.again, v.reused, v.fetched)
	}
}

// TestWorthKeeping: what costs less to do again than to fetch is not kept, however long or short; a
// panic never.
func TestWorthKeeping(t *testing.T) {
	for name, c := range map[string]struct {
		cost    uint32
		bytes   int
		outcome steal.Outcome
		worth   bool
	}{
		"no time at all":            {0, 0, steal.Value, false},
		"the least":                 {worthCostMin, worthBytesMin + worthBytes, steal.Value, true},
		"a byte too long for that":  {worthCostMin, worthBytesMin + worthBytes + 1, steal.Value, false},
		"as long as its time is":    {10, worthBytesMin + 10*worthBytes, steal.Value, true},
		"an error, which costs too": {worthCostMin, 3, steal.Failed, true},
		"a panic":                   {1000, 3, steal.Panicked, false},
		"more than numbers hold":    {1<<32 - 1, 1 << 20, steal.Value, true},
	} {
		if isWorth(steal.Result{Cost: c.cost, Bytes: make([]byte, c.bytes), Outcome: c.outcome}) != c.worth {
			t.Errorf("%s: it is kept: %v", name, !c.worth)
		}
	}
}

// TestStoppedTwiceOver: a job that a leave has stopped and whose owner is lost then is an orphan,
// and goes back to nobody; nor does one that nobody has stopped.
func TestStoppedTwiceOver(t *testing.T) {
	v := newSalvor(t)
	orphan, _ := v.ledger.Borrow("b1", in("b1").incarnation, 7, soughtRun, keyOf("job"))
	v.stops.halt(orphan)
	v.stops.salvage(orphaned{orphan, soughtRun, keyOf("job")})
	does(t, "an orphan", v.stopped(orphan))
	other, _ := v.ledger.Borrow("b1", in("b1").incarnation, 8, soughtRun, keyOf("other"))
	if does(t, "one that was not stopped", v.stopped(other)); v.ledger.Borrowed() != 2 {
		t.Errorf("%d are borrowed", v.ledger.Borrowed())
	}
}
