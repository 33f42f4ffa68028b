package forecast_test

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"satingrid/satin/forecast"
)

func Example() {
	var f forecast.Forecast
	for second := 1; second <= 60; second++ { // two workers, and a run of four minutes
		f.See(time.Duration(second)*time.Second, float64(second)/240, float64(2*second))
	}
	left, ok := f.Left()
	fmt.Println(left, ok, left.Likely)
	left, ok = forecast.Glance(time.Hour, 0.5)
	fmt.Println(left, ok)
	// Output:
	// 2 to 5 min left true 3m0s
	// 0 to 7 h left true
}

func TestWords(t *testing.T) {
	for want, l := range map[string]forecast.Interval{
		"under 1 s":     {Most: time.Second / 2},
		"1 to 3 s":      {Least: 1900 * time.Millisecond, Most: 2100 * time.Millisecond},
		"30 to 100 min": {Least: 30*time.Minute + 1, Most: 100 * time.Minute},
		"1 to 3 h":      {Least: 100 * time.Minute, Most: 121 * time.Minute},
		"2 to 9 days":   {Least: 50 * time.Hour, Most: 200 * time.Hour},
	} {
		if got := l.Words(); got != want {
			t.Errorf("%v to %v: %q, not %q", l.Least, l.Most, got, want)
		}
		if got, want := l.Brief(), strings.Replace(want, " to ", "-", 1); got != want {
			t.Errorf("%v to %v, briefly: %q, not %q", l.Least, l.Most, got, want)
		}
	}
}

// record is a recorded run: when, what work, which share, and at last its end.
type record struct {
	name string
	rows [][3]float64
}

func records(t *testing.T) (all []record) {
	files, err := filepath.Glob("testdata/*.series")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d records: %v", len(files), err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		r := record{name: strings.TrimSuffix(filepath.Base(name), ".series")}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var x [3]float64
			if _, err := fmt.Sscan(lines.Text(), &x[0], &x[1], &x[2]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			r.rows = append(r.rows, x)
		}
		all = append(all, r)
	}
	return all
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// TestRecordedRuns: after the first tenth of recorded runs, the truth is in the interval four times
// out of five, and seldom nothing is said.
func TestRecordedRuns(t *testing.T) {
	inside, said, all := 0.0, 0.0, 0.0
	for _, r := range records(t) {
		var f forecast.Forecast
		end := r.rows[len(r.rows)-1]
		in, told, n := 0, 0, 0
		for _, x := range r.rows[:len(r.rows)-1] {
			f.See(seconds(x[0]), x[2], x[1])
			if x[1] < end[1]/10 {
				continue
			}
			n++
			left, ok := f.Left()
			if !ok {
				continue
			}
			told++
			if truth := seconds(end[0] - x[0]); left.Least <= truth && truth <= left.Most {
				in++
			}
		}
		t.Logf("%-10s %3d samples: %3d said, %3d inside", r.name, n, told, in)
		inside += float64(in) / float64(max(told, 1))
		said += float64(told) / float64(max(n, 1))
		all++
	}
	if inside/all < 0.75 || said/all < 0.8 {
		t.Errorf("%.0f %% inside, %.0f %% said", 100*inside/all, 100*said/all)
	}
}

// TestIntervalHoldsItsPoint, whatever is seen.
func TestIntervalHoldsItsPoint(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 15))
		var f forecast.Forecast
		at, work := 0.0, 0.0
		for range 700 {
			at += r.Float64() - 0.1
			work += 3 * (r.Float64() - 0.1)
			f.See(seconds(at), []float64{0, 1, math.NaN(), r.Float64()}[r.IntN(4)], work)
			if l, ok := f.Left(); ok && !(0 <= l.Least && l.Least <= l.Likely && l.Likely <= l.Most) {
				t.Fatalf("seed %d: %+v", seed, l)
			}
		}
	}
}

// TestSteadyRunsConverge: of a run that goes on evenly the interval is narrow, and what was seen of
// another speed before does not matter.
func TestSteadyRunsConverge(t *testing.T) {
	var f forecast.Forecast
	work := 0.0
	for tick := 1; tick <= 500; tick++ {
		workers := 8.0
		if tick > 300 {
			workers = 2 // the others are gone
		}
		work += workers / 5
		f.See(seconds(float64(tick)/5), work/1000, work)
	}
	left, ok := f.Left()
	truth := seconds((1000 - work) / 2)
	if !ok || left.Likely < truth*99/100 || left.Likely > truth*101/100 || left.Most > 3*left.Least {
		t.Errorf("%+v, %v: %v are left", left, ok, truth)
	}
}

func TestNothingIsKnown(t *testing.T) {
	var f forecast.Forecast
	if l, ok := f.Left(); ok {
		t.Errorf("of a run that nobody has seen: %v", l)
	}
	for second := range 100 { // all jobs that are known are done, and it goes on
		f.See(seconds(float64(second+1)), 1, float64(second+1))
	}
	if l, ok := f.Left(); ok {
		t.Errorf("of a run that never said how far it is: %v", l)
	}
	for _, share := range []float64{0, 1} {
		if l, ok := forecast.Glance(time.Hour, share); ok {
			t.Errorf("at a glance, of %v: %v", share, l)
		}
	}
}
