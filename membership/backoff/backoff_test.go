package backoff

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// row is the next n waits.
func row(b *Backoff, n int) (all []time.Duration) {
	for range n {
		all = append(all, b.Next())
	}
	return all
}

// Each wait is twice as long as the one before, up to the bound, and then they stay.
func TestWaitsGrow(t *testing.T) {
	for _, c := range []struct {
		first, most time.Duration
		want        []time.Duration
	}{
		{100 * ms, 800 * ms, []time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms, 800 * ms, 800 * ms}},
		{300 * ms, time.Second, []time.Duration{300 * ms, 600 * ms, time.Second, time.Second}},
		{3, 7, []time.Duration{3, 6, 7, 7}},
		// it is big
		{5 * time.Second, time.Second, []time.Duration{5 * time.Second, 5 * time.Second}},
		{0, 0, []time.Duration{0, 0, 0}},
	} {
		b := New(c.first, c.most)
		if got := row(&b, len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("from %v to %v: %v", c.first, c.most, got)
		}
		for n, want := range c.want {
			if got := New(c.first, c.most).After(n); got != want {
				t.Errorf("from %v to %v, after %d: %v", c.first, c.most, n, got)
			}
		}
	}
}

// With hope it begins anew, and when nothing is urgent it waits for as long as it ever does.
func TestWaitsBeginAnew(t *testing.T) {
	b := New(100*ms, 800*ms)
	row(&b, 3)
	if b.Reset(); !slices.Equal(row(&b, 2), []time.Duration{100 * ms, 200 * ms}) {
		t.Error("it does not begin anew")
	}
	if b.Longest() != 800*ms || b.Next() != 800*ms {
		t.Error("the longest is not the longest")
	}
	b.Reset()
	b.Bound(150 * ms)
	if got := row(&b, 3); !slices.Equal(got, []time.Duration{100 * ms, 150 * ms, 150 * ms}) {
		t.Errorf("with another bound: %v", got)
	}
	b.Bound(800 * ms)
	if b.Next() != 300*ms {
		t.Error("it does not go on from where it was")
	}
}

// Where there is no bound the waits stay numbers, however many there are.
func TestWaitsDoNotOverflow(t *testing.T) {
	b := New(time.Second, math.MaxInt64)
	last := time.Duration(0)
	for n := range 100 {
		next := b.Next()
		if next < last || next != New(time.Second, math.MaxInt64).After(n) {
			t.Fatalf("wait %d is %v, after %v", n, next, last)
		}
		last = next
	}
	if last != math.MaxInt64 {
		t.Errorf("at last it waits for %v", last)
	}
	for range 10 { // and After costs no more than the waits that differ
		New(ms, time.Hour).After(math.MaxInt)
	}
}

// What is drawn is at least half as long, and never longer.
func TestScatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	least, most := time.Hour, time.Duration(0)
	for range 1000 {
		d := Scatter(100*ms, rng)
		least, most = min(least, d), max(most, d)
	}
	if least < 50*ms || least > 52*ms || most > 100*ms || most < 98*ms {
		t.Errorf("drawn from %v to %v", least, most)
	}
	if Scatter(0, rng) != 0 {
		t.Error("no wait is drawn as one")
	}
}
