package sat

import (
	"math"
	"testing"
)

// TestDamagedCheaper has jobs of another build, about variables that are not there.
func TestDamagedCheaper(t *testing.T) {
	for _, lits := range [][]int32{{4}, {1, -4}, {0}, {math.MinInt32}, {math.MaxInt32}} {
		if (Cheaper{lits}).check(3) == nil {
			t.Errorf("%v is taken", lits)
		}
	}
	if err := (Cheaper{[]int32{-1, 3, 3}}).check(3); err != nil {
		t.Error(err)
	}
}
