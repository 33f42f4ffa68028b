package gridsim

import "time"

// stillMax is how many events may happen in one moment.
const stillMax = 10_000

// timeline is virtual time, and what will happen in it.
type timeline struct {
	now    time.Duration
	queue  queue
	seq    uint64
	events uint64 // that have happened
	still  int    // of these, since time has passed
}

// after lets something happen in d from now.
func (t *timeline) after(d time.Duration, do func()) { t.tagged(d, 0, do) }

// tagged is after with a number that tells what it is, for the sum of a state.
func (t *timeline) tagged(d time.Duration, tag uint64, do func()) {
	t.put(d, dueEvent{tag: tag, do: call(do)})
}

// put lets an event happen in d from now.
func (t *timeline) put(d time.Duration, e dueEvent) {
	t.seq++
	e.at, e.seq = t.now+d, t.seq
	t.queue.push(e)
}

// tag names what will happen.
func tag(what string, number uint64) uint64 {
	return mix(number<<16^uint64(len(what))<<8^uint64(what[0])) << 8
}

// next lets time pass until the next event, which the caller is to do, and tells whether too many
// have happened in this moment.
func (t *timeline) next() (e dueEvent, stands bool) {
	e = t.queue.pop()
	if t.still++; e.at > t.now {
		t.still = 0
	}
	t.now = e.at
	t.events++
	return e, t.still > stillMax
}
