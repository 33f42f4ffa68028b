package nqueens_test

import (
	"testing"
	"time"

	"satingrid/apps/nqueens"
	"satingrid/satin/satintest"
)

// TestOnAGrid: peers die, leave, join and are cut off, and the boards are as many as alone.
func TestOnAGrid(t *testing.T) {
	c := satintest.Config{App: nqueens.App(), Strict: true}
	same := func(alone, grid int64) bool { return alone == grid && grid == nqueens.Known[10] }
	for seed := range uint64(2) {
		satintest.Check(t, c, satintest.Storm{Seed: seed, Every: 20 * time.Millisecond}, nqueens.Queens{N: 10}, time.Minute, same)
	}
}
