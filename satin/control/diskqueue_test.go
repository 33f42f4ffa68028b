package control

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// heldDisk is a queue of a disk that does each thing when a test lets it, and notes what is said.
type heldDisk struct {
	queue diskQueue
	by    sync.WaitGroup
	let   chan struct{}

	mu   sync.Mutex
	said []string
}

func newHeldDisk() *heldDisk {
	d := &heldDisk{let: make(chan struct{})}
	d.queue = diskQueue{clock: bubble{time.Now()}, by: &d.by, hung: func() { d.say("hangs") }}
	return d
}

func (d *heldDisk) say(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = append(d.said, text)
}

// order gives the disk something to do, which it may give up or not.
func (d *heldDisk) order(name string, mayGiveUp bool) {
	o := &diskOrder{do: func() func() {
		<-d.let
		return func() { d.say(name) }
	}}
	if mayGiveUp {
		o.givenUp = func() { d.say(name + " given up") }
	}
	d.queue.give(o)
}

// expect has all goroutines wait, and sees what was said since.
func (d *heldDisk) expect(t *testing.T, about string, want ...string) {
	t.Helper()
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Equal(d.said, want) {
		t.Errorf("%s: said is %q, want %q", about, d.said, want)
	}
	d.said = nil
}

// TestADiskDoesOneThingAfterAnother, in the order in which they were given, each with its own time.
func TestADiskDoesOneThingAfterAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newHeldDisk()
		d.order("a", true)
		d.order("b", false)
		d.order("c", true)
		d.expect(t, "it is at a")
		for _, name := range []string{"a", "b", "c"} {
			time.Sleep(diskPatience - 1)
			d.let <- struct{}{}
			d.expect(t, "it answers just in time", name)
		}
		d.by.Wait()
		d.order("d", true)
		d.let <- struct{}{}
		d.expect(t, "after a rest", "d")
	})
}

// TestADiskThatNeverAnswers: what it was to do is given up, with what waits behind it and what
// comes; what cannot be is done when it answers again.
func TestADiskThatNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newHeldDisk()
		d.order("save", true)
		d.order("forget", false)
		d.order("recall", true)
		time.Sleep(diskPatience)
		d.expect(t, "its time is over", "hangs", "save given up", "recall given up")
		d.order("save 2", true)
		d.expect(t, "it still does not answer", "save 2 given up")
		d.order("forget 2", false)
		time.Sleep(time.Hour)
		d.expect(t, "nothing is said twice")
		d.let <- struct{}{}
		d.expect(t, "it answers: nobody waits for that")
		d.order("save 3", true)
		d.let <- struct{}{}
		d.let <- struct{}{}
		d.let <- struct{}{}
		d.expect(t, "all is as before", "forget", "forget 2", "save 3")
		d.by.Wait()
	})
}

// TestWhatCannotBeGivenUpIsSlow: it has the disk hang, too, and is over when it is done.
func TestWhatCannotBeGivenUpIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newHeldDisk()
		d.order("forget", false)
		d.order("save", true)
		time.Sleep(diskPatience)
		d.expect(t, "its time is over", "hangs", "save given up")
		d.let <- struct{}{}
		d.expect(t, "it is done", "forget")
		d.by.Wait()
	})
}

// TestWhatWaitsForADiskIsBounded, whether it can be given up or not.
func TestWhatWaitsForADiskIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newHeldDisk()
		var want []string
		for n := range diskOrdersMax {
			d.order(fmt.Sprint(n), n%2 == 0)
			want = append(want, fmt.Sprint(n))
		}
		d.order("one more", true)
		d.order("forget", false)
		d.expect(t, "there is no room", "one more given up")
		for range want {
			d.let <- struct{}{}
		}
		d.expect(t, "the rest is done", want...)
		d.by.Wait()
	})
}
