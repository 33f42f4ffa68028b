package nqueens_test

import (
	"testing"
	"time"

	"satingrid/apps/nqueens"
	"satingrid/satin/effort"
	"satingrid/satin/satintest"
)

// TestOnAGrid: peers die, leave, join and are cut off, and the boards are as many as alone.
func TestOnAGrid(t *testing.T) {
	size := effort.Of(8, 9, 10)
	c := satintest.Config{App: nqueens.App(), Strict: true}
	same := func(alone, grid int64) bool { return alone == grid && grid == nqueens.Known[size] }
	for seed := range uint64(2) {
		satintest.Check(t, c, satintest.Storm{Seed: seed, Every: 20 * time.Millisecond}, nqueens.Queens{N: size}, time.Minute, same)
	}
}
