package forecast_test

import (
	"fmt"
	"math"
	"math/rand/v2"
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
	fmt.Println(left, ok, left.Likely.Round(time.Second))
	left, ok = forecast.Glance(time.Hour, 0.5)
	fmt.Println(left, ok)
	// Output:
	// 1 to 5 min left true 3m0s
	// 18 min to 4 h left true
}

func TestWords(t *testing.T) {
	for want, l := range map[string]forecast.Interval{
		"under 1 s":      {Most: time.Second / 2},
		"1 to 3 s":       {Least: 1900 * time.Millisecond, Most: 2100 * time.Millisecond},
		"30 to 100 min":  {Least: 30*time.Minute + 1, Most: 100 * time.Minute},
		"33 min to 10 h": {Least: 33*time.Minute + 1, Most: 10 * time.Hour},
		"9 s to 3 min":   {Least: 9900 * time.Millisecond, Most: 121 * time.Second},
		"0 to 3 min":     {Least: 900 * time.Millisecond, Most: 121 * time.Second},
		"1 to 3 h":       {Least: 100 * time.Minute, Most: 121 * time.Minute},
		"2 to 9 days":    {Least: 50 * time.Hour, Most: 200 * time.Hour},
	} {
		if got := l.Words(); got != want {
			t.Errorf("%v to %v: %q, not %q", l.Least, l.Most, got, want)
		}
		if got, want := l.Brief(), strings.Replace(want, " to ", "-", 1); got != want {
			t.Errorf("%v to %v, briefly: %q, not %q", l.Least, l.Most, got, want)
		}
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// TestIntervalHoldsItsPoint, whatever is seen.
func TestIntervalHoldsItsPoint(t *testing.T) {
	for seed := range uint64(50) {
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

// TestGuessesThatSayTooMuch: a run that prunes the more the longer it searches says again and again
// that more is left than is. The interval is learned to reach down to what is, which it does not
// where guesses have said as much too little.
func TestGuessesThatSayTooMuch(t *testing.T) {
	down := func(share func(done float64) float64) float64 {
		var f forecast.Forecast
		for second := 1; second <= 100; second++ {
			f.See(seconds(float64(second)), share(float64(second)/200), float64(second))
		}
		left, ok := f.Work()
		if truth := seconds(100); !ok || left.Least > truth || left.Most < truth {
			t.Errorf("%+v, %v: %v are left", left, ok, truth)
		}
		return float64(left.Likely) / float64(left.Least)
	}
	tooMuch := down(func(done float64) float64 { return done * done })
	if tooLittle := down(math.Sqrt); tooMuch < 1.3*tooLittle {
		t.Errorf("the interval reaches down %.2f times, and %.2f where guesses have said too little", tooMuch, tooLittle)
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

// TestBusyFromNothing: a peer that is started again counts what it has spent from nothing, which is
// not what the run has spent.
func TestBusyFromNothing(t *testing.T) {
	var f forecast.Forecast
	for second := 1; second <= 100; second++ {
		work := float64(second)
		if second > 50 {
			work -= 40 // of the peer that began anew
		}
		f.See(seconds(float64(second)), float64(second)/400, work)
	}
	left, ok := f.Work()
	if truth := seconds(300); !ok || left.Likely < truth*95/100 || left.Likely > truth*105/100 {
		t.Errorf("%+v, %v: %v are left", left, ok, truth)
	}
}
