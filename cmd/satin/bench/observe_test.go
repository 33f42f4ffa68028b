package bench

import "testing"

// TestRatios: the interval of the median is that of order statistics, as tables have it (Conover,
// Practical Nonparametric Statistics, 3.2), and decides or does not.
func TestRatios(t *testing.T) {
	all := func(n int) (some []float64) {
		for i := range n {
			some = append(some, float64(n-i)) // n to 1
		}
		return some
	}
	for n, want := range map[int][2]float64{6: {1, 6}, 8: {1, 8}, 9: {2, 8}, 15: {4, 12}, 20: {6, 15}, 100: {40, 61}} {
		r := ratioOf(all(n), 0)
		if r.Low != want[0] || r.High != want[1] || r.Value != float64(n+1)/2 {
			t.Errorf("of %d it is %+v, wanted %v", n, r, want)
		}
	}
	for most, want := range map[float64]string{6: "ok", 5.9: "undecided", 1: "undecided", 0.9: "short"} {
		if got := ratioOf(all(6), most).Verdict(); got != want {
			t.Errorf("1 to 6, to be at most %v, is %s, wanted %s", most, got, want)
		}
	}
}

// TestTooFew: so few rounds do not say how certain they are.
func TestTooFew(t *testing.T) {
	if _, err := Observe(t.Context(), Observing{Rounds: RoundsLeast - 1}); err == nil {
		t.Error("five rounds are enough")
	}
}
