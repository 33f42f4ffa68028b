package satin_test

import (
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
)

// lasting has children that compute until the test lets go, and spawn now and then.
type lasting struct{ Width int }

var (
	lastingOn    atomic.Bool
	lastingTurns atomic.Int64
)

func (e lasting) Run(s *satin.Scope) (int, error) {
	if e.Width > 0 {
		_, err := satin.All(s, make([]lasting, e.Width))
		return 0, err
	}
	for lastingOn.Load() {
		x := satin.Spawn(s, fibTask{12})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
		lastingTurns.Add(1)
	}
	return 0, nil
}

// TestAYoungRunHasItsTurn: a run that goes on for ever has all workers, and short ones
// come and go beside it.
func TestAYoungRunHasItsTurn(t *testing.T) {
	for _, workers := range []int{1, 2} {
		p := alone(t, workers)
		lastingOn.Store(true)
		lastingTurns.Store(0)
		old, err := satin.Submit(t.Context(), p, lasting{4})
		if err != nil {
			t.Fatal(err)
		}
		await.Until(t, "the old run has begun", func() bool { return lastingTurns.Load() > 0 })
		for range 5 {
			young, err := satin.Submit(t.Context(), p, fibTask{22})
			if err != nil {
				t.Fatal(err)
			}
			select {
			case <-young.Done():
			case <-time.After(await.Patience):
				t.Fatalf("%d workers: a run of milliseconds waits behind an endless one", workers)
			}
			if _, err := young.Wait(); err != nil {
				t.Fatal(err)
			}
		}
		had := lastingTurns.Load()
		await.Until(t, "the old run goes on", func() bool { return lastingTurns.Load() > had })
		lastingOn.Store(false)
		if _, err := old.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}
