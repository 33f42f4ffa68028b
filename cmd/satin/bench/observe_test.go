package bench

import (
	"testing"

	"satingrid/satin/program/figure"
)

// TestTooFew: so few rounds do not say how certain they are.
func TestTooFew(t *testing.T) {
	if _, err := Observe(t.Context(), Observing{Rounds: figure.RoundsLeast - 1}); err == nil {
		t.Error("five rounds are enough")
	}
}
