package satin

// Inside the package: it opens how jobs let time pass to tests there and in package satin_test.

import (
	"time"
)

// Here is how tests and jobs of this package and of satin_test let time pass. Elsewhere nobody
// sleeps, but in package await, and where time is what is tested: there it says so.

// Computes stands for what a job computes without a look at anything else.
func Computes(d time.Duration) { time.Sleep(d) }

// ComputesUntil stands for a job that computes until something is so, and looks up meanwhile. It
// tells whether it is; false means that the job was told to stop.
func ComputesUntil(s *Scope, so func() bool) bool {
	for !so() {
		if s.Aborted() {
			return false
		}
		Computes(time.Millisecond)
	}
	return true
}

// Never is what a job waits for that computes until it is told to stop.
func Never() bool { return false }
