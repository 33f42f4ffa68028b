package steal

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
)

// table is a thief with one peer at another site, which gives as many jobs as are asked for, and
// whatever comes lasts for so long.
type table struct {
	*Thief
	t    *testing.T
	far  membership.Member
	trip time.Duration
	now  time.Duration
}

func newTable(t *testing.T, trip time.Duration) *table {
	d := &table{Thief: NewThief("a", CRS, rand.New(rand.NewPCG(1, 1))), t: t, far: member("far", "b"), trip: trip, now: time.Second}
	d.Joined(d.far)
	d.Open(d.now, true)
	return d
}

// course asks because a worker is idle, and has all that comes last so long. It tells how many jobs
// were asked for.
func (d *table) course(lasts time.Duration, give int) uint16 {
	d.t.Helper()
	out := d.Idle(d.now, 1)
	if len(out) != 1 {
		d.t.Fatalf("idle, it says %q", asked(out))
	}
	ask := out[0].(membership.Send).Body.(Ask)
	d.now += d.trip
	d.Got(d.now, d.far, ask.Number, min(give, int(ask.Jobs)))
	d.Idle(d.now, 0)
	d.now += lasts
	return ask.Jobs
}

// TestHelpingFollowsWhatLasts: a thief asks for more where what comes is used up sooner than a trip
// takes, for no more where it lasts for several, and for less where it lasts for long.
func TestHelpingFollowsWhatLasts(t *testing.T) {
	d := newTable(t, 40*ms)
	for n, want := range []uint16{JobsFar, growMost * JobsFar, growMost * growMost * JobsFar, growMost * growMost * growMost * JobsFar, JobsMost, JobsMost} {
		if got := d.course(ms, JobsMost); got != want {
			t.Errorf("request %d where nothing lasts is for %d jobs, not %d", n, got, want)
		}
	}
	for n := range 3 {
		if got := d.course(lastsLeast*40*ms, JobsMost); got != JobsMost {
			t.Errorf("request %d where all lasts long enough is for %d jobs", n, got)
		}
	}
	last := uint16(JobsMost)
	for last > JobsFar {
		got := d.course(time.Hour, JobsMost)
		if got != last && got != last/2 {
			t.Fatalf("where jobs last it asks for %d after %d", got, last)
		}
		last = got
	}
	if got := d.course(time.Hour, JobsMost); got != JobsFar {
		t.Errorf("in the end it asks for %d", got)
	}
}

// TestHelpingForgetsTheLastRun: what was found out about the tree of a run is not applied to the
// next.
func TestHelpingForgetsTheLastRun(t *testing.T) {
	d := newTable(t, 40*ms)
	for range 5 {
		d.course(ms, JobsMost)
	}
	d.Open(d.now, false)
	d.Open(d.now, true)
	for n, want := range []uint16{JobsFar, growMost * JobsFar} {
		if got := d.course(ms, JobsMost); got != want {
			t.Errorf("request %d of the next run is for %d jobs, not %d", n, got, want)
		}
	}
}

// TestHelpingGrowsByTheRoot: what is four times too short is made up for by twice as many jobs.
func TestHelpingGrowsByTheRoot(t *testing.T) {
	d := newTable(t, 40*ms)
	d.course(lastsLeast*40*ms/4, JobsMost)
	if got := d.course(ms, JobsMost); got != 2*JobsFar {
		t.Errorf("it asks for %d", got)
	}
}

// TestHelpingOfAPoorVictim: who had less than was asked for has no more for one who asks for more.
func TestHelpingOfAPoorVictim(t *testing.T) {
	d := newTable(t, 40*ms)
	for range 5 {
		if got := d.course(ms, JobsFar-1); got != JobsFar {
			t.Errorf("of one that has less it asks for %d jobs", got)
		}
	}
}

// TestAsksBeforeAllIsDone: where jobs do not last the next are asked for when half of them has
// ended, once; where they last, when a worker is idle.
func TestAsksBeforeAllIsDone(t *testing.T) {
	d := newTable(t, 40*ms)
	for range JobsFar {
		if d.course(time.Hour, JobsMost); len(d.Finished(d.now)) > 0 {
			t.Fatal("where jobs last it asks before a worker is idle")
		}
	}
	d.course(ms, JobsMost)
	n := d.course(ms, JobsMost)
	if n == JobsFar {
		t.Fatal("it has asked for as many as where jobs last")
	}
	for k := range n {
		out := d.Finished(d.now)
		if early := k == n-n/2-1; early != (len(out) > 0) {
			t.Errorf("when %d of %d jobs have ended it says %q", k+1, n, asked(out))
		}
	}
}

// TestStockIsForgottenWithTheRequest: one that is idle does not count what it was given as there.
func TestStockIsForgottenWithTheRequest(t *testing.T) {
	d := newTable(t, 40*ms)
	d.course(ms, JobsMost)
	d.course(ms, JobsMost)
	d.Idle(d.now, 1)
	if d.stock != (stock{}) {
		t.Errorf("with an idle worker there are %+v", d.stock)
	}
}
