package control

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// bubble is a clock by the time of a synctest bubble.
type bubble struct{ began time.Time }

func (b bubble) Now() time.Duration { return time.Since(b.began) }
func (bubble) Date() time.Time      { return time.Now() }
func (bubble) AfterFunc(after time.Duration, do func()) Timer {
	return time.AfterFunc(after, do)
}

// TestWaitsByItsClock: a wait ends when the clock says so, or with its context; a context that is
// given so long ends then, for that reason.
func TestWaitsByItsClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := bubble{time.Now()}
		sleep(t.Context(), c, 0)
		sleep(t.Context(), c, time.Second)
		if c.Now() != time.Second {
			t.Errorf("a second takes %v", c.Now())
		}
		ctx, stop := within(t.Context(), c, time.Second)
		defer stop()
		sleep(ctx, c, time.Hour)
		if c.Now() != 2*time.Second || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			t.Errorf("it is over at %v because of %v", c.Now(), context.Cause(ctx))
		}
		early, stop := within(t.Context(), c, time.Second)
		stop()
		time.Sleep(2 * time.Second) // of the bubble
		if err := context.Cause(early); !errors.Is(err, context.Canceled) {
			t.Errorf("what was over in time ended because of %v", err)
		}
	})
}

// stopped is a clock that stands.
type stopped struct{}

// never is a timer of such a clock.
type never struct{}

func (never) Reset(time.Duration) bool { return true }
func (never) Stop() bool               { return true }

func (stopped) Now() time.Duration                    { return time.Hour }
func (stopped) Date() time.Time                       { return time.Unix(0, 0) }
func (stopped) AfterFunc(time.Duration, func()) Timer { return never{} }
