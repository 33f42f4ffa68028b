package satin

// Inside the package: it looks at what is kept of a run that is over.

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/effort"
)

// listener computes until its context ends, and then returns what it has so far.
type listener struct{ Depth int }

func (l listener) Run(s *Scope) (int, error) {
	if l.Depth > 0 {
		x := Spawn(s, listener{l.Depth - 1})
		y := Spawn(s, listener{l.Depth - 1})
		n, err := x.Wait(s)
		if err != nil {
			return -1, nil
		}
		m, err := y.Wait(s)
		if err != nil {
			return -1, nil
		}
		return n + m, nil
	}
	(*enough.Load())()
	<-s.Context().Done()
	return -1, nil
}

// ends the run's context; what is left of the run before may call it, too
var enough atomic.Pointer[func()]

// What a job returns because its context has ended is no result, even when nobody has told
// it anything else yet.
func TestEndedContextLeavesNoResult(t *testing.T) {
	p := openWorkers(t, 2, func(c *poolConfig) { c.recording = true; c.worth = 1; c.period = 100 * time.Microsecond })
	why := errors.New("enough")
	for range effort.Of(50, 300, 300) {
		ctx, cancel := context.WithCancelCause(context.Background())
		end := func() { cancel(why) }
		enough.Store(&end)
		if got, err := Run(ctx, p, listener{2}); !errors.Is(err, why) {
			t.Fatalf("got %d, %v from a run whose context has ended", got, err)
		}
		cancel(nil)
		if n := len(p.pool.fibers.parts()); n != 0 {
			t.Fatalf("%d parts of a run that is over", n)
		}
	}
}
