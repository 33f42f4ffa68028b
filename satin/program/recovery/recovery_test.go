package recovery

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestIdeal(t *testing.T) {
	for _, c := range []struct{ whole, event, cores, want float64 }{
		{100, 50, 1, 150}, // half of what is left takes twice as long
		{100, 50, 2, 100},
		{100, 0, 1, 200},
		{100, 120, 1, 120},
	} {
		if got := ideal(c.whole, c.event, c.cores); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestRecovered makes a table of two rounds.
func TestRecovered(t *testing.T) {
	ran := make([][]ranOnce, len(fates))
	for i := range fates {
		ran[i] = []ranOnce{{seconds: 150, event: 50, redone: 4}, {seconds: 156, event: 50, redone: 2}}
	}
	ran[0] = []ranOnce{{seconds: 101}, {seconds: 99}}
	ran[1] = []ranOnce{{seconds: 100}, {seconds: 100}}
	r := recovered(Options{Run: []string{"x"}, Rounds: 2, Copies: 10 * time.Second}, ran, time.Second)
	if x := r.Rows[0]; x.Total != 100 || x.Ratio != 1 || x.Most != toleranceMost {
		t.Errorf("undisturbed: %+v", x)
	}
	if x := r.Rows[2]; x.Total != 153 || x.Ideal != 150 || x.Redone != 3 || math.Abs(x.Most-(1+5.5/150)) > 1e-9 {
		t.Errorf("one site lost: %+v", x)
	}
	if x := r.Rows[5]; x.Ideal != 100 || x.Most != leaveMost {
		t.Errorf("one site migrated: %+v", x)
	}
}

func TestStruck(t *testing.T) {
	log := filepath.Join(t.TempDir(), "events")
	text := `{"t":0.1,"event":"started"}
{"t":3,"event":"chaos","what":"kill b/1"}
{"t":3.01,"event":"chaos","what":"kill b/2"}
{"t":8,"event":"answered"}
`
	if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if at, err := struck(log, 7.5); err != nil || at != 2.5 {
		t.Errorf("%v, %v", at, err)
	}
	if err := os.WriteFile(log, []byte(text[:30]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := struck(log, 7.5); err == nil {
		t.Error("a run to which nothing happened has a time of it")
	}
}
