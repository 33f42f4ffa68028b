package satin_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
)

// search looks for a leaf with a property among subtrees of which most never end by themselves.
type search struct{ N int }

type probe struct{ I, N int }

func (p probe) Run(s *satin.Scope) (int, error) {
	if p.I == p.N/2 {
		x := satin.Spawn(s, fibTask{15})
		_, err := x.Wait(s)
		return p.I, err
	}
	return endless{3}.Run(s)
}

func (q search) Run(s *satin.Scope) (int, error) {
	keep := satin.Spawn(s, fibTask{16})
	var tasks []probe
	for i := range q.N {
		tasks = append(tasks, probe{i, q.N})
	}
	n, err := satin.First(s, tasks, func(i int) bool { return i == q.N/2 })
	if err != nil {
		return 0, err
	}
	m, err := keep.Wait(s)
	return 1000*n + m, err
}

func TestFirstGivesUpTheOthers(t *testing.T) {
	// One worker would run the endless ones for ever: it takes a second to find the answer.
	for _, workers := range []int{3, 4} {
		p := alone(t, workers)
		for range 10 {
			if got, err := satin.Run(context.Background(), p, search{2}); err != nil || got != 1987 {
				t.Fatalf("got %d, %v", got, err)
			}
		}
	}
}

type noneOf struct{ Fail bool }

func (q noneOf) Run(s *satin.Scope) (int, error) {
	return satin.First(s, []bomb{{2, "error", q.Fail}, {3, "error", false}}, func(int) bool { return false })
}

func TestFirstWithNothingAccepted(t *testing.T) {
	p := alone(t, 2)
	if _, err := satin.Run(context.Background(), p, noneOf{}); !errors.Is(err, satin.ErrNone) {
		t.Errorf("error %v, want ErrNone", err)
	}
	if _, err := satin.Run(context.Background(), p, noneOf{true}); !errors.Is(err, errPlanned) {
		t.Errorf("error %v, want the task's", err)
	}
}

type listing struct{ N, BadAt int }

func (l listing) Run(s *satin.Scope) (int, error) {
	sum, next := 0, 0
	err := satin.Each(s, l.N, func(i int) bomb { return bomb{3, "error", i == l.BadAt} }, func(i int, r int) {
		if i != next {
			panic("results came out of order")
		}
		next++
		sum += r
	})
	return sum, err
}

func TestEach(t *testing.T) {
	p := alone(t, 2)
	if got, err := satin.Run(context.Background(), p, listing{100, -1}); err != nil || got != 800 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := satin.Run(context.Background(), p, listing{100, 50}); !errors.Is(err, errPlanned) {
		t.Errorf("error %v", err)
	}
}

// racing has a child that is not accepted, one that is, and between them some that never end. All
// but the first are taken by thieves.
type racing struct{ N int }

type runner struct{ I, N int }

var away, refused, stuckNow atomic.Int64

func (r runner) Run(s *satin.Scope) (int, error) {
	switch r.I {
	case 0: // runs in First, until all the others run elsewhere
		for away.Load() < int64(r.N-1) {
			y := satin.Spawn(s, unit{0}) // gives the wire a chance
			if _, err := y.Wait(s); err != nil {
				return 0, err
			}
		}
		refused.Store(1)
		return 0, nil
	case r.N - 1:
		away.Add(1)
		satin.ComputesUntil(s, func() bool { return refused.Load() != 0 })
		satin.Computes(time.Millisecond) // by now First waits for the second child
		return r.I, nil
	}
	away.Add(1)
	stuckNow.Add(1)
	defer stuckNow.Add(-1)
	satin.ComputesUntil(s, satin.Never)
	return 13, nil
}

func (q racing) Run(s *satin.Scope) (int, error) {
	var tasks []runner
	for i := range q.N {
		tasks = append(tasks, runner{i, q.N})
	}
	return satin.First(s, tasks, func(i int) bool { return i == q.N-1 })
}

func TestFirstDoesNotWaitForTheTaken(t *testing.T) {
	for _, n := range []int{3, 5} {
		p := alone(t, n+1)
		for range 10 {
			away.Store(0)
			refused.Store(0)
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			got, err := satin.Run(ctx, p, racing{n})
			cancel()
			if err != nil || got != n-1 {
				t.Fatalf("%d children: %d, %v: First waits for a child that somebody else has", n, got, err)
			}
			await.Until(t, "the others have stopped", func() bool { return stuckNow.Load() == 0 })
		}
	}
}
