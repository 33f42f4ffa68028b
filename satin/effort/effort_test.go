package effort

import "testing"

// TestSizes: SATIN_SLOW says whether tests do much, except under the race detector.
func TestSizes(t *testing.T) {
	for value, want := range map[string]int{"": 2, "1": 3} {
		t.Setenv("SATIN_SLOW", value)
		if raced {
			want = 1
		}
		if got := Of(1, 2, 3); got != want {
			t.Errorf("SATIN_SLOW=%s: it is %d, want %d", value, got, want)
		}
	}
}
