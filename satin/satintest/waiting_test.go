package satintest_test

import (
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
)

// Here is how tests and jobs of this package let time pass, beside package await. Elsewhere nobody
// sleeps, but where a fault lasts.

// during waits for something that must happen before a run is over.
func during[R any](t *testing.T, sub *satin.Submission[R], what string, so func() bool) {
	t.Helper()
	over := false
	if await.Comes(func() bool {
		if so() {
			return true
		}
		over = isOver(sub)
		return over
	}) && !over {
		return
	}
	t.Fatalf("never: %s; the run is over: %v; %+v", what, over, sub.Stats())
}

// says waits until the statistics of a run, which is not to be over before, are so.
func says[R any](t *testing.T, sub *satin.Submission[R], so func(satin.Stats) bool) {
	t.Helper()
	during(t, sub, "statistics as they are to be", func() bool { return so(sub.Stats()) })
}

// soon waits until a run is well under way, and has not ended: nobody tells that thieves have had
// their turn.
func soon[R any](t *testing.T, sub *satin.Submission[R]) {
	t.Helper()
	says(t, sub, hasBegun)
	select {
	case <-sub.Done():
		t.Fatal("the run has ended already: the test does less than it claims")
	case <-time.After(200 * time.Millisecond):
	}
}

// hasBegun tells whether somebody executes a run's root.
func hasBegun(s satin.Stats) bool { return len(s.Masters) > 0 }

func isOver[R any](sub *satin.Submission[R]) bool {
	select {
	case <-sub.Done():
		return true
	default:
		return false
	}
}

// computes stands for what a job computes without a look at anything else.
func computes(d time.Duration) { time.Sleep(d) }

// computesUntil stands for a job that computes until something is so, and looks up meanwhile. It
// tells whether it is; false means that the job was told to stop.
func computesUntil(s *satin.Scope, so func() bool) bool {
	for !so() {
		if s.Aborted() {
			return false
		}
		computes(time.Millisecond)
	}
	return true
}

// never is what a job waits for that computes until it is told to stop.
func never() bool { return false }
