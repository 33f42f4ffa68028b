package satin_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"satingrid/satin/await"

	"satingrid/satin"
)

// underWay waits until each worker has an endless job.
func underWay(t *testing.T, workers int) {
	t.Helper()
	await.Until(t, "all workers compute", func() bool { return endlessBegun.Load() >= int64(workers) })
}

func TestCancelStopsEveryJob(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 3} {
		p := alone(t, workers)
		for range 10 {
			ctx, cancel := context.WithCancelCause(context.Background())
			endlessBegun.Store(0)
			sub, err := satin.Submit(ctx, p, endless{5})
			if err != nil {
				t.Fatal(err)
			}
			underWay(t, workers)
			why := errors.New("enough")
			cancel(why)
			if got, err := sub.Wait(); !errors.Is(err, why) {
				t.Fatalf("a cancelled run came to %d, %v", got, err)
			}
			if got, err := satin.Run(context.Background(), p, fibTask{18}); err != nil || got != 2584 {
				t.Fatalf("the run after it: %d, %v", got, err)
			}
		}
		p.Close()
		if _, err := satin.Run(context.Background(), p, fibTask{3}); !errors.Is(err, satin.ErrClosed) {
			t.Errorf("a run on a closed peer: %v", err)
		}
	}
	if !await.Comes(func() bool { return runtime.NumGoroutine() <= before }) {
		t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
	}
}

func TestCloseDuringRuns(t *testing.T) {
	p := alone(t, 2)
	endlessBegun.Store(0)
	var subs []*satin.Submission[int]
	for range 5 {
		sub, err := satin.Submit(context.Background(), p, endless{4})
		if err != nil {
			t.Fatal(err)
		}
		subs = append(subs, sub)
	}
	underWay(t, 2)
	p.Close()
	for _, sub := range subs {
		if _, err := sub.Wait(); !errors.Is(err, satin.ErrClosed) {
			t.Errorf("a run of a closed peer ended with %v", err)
		}
	}
}
