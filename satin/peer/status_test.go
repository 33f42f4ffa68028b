package peer

import (
	"testing"
	"time"

	"satingrid/steal"
)

// TestStatusOfARun: what a person sees of it while it computes, while its master is gone, and once
// it has its answer, which is kept or on its way.
func TestStatusOfARun(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	m.Terms.Keep, m.Asked = 60, Asked{By: "ann@desk", Label: "balls"}
	s.admission.hearSubmit(10*time.Second, "u", m)
	r := s.runs.all[0]
	r.extent.done = 250
	at := func(now time.Duration) RunStatus { return r.status(now, s.view) }
	first := m.Submission.Kept()
	if got := at(15 * time.Second); got.State != Computing || got.Age != 5*time.Second || got.Progress != 0.25 || got.Waits != 1 ||
		got.Asked != m.Asked || got.Terms.Keep != 60 || got.Kept != 0 || got.Task != "t" || got.Master != "me" ||
		got.Instance != (steal.Instance{Run: m.Run, First: first}) || got.ID != got.Instance.ID() || got.Run != r.no {
		t.Errorf("while it computes it is %+v", got)
	}
	r.best.digest = steal.Key{7}
	if got := at(0); got.Best != (steal.Key{7}) {
		t.Errorf("with a best it says %v", got.Best)
	}
	r.master, r.epoch.Master = "b1", in("b1").incarnation
	if got := at(0); got.State != Waiting || got.Master != "b1" {
		t.Errorf("while its master is gone it is %+v", got)
	}
	r.master, r.epoch.Master = "me", s.view.Self().Incarnation
	r.answer = &steal.Result{}
	r.answering.begin(20 * time.Second)
	if got := at(30 * time.Second); got.State != Answered || got.Progress != 1 || got.Kept != 50*time.Second {
		t.Errorf("with its answer it is %+v", got)
	}
	if got := at(2 * time.Minute); got.Kept != 0 {
		t.Errorf("when that was kept for long enough it is kept for %v", got.Kept)
	}
	r.keeps = nil
	if got := at(30 * time.Second); got.State != Answered || got.Kept != 0 {
		t.Errorf("when nothing keeps it, it is %+v", got)
	}
	other := s.of("a1", asks("v", 2, "other"))
	if got := other.status(0, s.view); got.State != Computing || got.Master != "a1" || got.Asked != (Asked{}) {
		t.Errorf("another's is %+v", got)
	}
	other.answer = &steal.Result{} // this peer keeps it for its master
	if got := other.status(0, s.view); got.State != Answered {
		t.Errorf("of an answer that is kept for another it says %v", got.State)
	}
	other.answer.Outcome = steal.Failed
	if got := other.status(0, s.view); got.State != Failed || got.Progress != 0 {
		t.Errorf("of an error that is kept for another it says %v, done %v", got.State, got.Progress)
	}
	other.answer, other.over, other.extent.done = nil, true, 250
	if got := other.status(0, s.view); got.State != Answered || got.Progress != 1 || got.Kept != 0 {
		t.Errorf("when all have taken its answer it is %+v", got)
	}
}
