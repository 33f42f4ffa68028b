package satin

// Inside the package: it opens how tests wait for those of package satin_test.

import (
	"testing"
	"time"
)

// Here is how tests and jobs of this package and of satin_test let time pass. Elsewhere nobody
// sleeps, but where time is what is tested: there it says so.

// Patience is for what must happen; a machine with other work is slow.
const Patience = 60 * time.Second

// Comes waits for something that should happen, and tells whether it has.
func Comes(so func() bool) bool {
	late := time.Now().Add(Patience)
	for pause := 50 * time.Microsecond; !so(); pause = min(2*pause, 2*time.Millisecond) {
		if time.Now().After(late) {
			return false
		}
		time.Sleep(pause) // what is waited for may be state of any kind, which wakes nobody
	}
	return true
}

// Until waits for something that must happen.
func Until(t testing.TB, what string, so func() bool) {
	t.Helper()
	if !Comes(so) {
		t.Fatal("never: ", what)
	}
}

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
