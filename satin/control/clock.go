package control

import (
	"context"
	"time"
)

// Clock is where a loop has its time from, and all that is done beside it.
type Clock interface {
	Now() time.Duration // since some beginning; it never goes backwards
	Date() time.Time    // by the calendar, for what is kept for the next start
	// AfterFunc calls do on a goroutine of its own, after a while.
	AfterFunc(after time.Duration, do func()) Timer
}

// Timer is a call to come.
type Timer interface {
	Reset(after time.Duration) bool
	Stop() bool
}

// sleep waits by a clock, or until ctx ends.
func sleep(ctx context.Context, c Clock, d time.Duration) {
	if d <= 0 {
		return
	}
	over := make(chan struct{})
	defer c.AfterFunc(d, func() { close(over) }).Stop()
	select {
	case <-over:
	case <-ctx.Done():
	}
}

// within is a context that ends after a while by a clock, because of context.DeadlineExceeded.
func within(ctx context.Context, c Clock, d time.Duration) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := c.AfterFunc(d, func() { cancel(context.DeadlineExceeded) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}
