package gridsim

import (
	"strings"
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// deadly plays a workload whose first leaf kills its processes at these ages, and tells how the run was answered.
func deadly(t *testing.T, ages ...time.Duration) (steal.Result, Report) {
	o := quiet(NewDeadly(12, 4*time.Second, ages...), 20*time.Millisecond, steal.CRS, 1, 1, 1, 1, 1, 1)
	w := newWorld(o)
	w.asker = w.populate()
	w.after(o.begin(), func() { w.submit(w.asker) })
	var answer steal.Result
	w.hear = func(d peer.Deliver) { answer = d.Result }
	w.play(time.Hour, func() bool { return w.now > o.begin() && w.left == 0 })
	if w.err != nil || w.left > 0 {
		t.Fatalf("%v, %d answers are missing", w.err, w.left)
	}
	return answer, w.finish()
}

// TestPoison: a job that kills its process at the same place each time fails the run, which names it, after three deaths.
func TestPoison(t *testing.T) {
	age := 1500 * time.Millisecond
	answer, r := deadly(t, age, age, age, age, age)
	if answer.Outcome != steal.Panicked || !strings.Contains(string(answer.Bytes), "kills its process") || !strings.Contains(string(answer.Bytes), taskName) {
		t.Errorf("the answer is %d %s", answer.Outcome, answer.Bytes)
	}
	if r.Killed < 3 || r.Killed > 4 {
		t.Errorf("%d processes died of it", r.Killed)
	}
}

// TestSpotLosses: three machines are taken away under one long job, at different ages of it. The run goes on.
func TestSpotLosses(t *testing.T) {
	answer, r := deadly(t, 300*time.Millisecond, 2*time.Second, 3500*time.Millisecond)
	if answer.Outcome != steal.Value || r.Killed != 3 {
		t.Errorf("after %d deaths the answer is %d %s", r.Killed, answer.Outcome, answer.Bytes)
	}
}
