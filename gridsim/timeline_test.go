package gridsim

import (
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
		if e.do(); stands {
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
