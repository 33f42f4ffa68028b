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
	v.store = v.r.look.store
	return v
}

// worth is a result that is worth keeping.
func worth(text string) steal.Result { return steal.Result{Bytes: []byte(text), Cost: 100} }

// keeps demands whether the result of a job is kept.
func (v *salvor) keeps(event, key string, want bool) {
	v.t.Helper()
	if _, ok := v.store.Get(soughtRun, keyOf(key)); ok != want {
		v.t.Errorf("%s: it is kept: %v", event, ok)
	}
}

// TestSalvagedIsKept: parts of what was withdrawn, and orphans that finish before they are told.
// Not kept is what is cheaper to do again, or of a run that is over. A panic fails the run.
func TestSalvagedIsKept(t *testing.T) {
	v := newSalvor(t)
	v.parts(0, []Part{
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
	v.r.rootBorrow = v.ledger.NextBorrow()
	v.stops.halt(v.r.rootBorrow)
	if does(t, "a root", v.stopped(v.r.rootBorrow)); v.r.rootBorrow != 0 {
		t.Error("a root that has stopped executes")
	}
	if v.mastership.due {
		t.Error("a root would start again where its master leaves")
	}
	v.r.rootBorrow, v.goes = v.ledger.NextBorrow(), false
	v.stops.halt(v.r.rootBorrow)
	if does(t, "it stays after all", v.stopped(v.r.rootBorrow)); !v.mastership.due {
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
	v.losses.lost(0, membership.Lost{Member: membership.Member{ID: "x"}})
	v.keep(0, soughtRun, keyOf("held"), worth("v"))
	does(t, "held here", v.putBack(0, steal.PutBack{Ref: 1, Run: soughtRun, Key: keyOf("held")}), `settle job 1 with "v"`)
	v.r.look.members = presentOf("b1")
	v.r.look.table.Heard("b1", in("b1").incarnation, orphan.Advert{
		Runs: []steal.Instance{soughtRun}, Changes: []orphan.Change{{Key: keyOf("far"), Cost: 9}},
	})
	does(t, "held elsewhere", v.putBack(0, steal.PutBack{Ref: 2, Run: soughtRun, Key: keyOf("far")}),
		"b1: WantResult far", "put back job 2, again")
	v.losses.settled()
	does(t, "held nowhere", v.putBack(0, steal.PutBack{Ref: 3, Run: soughtRun, Key: keyOf("new")}), "put back job 3, again")
	does(t, "of no run", v.putBack(0, steal.PutBack{Ref: 4, Key: keyOf("new")}))
	v.found(reuses{Use{Run: v.r.no, Result: worth("v")}, true})
	want := LossCost{Restarted: 1, Reused: 2, Saved: 200 * time.Millisecond}
	if got := v.losses.reports(v.r.no)[0].LossCost; got != want {
		t.Errorf("the loss has cost %v, want %v", got, want)
	}
	if v.again != 2 || v.reused != 2 || v.fetched != 1 {
		t.Errorf("%d go back, %d are reused, %d of them fetched", v.again, v.reused, v.fetched)
	}
}
