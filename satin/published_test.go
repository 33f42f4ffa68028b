package satin

// Inside the package: a job asks itself for work, as a thief does that is gone again.

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// nest ends a subtree in whose course thieves were answered, and only then spawns its biggest job.
type nest struct{ Rounds int }

// inner publishes a child and takes it back, so that its own return is a plain one.
type inner struct{ N int }

// banner says that somebody else runs it.
type banner struct{}

var raisedBanner atomic.Bool

func (banner) Run(*Scope) (int, error) {
	raisedBanner.Store(true)
	return 1, nil
}

func (in inner) Run(s *Scope) (int, error) {
	a := Spawn(s, unit{1})
	b := Spawn(s, unit{2})
	s.trip(tripAsk) // as a thief does that is gone again when the answer comes
	s.serve()
	n, err := b.Wait(s)
	if err != nil {
		return 0, err
	}
	m, err := a.Wait(s)
	return n + m, err
}

func (q nest) Run(s *Scope) (int, error) {
	sum := 0
	for range q.Rounds {
		x := Spawn(s, inner{})
		n, err := x.Wait(s)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	f := Spawn(s, banner{})
	// This job goes on computing; the other worker is idle and must get the banner.
	for end := time.Now().Add(5 * time.Second); !raisedBanner.Load() && time.Now().Before(end); {
		x := Spawn(s, unit{0})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	if !raisedBanner.Load() {
		return -1, nil
	}
	n, err := f.Wait(s)
	return sum + n, err
}

func TestOldestJobIsPublishedAfterPlainReturns(t *testing.T) {
	p := openWorkers(t, 2)
	raisedBanner.Store(false)
	if got, err := Run(context.Background(), p, nest{3}); err != nil || got != 10 {
		t.Fatalf("got %d, %v, want 10: an idle worker never got the oldest job", got, err)
	}
}
