package recovery

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"satingrid/satin/program/figure"
)

func TestIdeal(t *testing.T) {
	for _, c := range []struct{ whole, event, rest, want float64 }{
		{100, 50, 200, 150}, // half of what is left takes twice as long
		{100, 50, 180, 140}, // one core alone is faster than half of two
		{100, 50, 100, 100},
		{100, 0, 200, 200},
		{100, 120, 200, 120},
	} {
		if got := ideal(c.whole, c.event, c.rest); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestRecovered makes a table of six rounds, of which the last ones met a machine half as fast.
func TestRecovered(t *testing.T) {
	ran := make([][]ranOnce, len(fates))
	for round := range figure.RoundsLeast {
		slow := 1.0
		if round > 3 {
			slow = 2
		}
		for i := range fates {
			ran[i] = append(ran[i], ranOnce{seconds: 147 * slow, event: 50 * slow, redone: 2 + float64(round)})
		}
		ran[bothCores][round] = ranOnce{seconds: 100 * slow}
		ran[oneCore][round] = ranOnce{seconds: 180 * slow}
		ran[bothIntolerant][round] = ranOnce{seconds: 100 * slow}
		ran[6][round].seconds = 99 * slow
	}
	r := recovered(Options{Run: []string{"x"}, Rounds: figure.RoundsLeast, Copies: 10 * time.Second}, ran, time.Second)
	if x := r.Rows[bothCores]; r.Cores != 1.8 || x.Total != 100 || x.Ratio.Value != 1 || x.Ratio.Mark != toleranceMost || x.Ratio.Verdict != "ok" {
		t.Errorf("undisturbed: %+v", x)
	}
	if r.Rows[oneCore].Ratio != nil || r.Rows[bothIntolerant].Ratio != nil {
		t.Error("a baseline has a ratio")
	}
	// half with both and half with one is 50 + 90
	if x := r.Rows[3]; x.Total != 147 || x.Ideal != 140 || x.Redone != 4.5 || math.Abs(x.Ratio.Value-1.05) > 1e-9 ||
		*x.Ratio.Low != *x.Ratio.High || math.Abs(x.Ratio.Mark-(1+5.5/140)) > 1e-9 || x.Ratio.Verdict != "short" {
		t.Errorf("one site lost: %+v", x)
	}
	if x := r.Rows[6]; x.Ideal != 100 || x.Ratio.Mark != leaveMost || x.Ratio.Verdict != "undecided" {
		t.Errorf("one site migrated, in less than can be: %+v", x)
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
