package gridsim

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestTimePasses: what is to happen at one time happens in the order in which it was arranged, and
// what is arranged later for an earlier time comes first.
func TestTimePasses(t *testing.T) {
	var line timeline
	var did []int
	does := func(n int) func() { return func() { did = append(did, n) } }
	line.after(2*time.Second, does(3))
	line.after(2*time.Second, does(4))
	line.after(time.Second, does(1))
	line.tagged(time.Second, 7, does(2))
	for len(line.queue) > 0 {
		e, stands := line.next()
		if e.do.happens(); stands {
			t.Error("time is said to stand still")
		}
	}
	if !slices.Equal(did, []int{1, 2, 3, 4}) || line.now != 2*time.Second || line.events != 4 {
		t.Errorf("did %v, it is %v, after %d events", did, line.now, line.events)
	}
}

// TestTimeThatStandsStill is noticed, and no more when it passes again.
func TestTimeThatStandsStill(t *testing.T) {
	var line timeline
	for range stillMax {
		line.after(0, nil)
		if _, stands := line.next(); stands {
			t.Fatal("so many events may happen in a moment")
		}
	}
	line.after(0, nil)
	if _, stands := line.next(); !stands {
		t.Error("it is not noticed that time stands still")
	}
	line.after(1, nil)
	if _, stands := line.next(); stands {
		t.Error("it passes, and is said to stand still")
	}
}

// TestEventsOfAProcess: its loop does one thing after another, and what is beside the loop does not
// wait for it; a process that is stopped does nothing before it goes on, and a dead one nothing.
func TestEventsOfAProcess(t *testing.T) {
	w := newWorld(Options{})
	h := &host{w: w, up: true}
	var did []string
	does := func(what string, takes time.Duration) func() {
		return func() {
			did = append(did, fmt.Sprint(what, " at ", w.now))
			h.takes(takes)
		}
	}
	plays := func(until time.Duration) {
		for len(w.queue) > 0 && w.queue[0].at <= until {
			w.step()
		}
	}
	h.turn(time.Second, 1, does("a", 3*time.Second))
	h.turn(2*time.Second, 2, does("b", time.Second))
	h.turn(3*time.Second, 3, does("c", 0))
	h.in(2*time.Second, 4, does("beside", 0))
	plays(9 * time.Second)
	h.asleep = 20 * time.Second
	h.turn(time.Second, 5, does("late", 0))
	plays(30 * time.Second)
	h.turn(time.Second, 6, does("dead", 0))
	h.up = false
	plays(time.Hour)
	if want := []string{"a at 1s", "beside at 2s", "b at 4s", "c at 5s", "late at 20s"}; !slices.Equal(did, want) {
		t.Errorf("it did %v", did)
	}
}
