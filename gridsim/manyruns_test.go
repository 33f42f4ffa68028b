package gridsim

import (
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestManyRunsASecond: five runs a second end, more than anybody remembers, so that none has all
// tombstones and each has forgotten others. What peers tell each other of that does not grow, and
// soon after the last run has ended they tell each other nothing of it any more.
func TestManyRunsASecond(t *testing.T) {
	t.Parallel()
	if slower > 1 {
		t.Skip("too slow with the race detector, and has nothing for it: one goroutine")
	}
	o := quiet(&Tree{Seed: 1, Depth: 1, Width: 2, Leaf: time.Millisecond}, 20*time.Millisecond, steal.CRS, 2, 1)
	snapshots := 0
	w := newWorld(o)
	w.net.spoil = func(m *peer.Message) bool {
		if _, is := m.Body.(peer.Snapshot); is {
			snapshots++
		}
		return true
	}
	w.who.asker = w.populate()
	answers := 0
	w.hear = func(peer.Deliver) { answers++ }
	const every, lasts = 200 * time.Millisecond, 20 * time.Minute
	var submit func()
	submit = func() {
		if w.now < lasts {
			w.submit(w.who.asker)
			w.after(every, submit)
		}
	}
	w.after(o.begin(), submit)
	told := map[time.Duration]int{}
	for _, at := range []time.Duration{5 * time.Minute, 6 * time.Minute, lasts - time.Minute, lasts, lasts + 10*time.Second} {
		w.play(at, func() bool { return false })
		told[at] = snapshots
	}
	far := w.report.BytesFar
	w.play(lasts+70*time.Second, func() bool { return false })
	early, late := told[6*time.Minute]-told[5*time.Minute], told[lasts]-told[lasts-time.Minute]
	idle, bytes := snapshots-told[lasts+10*time.Second], (w.report.BytesFar-far)/60/3
	t.Logf("%d runs answered; snapshots a minute: %d early, %d late, %d idle; then %d bytes a second and peer between sites", answers, early, late, idle, bytes)
	if w.err != nil {
		t.Fatal(w.err)
	}
	if least := int((lasts - o.begin()) / every * 9 / 10); answers < least || answers <= peer.EndedMax {
		t.Errorf("%d runs were answered, %d at least should have been", answers, least)
	}
	if late > 2*early+8 || idle > 8 || bytes > 5000 {
		t.Error("peers tell each other more and more, or do not stop")
	}
}
