package peer

import (
	"math"
	"testing"
	"time"
)

// TestExtent: it is told when it is a hundredth more, and every two seconds at most. It never
// falls.
func TestExtent(t *testing.T) {
	var f extent
	reached := func(event string, at time.Duration, done float64, tells bool, want uint16) {
		t.Helper()
		if got := f.reached(at, done); got != tells || f.done != want {
			t.Errorf("%s: it is told: %v, at %d", event, got, f.done)
		}
	}
	reached("it has begun", time.Second, 0, false, 0)
	reached("a hundredth is done", time.Second, 0.0101, true, 10)
	reached("more at once", time.Second+extentEvery-1, 0.5, false, 500)
	reached("two seconds later", time.Second+extentEvery, 0.5, true, 500)
	reached("it has not got much further", time.Hour, 0.509, false, 509)
	reached("it falls", time.Hour, 0.1, false, 509)
	reached("it is no number", time.Hour, math.NaN(), false, 509)
	reached("it is too great", time.Hour, 1.5, false, 509)
	reached("it is done", time.Hour, 1, true, progressDone)
}

// TestHowFarARunIsAmongMembers: each knows it from the master's record, also when it got that from
// another, and nobody takes what another master has said.
func TestHowFarARunIsAmongMembers(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", asks("u", 1, "root"))
	h := r.head(0)
	said := func(by string, done uint16, want float64) {
		t.Helper()
		h.Progress = done
		s.records.learn(time.Second, "b1", &h, nil)
		if got := r.status(time.Second, s.view).Progress; got != want {
			t.Errorf("%s: %v", by, got)
		}
	}
	said("nothing was told", 0, 0)
	said("the master has told", 250, 0.25)
	said("what it has told before comes late", 240, 0.25)
	said("somebody exaggerates", 2*progressDone, 1)
	r.begunAgain()
	h.Epoch.Number--
	said("a former master has told", 900, 0)
}
