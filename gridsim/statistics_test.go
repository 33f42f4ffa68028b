package gridsim

import (
	"testing"
	"time"

	"satingrid/steal"
)

// reporting plays a grid of two sites of three in which peers tell the submitter what they have
// done.
func reporting(t *testing.T, seed int, kept bool, far time.Duration, loss float64, faults ...Fault) Report {
	t.Helper()
	tree := &Tree{Seed: uint64(seed), Depth: 4, Width: 4, Leaf: 50 * time.Millisecond}
	o := quiet(tree, far, steal.CRS, 3, 3)
	o.Seed, o.CheckAll, o.Asides, o.ByPeer, o.Kept = uint64(seed), true, true, seed%2 > 0, kept
	o.Near.Loss, o.Far.Loss, o.Near.Double, o.Far.Double, o.Near.Late, o.Far.Late = loss, loss, loss, loss, loss, loss
	for _, f := range faults {
		o.add(f)
	}
	return play(t, o)
}

// TestStatisticsAreWhole: where nothing is lost, all that was done is in the statistics of the
// answer, and that waits for no longer than the last reports take. A run that is kept goes on when
// it has its answer, and tells them all the same.
func TestStatisticsAreWhole(t *testing.T) {
	for seed := range 20 {
		r := reporting(t, seed, seed >= 10, 20*time.Millisecond, 0)
		s := r.Statistics
		if t.Logf("%+v of %d jobs", s, r.Spawned); s.Jobs != r.Spawned || s.Whole != 1 || s.Waited > 100*time.Millisecond {
			t.Errorf("%+v of %d jobs", s, r.Spawned)
		}
	}
}

// TestAnswersDoNotWaitForTheDead: whatever becomes of who has told something, the answer is handed
// on.
func TestAnswersDoNotWaitForTheDead(t *testing.T) {
	for name, x := range map[string]struct {
		loss  float64
		fault Fault
	}{
		// For is how long links lose messages: until after the answer
		"messages are lost, doubled and late": {0.1, Fault{Kind: Join, At: at(400 * time.Millisecond), For: 20 * time.Second}},
		"a peer crashes":                      {0, Fault{Kind: Crash, At: at(400 * time.Millisecond), Host: 3}},
		"a site crashes":                      {0, Fault{Kind: CrashSite, At: at(400 * time.Millisecond)}},
		"a machine dies":                      {0, Fault{Kind: PowerLoss, At: at(500 * time.Millisecond), Host: 4}},
		"the master crashes":                  {0, Fault{Kind: CrashMaster, At: at(400 * time.Millisecond)}},
		"a peer starts anew":                  {0, Fault{Kind: Restart, At: at(400 * time.Millisecond), For: 300 * time.Millisecond}},
		"the sites are cut":                   {0, Fault{Kind: CutTwoWay, At: at(400 * time.Millisecond), For: 20 * time.Second, Side: 0b111_0000}},
		"a peer leaves":                       {0, Fault{Kind: Leave, At: at(400 * time.Millisecond), For: 5 * time.Second, Host: 3}},
		"the submitter is away":               {0, Fault{Kind: AskerAway, At: at(400 * time.Millisecond), For: 3 * time.Second}},
		"submitted again":                     {0, Fault{Kind: AskAgain, At: at(400 * time.Millisecond)}},
		"cancelled, and submitted again":      {0, Fault{Kind: AskCancel, At: at(400 * time.Millisecond), For: time.Second, N: 1}},
	} {
		var all Statistics
		for seed := range 10 {
			s := reporting(t, seed, false, 20*time.Millisecond, x.loss, x.fault).Statistics
			all.Heard += s.Heard
			all.Last += s.Last
			all.Whole += s.Whole
			all.Waited = max(all.Waited, s.Waited)
		}
		if t.Logf("%s: %+v", name, all); all.Heard < 50 || all.Last < 20 || all.Whole == 0 {
			t.Errorf("%s: %+v", name, all)
		}
		if x.loss > 0 && all.Whole == 10 {
			t.Errorf("%s: no last report was lost", name)
		}
	}
}
