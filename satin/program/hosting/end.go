package hosting

import (
	"context"
	"math/rand/v2"
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

	// pauseMax is the longest pause. A pause does not go on while the machine sleeps, though
	// the time until the end does. One that has never answered is asked again as often.
	pauseMax = time.Minute
)

// Notice is when a node has to be gone, and why.
type Notice struct {
	At  time.Time // zero: never, as far as is known
	Why string    // for a person: "the time limit of …"
}

// String is it for a person, by the clock of this machine.
func (n Notice) String() string { return n.At.Local().Format(time.TimeOnly) + ": " + n.Why }

// AwaitEnd waits until a leave that may take so long has to begin, and says why. It is false when
// the context has ended before, and at once where nothing can end the node. Of whoever does not
// answer it says so, once.
func (p *Place) AwaitEnd(ctx context.Context, leave time.Duration, say func(string, ...any)) (Notice, bool) {
	if len(p.platforms) == 0 {
		return Notice{}, false
	}
	w := lookout{leave: leave, say: say, tell: p.Ends}
	for _, h := range p.platforms {
		w.hosts = append(w.hosts, &watched{platform: h})
	}
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
	hosts []*watched
	leave time.Duration
	say   func(string, ...any)
	tell  func(Notice)
	first Notice
	due   time.Time // when to leave, if there is an end: by the wall clock, as ends are
}

// watched is one who may end the node, and what is known of it.
type watched struct {
	platform
	last     Notice    // what it has said last
	answered time.Time // when that was; zero: it has not
	next     time.Time // when it is asked again, at the earliest
	missed   bool      // it has been said that it does not answer
}

// rests tells whether it is asked no more before it is due.
func (h *watched) rests() bool { return h.every() == 0 && !h.answered.IsZero() }

// look asks those who give notice, and who have not answered yet.
func (w *lookout) look(ctx context.Context) {
	for _, h := range w.hosts {
		if h.rests() || time.Now().Before(h.next) {
			continue
		}
		if err := h.ask(ctx); err != nil && ctx.Err() == nil {
			w.miss(h, err)
		}
	}
	w.decide()
}

// lookAgain asks those who give no notice.
func (w *lookout) lookAgain(ctx context.Context) {
	for _, h := range w.hosts {
		if h.every() == 0 {
			h.ask(ctx)
		}
	}
	w.decide()
}

// ask asks it. While it does not answer, what it has said last holds.
func (h *watched) ask(ctx context.Context) error {
	e, err := ask(ctx, h.notice)
	now := time.Now()
	if err == nil {
		h.last, h.answered = Notice{e.At.Round(0), e.Why}, now
	}
	h.next = now.Add(pauseMax)
	if every := h.every(); every > 0 {
		h.next = now.Add(every)
	}
	return err
}

// miss says, once, that one does not answer: at first, or for as long as several questions take.
func (w *lookout) miss(h *watched, err error) {
	if h.missed || time.Since(h.answered) < pauseMax {
		return
	}
	h.missed = true
	what := "spot notice"
	if h.every() == 0 {
		what = "time limit"
	}
	w.say("no %s will be heard of until %s answers, which is asked again and again: %v", what, h, err)
}

// decide finds out which end is the first, and when to leave.
func (w *lookout) decide() {
	var first Notice
	for _, h := range w.hosts {
		if e := h.last; !e.At.IsZero() && (first.At.IsZero() || e.At.Before(first.At)) {
			first = e
		}
	}
	if first.At.Equal(w.first.At) {
		return
	}
	if w.first = first; w.tell != nil {
		w.tell(first)
	}
	left := max(0, time.Until(first.At)-w.leave-inReserve)
	left -= time.Duration(rand.Float64() * float64(min(left/apartOf, apartMax)))
	w.due = time.Now().Round(0).Add(left)
}

func (w *lookout) isDue() bool { return !w.first.At.IsZero() && !time.Now().Before(w.due) }

// pause waits until somebody is to be asked, or it is time to leave, or for [pauseMax]. It is false
// when the context has ended.
func (w *lookout) pause(ctx context.Context) bool {
	rest := pauseMax
	if !w.first.At.IsZero() {
		rest = min(rest, time.Until(w.due))
	}
	for _, h := range w.hosts {
		if !h.rests() {
			rest = min(rest, time.Until(h.next))
		}
	}
	select {
	case <-time.After(rest):
		return true
	case <-ctx.Done():
		return false
	}
}
