package gridsim

import (
	"slices"
	"time"

	"satingrid/steal"
)

// What the loop that owns a peer has to do takes time, and all that comes meanwhile
// waits, heartbeats too. The figures are those of one busy core; what matters is that
// they are not nothing.
const (
	eventTakes   = 5 * time.Microsecond // an event in the machine, if no option says more
	messageTakes = time.Microsecond     // a message encoded,
	// and each byte of it, as far as it goes with others on one stream: a longer message is
	// encoded where its own is written
	byteTakes = time.Nanosecond
)

// loop is the one goroutine that owns a host's peer.
type loop struct {
	free    time.Duration // when it will be done with what it has in hand
	waiting []turn        // what has come meanwhile, the oldest first …
	done    int           // … after so many that it has turned to
	spare   []*ticking    // room for ticks
}

type turn struct {
	tag uint64
	do  doable
}

// eventTakes is how long an event takes in the machine.
func (o *Options) eventTakes() time.Duration {
	if o.Event > 0 {
		return o.Event
	}
	return eventTakes
}

// takes lets the loop be busy for so much longer.
func (h *host) takes(d time.Duration) {
	if !h.w.opts.atOnce {
		h.loop.free = max(h.loop.free, h.w.now) + d
	}
}

// turn brings something to the loop in d from now, which does it when it has done
// all that came before.
func (h *host) turn(d time.Duration, tag uint64, do func()) {
	h.w.put(d, dueEvent{tag: tag + uint64(h.no), do: call(do), of: h, how: inTurn})
}

// takesUp has the loop do something now, or puts it to what waits.
func (h *host) takesUp(tag uint64, do doable) {
	if len(h.loop.waiting) == h.loop.done && h.loop.free <= h.w.now {
		do.happens()
		return
	}
	h.loop.waiting = append(h.loop.waiting, turn{tag, do})
	if len(h.loop.waiting) == h.loop.done+1 {
		h.next()
	}
}

// next lets the loop turn to what has waited longest, once it is free.
func (h *host) next() {
	h.w.put(h.loop.free-h.w.now, dueEvent{tag: h.loop.waiting[h.loop.done].tag, of: h, how: whenFree})
}

// takesWaiting has the loop do what has waited longest.
func (e dueEvent) takesWaiting() {
	h := e.of
	l := &h.loop
	first := l.waiting[l.done]
	l.waiting[l.done] = turn{}
	if l.done++; 2*l.done >= len(l.waiting) { // the room of those that are done is for others
		l.waiting, l.done = slices.Delete(l.waiting, 0, l.done), 0
	}
	first.do.happens()
	if len(l.waiting) > l.done {
		l.free = max(l.free, h.w.now)
		h.next()
	}
}

// weight is how long this host needs to decode the root: no two are equally fast.
func (h *host) weight() time.Duration {
	const half = 2
	return h.w.opts.Heavy/half + time.Duration(mix(uint64(h.no))%uint64(h.w.opts.Heavy+1))
}

// ticking is a tick that is to come, which its number tells from those that are void.
type ticking struct {
	h      *host
	number uint64
}

// ticksAt has the next tick come no later than at some time.
func (h *host) ticksAt(at time.Duration) {
	if at < h.tickAt {
		h.tickIn(max(at, h.w.now))
	}
}

func (h *host) tickIn(at time.Duration) {
	h.tickSeq++
	h.tickAt = at
	t := &ticking{h: h}
	if last := len(h.loop.spare) - 1; last >= 0 {
		t, h.loop.spare = h.loop.spare[last], h.loop.spare[:last]
	}
	t.number = h.tickSeq
	h.w.put(at-h.w.now, dueEvent{tag: tag("tick", 0) + uint64(h.no), do: t, of: h, how: inTurn})
}

// happens lets time pass for a host, unless another tick has taken the place of this one.
func (t *ticking) happens() {
	h := t.h
	h.loop.spare = append(h.loop.spare, t)
	if t.number == h.tickSeq {
		h.tickAt = steal.Never
		h.w.note(h, "ticks", 0, 0, 0)
		h.driver.Tick()
		h.ticksAt(h.driver.Deadline())
	}
}

// decodes lets a host decode a root beside its loop, so that nothing waits but those who need the
// value, for whom then is called.
func (h *host) decodes(number uint64, then func()) {
	switch {
	case h.w.opts.Heavy == 0:
		then()
	default:
		h.in(h.weight(), tag("decoded", number), then)
	}
}
