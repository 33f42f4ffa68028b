package gridsim

import (
	"testing"
	"time"

	"satingrid/steal"
)

// TestOwnersHearHowFarLoansAre: though messages are lost, and come late when the loan is over and
// its number is nobody's.
func TestOwnersHearHowFarLoansAre(t *testing.T) {
	o := quiet(work(), 20*time.Millisecond, steal.CRS, 3, 3)
	o.Asides, o.CheckAll = true, true
	o.Near.Loss, o.Far.Loss, o.Near.Late, o.Far.Late = 0.1, 0.1, 0.1, 0.1
	o.add(Fault{Kind: Restart, At: at(time.Second), For: 500 * time.Millisecond})
	r := play(t, o)
	if t.Logf("%d times", r.Progressed); r.Progressed < 10 {
		t.Errorf("owners heard %d times", r.Progressed)
	}
}
