package recording

import (
	"math"
	"testing"
)

// TestStrip: whatever the looks' times, nothing of what was added is lost, and a strip stays so
// short.
func TestStrip(t *testing.T) {
	var s Strip
	s.add(3, 3, 7, 7) // no time has passed
	had, did, at := 0.0, 0.0, 0.0
	for i := range 3000 {
		to := at + 0.4 + float64(i%7)
		s.add(at, to, 2*(to-at), to-at)
		had, did, at = had+2*(to-at), did+to-at, to
	}
	workers, busy := 0.0, 0.0
	for i := range s.Workers {
		workers, busy = workers+s.Workers[i]*s.Length, busy+s.Busy[i]*s.Length
	}
	if math.Abs(workers-had) > 1e-6*had || math.Abs(busy-did) > 1e-6*did {
		t.Errorf("%v of %v s of workers, %v of %v s of work", workers, had, busy, did)
	}
	if len(s.Workers) > stripMax || s.Length != 8 {
		t.Errorf("%d moments of %v s", len(s.Workers), s.Length)
	}
}
