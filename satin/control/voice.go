package control

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// saidMax bounds what waits to be said: what is beyond is missed, and that is said.
	saidMax = 4096
	// sayPatience is how long Stop waits for what listens.
	sayPatience = time.Second
)

// voice tells the program's Events and its log what happens, one after the other, on a goroutine of
// its own. Both are the program's code, or end at a pipe that nobody may read: whoever has
// something to say, the loop before all, does not wait for them.
type voice struct {
	queue  chan func()
	once   sync.Once
	quit   chan struct{} // closed by end
	over   chan struct{} // closed when the goroutine is
	missed atomic.Int64
	log    *slog.Logger // the program's own
	clock  Clock
}

// newVoice starts a voice. It belongs to whoever calls end.
func newVoice(log *slog.Logger, clock Clock) *voice {
	v := &voice{
		queue: make(chan func(), saidMax), quit: make(chan struct{}), over: make(chan struct{}),
		log: log, clock: clock,
	}
	go v.speak()
	return v
}

// say has something said, and never waits.
func (v *voice) say(what func()) {
	select {
	case v.queue <- what:
	default:
		v.missed.Add(1)
	}
}

// speak says what there is to say, in order, until end, and then what is left.
func (v *voice) speak() {
	defer close(v.over)
	for {
		select {
		case what := <-v.queue:
			v.utter(what)
		case <-v.quit:
			for {
				select {
				case what := <-v.queue:
					v.utter(what)
				default:
					return
				}
			}
		}
	}
}

// utter says one thing. What listens may panic: it is no job, and fails no run.
func (v *voice) utter(what func()) {
	defer func() {
		if r := recover(); r != nil {
			func() {
				defer func() { _ = recover() }() // the log may be what panics
				v.log.Error("what listens to a peer's events or log panics", "panic", fmt.Sprint(r))
			}()
		}
	}()
	if n := v.missed.Swap(0); n > 0 {
		v.log.Warn("what listens to a peer's events or log takes too long, and has missed some", "missed", n)
	}
	what()
}

// end has what is left said, and returns when it was, or when what listens has had its time.
func (v *voice) end() {
	v.once.Do(func() { close(v.quit) })
	waits, stop := within(context.Background(), v.clock, sayPatience)
	defer stop()
	select {
	case <-v.over:
	case <-waits.Done():
	}
}

// logger is a log whose lines are written by the voice.
func (v *voice) logger() *slog.Logger { return slog.New(spoken{v.log.Handler(), v}) }

// spoken is a handler whose records are handled by a voice.
type spoken struct {
	slog.Handler
	by *voice
}

// Enabled leaves it to the voice to ask the handler, which is the program's code.
func (s spoken) Enabled(context.Context, slog.Level) bool { return true }

func (s spoken) Handle(_ context.Context, r slog.Record) error {
	r = r.Clone()
	s.by.say(func() {
		// the record's own may end, or hold much, before this is said
		if ctx := context.Background(); s.Handler.Enabled(ctx, r.Level) {
			_ = s.Handler.Handle(ctx, r)
		}
	})
	return nil
}

func (s spoken) WithAttrs(attrs []slog.Attr) slog.Handler {
	return spoken{s.Handler.WithAttrs(attrs), s.by}
}

func (s spoken) WithGroup(name string) slog.Handler { return spoken{s.Handler.WithGroup(name), s.by} }
