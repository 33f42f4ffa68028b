package hosting

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

const (
	// inReserve is how much earlier than it must a node leaves, beside the time that its leave
	// may take: clocks differ, and a process takes a moment to end.
	inReserve = 3 * time.Second

	// Those that end together leave at times apart: each earlier by a moment of its own, of up
	// to this part of the time that is left when the end is learnt.
	apartOf  = 20
	apartMax = 30 * time.Second
)

// Notice is when a node has to be gone, and why.
type Notice struct {
	At  time.Time // zero: never, as far as is known
	Why string    // for a person: "the time limit of …"
}

// AwaitEnd waits until a leave that may take so long has to begin, and says why. It is false when
// the context has ended before, and at once where nothing can end the node.
func (p *Place) AwaitEnd(ctx context.Context, leave time.Duration) (Notice, bool) {
	if len(p.hosts) == 0 {
		return Notice{}, false
	}
	w := lookout{hosts: p.hosts, last: make([]Notice, len(p.hosts)), leave: leave}
	for {
		if w.look(ctx); w.isDue() {
			w.lookAgain(ctx) // it may have been put off
		}
		if w.isDue() {
			return w.first, true
		}
		if !w.pause(ctx) {
			return Notice{}, false
		}
	}
}

// lookout is one who waits for the first end.
type lookout struct {
	hosts []host
	last  []Notice // what each has said last
	asked bool     // those who are asked only once have been
	leave time.Duration
	first Notice
	due   time.Time // when to leave, if there is an end
}

// look asks those who give notice, and at the start everybody.
func (w *lookout) look(ctx context.Context) {
	for n, h := range w.hosts {
		if !w.asked || h.every() > 0 {
			w.ask(ctx, n)
		}
	}
	w.asked = true
	w.decide()
}

// lookAgain asks those who give no notice.
func (w *lookout) lookAgain(ctx context.Context) {
	for n, h := range w.hosts {
		if h.every() == 0 {
			w.ask(ctx, n)
		}
	}
	w.decide()
}

// ask asks one. Of one that does not answer what it has said last holds.
func (w *lookout) ask(ctx context.Context, n int) {
	if e, err := ask(ctx, w.hosts[n].notice); err == nil {
		w.last[n] = e
	}
}

// decide finds out which end is the first, and when to leave.
func (w *lookout) decide() {
	var first Notice
	for _, e := range w.last {
		if !e.At.IsZero() && (first.At.IsZero() || e.At.Before(first.At)) {
			first = e
		}
	}
	if first.At.Equal(w.first.At) {
		return
	}
	w.first = first
	left := max(0, time.Until(first.At)-w.leave-inReserve)
	left -= time.Duration(rand.Float64() * float64(min(left/apartOf, apartMax)))
	w.due = time.Now().Add(left)
}

func (w *lookout) isDue() bool { return !w.first.At.IsZero() && !time.Now().Before(w.due) }

// pause waits until somebody is to be asked, or it is time to leave. It is false when the context
// has ended.
func (w *lookout) pause(ctx context.Context) bool {
	var wake []time.Duration
	if !w.first.At.IsZero() {
		wake = append(wake, time.Until(w.due))
	}
	for _, h := range w.hosts {
		if h.every() > 0 {
			wake = append(wake, h.every())
		}
	}
	var at <-chan time.Time // never
	if len(wake) > 0 {
		at = time.After(slices.Min(wake))
	}
	select {
	case <-at:
		return true
	case <-ctx.Done():
		return false
	}
}
