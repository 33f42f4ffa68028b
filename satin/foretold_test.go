package satin

// Inside the package: a run is made up that tells how far it is.

import (
	"testing"
	"time"
)

// telling is a run that says that so much of it is done.
type telling struct {
	requested
	done, busy float64
}

func (f *telling) Progress() float64     { return f.done }
func (f *telling) Done() <-chan struct{} { return nil }

func (f *telling) Stats() Stats {
	return Stats{Done: f.done, Peers: []PeerStats{{Busy: f.busy / 2}, {Busy: f.busy / 2}}}
}

// TestProgressNeverFalls, and that all jobs have ended that are known does not count.
func TestProgressNeverFalls(t *testing.T) {
	f := &telling{}
	u := Submission[int]{asked: f}
	for _, x := range []struct{ told, want float64 }{{0, 0}, {0.999, 0}, {0.2, 0.2}, {0.1, 0.2}, {0.3, 0.3}, {0.9985, 0.3}, {0.99, 0.99}, {1, 1}} {
		f.done = x.told
		if got := u.Progress(); got != x.want {
			t.Errorf("at %v it says %v, not %v", x.told, got, x.want)
		}
	}
}

// TestRemainingIsOfWhatWasSpent: as much as it is guessed to cost yet, of which a share is spent.
func TestRemainingIsOfWhatWasSpent(t *testing.T) {
	f := &telling{}
	u := Submission[int]{asked: f, foretold: foretold{began: time.Now().Add(-time.Hour)}}
	for n := range 100 {
		f.done, f.busy = float64(n+1)/400, 80*float64(n+1)
		if n == 99 {
			break
		}
		u.foretold.forecast.See(time.Duration(n+1)*36*time.Second, f.done, f.busy)
	}
	left, ok := u.Remaining()
	if ok && left.Likely > 3*time.Hour-time.Minute && left.Likely < 3*time.Hour+time.Minute {
		return
	}
	t.Errorf("of a run that has done a quarter in an hour %v, %v is left", left.Likely, ok)
}
