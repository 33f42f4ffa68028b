package control

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// TestADiskThatHangs: a process that ends waits for it as long as it may, or a little, and no
// longer; what follows is done when the disk has answered.
func TestADiskThatHangs(t *testing.T) {
	for about, c := range map[string]struct{ patience, takes, want time.Duration }{
		"at once":               {time.Minute, 0, 0},
		"in time":               {time.Minute, 50 * time.Second, 50 * time.Second},
		"too late":              {time.Minute, 2 * time.Minute, time.Minute},
		"the time is over":      {-time.Minute, time.Second, time.Second},
		"… and it takes longer": {-time.Minute, time.Hour, disksEndWithin},
	} {
		synctest.Test(t, func(t *testing.T) {
			clock, closed := bubble{time.Now()}, false
			var d disks
			d.Go(func() { time.Sleep(c.takes) })
			inTime := d.end(clock, c.patience, func() { closed = true })
			if at := clock.Now(); at != c.want || inTime != (c.takes == c.want) || inTime && !closed {
				t.Errorf("%s: it ends at %v, in time: %v", about, at, inTime)
			}
			time.Sleep(c.takes)
			if synctest.Wait(); !closed {
				t.Errorf("%s: what follows is never done", about)
			}
		})
	}
}

// TestLeaveWaitsForTheDisk: when it returns the process may end, and what was given to the disk
// last is there, or takes too long. Nobody waits for that twice.
func TestLeaveWaitsForTheDisk(t *testing.T) {
	for takes, want := range map[time.Duration]time.Duration{
		time.Second: time.Second, time.Hour: disksEndWithin,
	} {
		synctest.Test(t, func(t *testing.T) {
			clock := bubble{time.Now()}
			l := newLoop(Config{Clock: clock, Log: slog.New(slog.DiscardHandler)})
			l.disks.Go(func() { time.Sleep(takes) })
			l.cancel(ErrLeft)
			close(l.over)
			if err := l.Leave(t.Context()); err != nil || clock.Now() != want {
				t.Errorf("a disk that takes %v: it has left at %v: %v", takes, clock.Now(), err)
			}
			if l.Stop(nil); clock.Now() != want {
				t.Errorf("a disk that takes %v: it has ended at %v", takes, clock.Now())
			}
			time.Sleep(takes)
			synctest.Wait()
		})
	}
}
