package satin_test

import (
	"context"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/effort"
)

// chain recurses without branching: one job a level.
type chain struct{ Left int }

func (c chain) Run(s *satin.Scope) (int, error) {
	if c.Left == 0 {
		return 0, nil
	}
	x := satin.Spawn(s, chain{c.Left - 1})
	n, err := x.Wait(s)
	return n + 1, err
}

func TestRecursion20000Deep(t *testing.T) {
	for _, workers := range []int{1, 3} {
		p := satin.OpenRecording(t, workers, 100*time.Microsecond, satin.App{})
		if got, err := satin.Run(context.Background(), p, chain{20_000}); err != nil || got != 20_000 {
			t.Errorf("%d workers: %d, %v", workers, got, err)
		}
	}
}

// wide spawns many children before it waits for the first, in the order given.
type wide struct{ N, Order int }

func (w wide) Run(s *satin.Scope) (int, error) {
	fs := make([]satin.Future[unit, int], w.N)
	for i := range fs {
		fs[i] = satin.Spawn(s, unit{i})
	}
	sum := 0
	for i := range fs {
		k := i
		switch w.Order {
		case 1:
			k = len(fs) - 1 - i
		case 2:
			k = (i * 7919) % len(fs)
		}
		v, err := fs[k].Wait(s)
		if err != nil || v != k {
			panic("a future came back with another's value")
		}
		sum += v
	}
	return sum, nil
}

func TestHundredThousandPending(t *testing.T) {
	n := effort.Of(10_000, 100_000, 100_000)
	for _, workers := range []int{1, 2} {
		for order := range 3 {
			p := satin.OpenRecording(t, workers, 2*time.Millisecond, satin.App{})
			if got, err := satin.Run(context.Background(), p, wide{n, order}); err != nil || got != n*(n-1)/2 {
				t.Errorf("%d workers, order %d: %d, %v", workers, order, got, err)
			}
		}
	}
}

// rounds spawns N children, syncs, and then waits in the order of spawning or its reverse.
type rounds struct {
	N       int
	Forward bool
}

func (r rounds) Run(s *satin.Scope) (int, error) {
	fs := make([]satin.Future[unit, int], r.N)
	for i := range fs {
		fs[i] = satin.Spawn(s, unit{i})
	}
	if err := s.Sync(); err != nil {
		return 0, err
	}
	sum := 0
	for i := range fs {
		k := i
		if !r.Forward {
			k = r.N - 1 - i
		}
		n, err := fs[k].Wait(s)
		if err != nil || n != k {
			panic("a future came back with another's value")
		}
		sum += n
	}
	return sum, nil
}

// A cost that grows with the square of the children would take minutes here.
func TestSyncOfManyChildren(t *testing.T) {
	const n = 100_000
	for _, forward := range []bool{false, true} {
		p := alone(t, 2)
		began := time.Now()
		if got, err := satin.Run(context.Background(), p, rounds{n, forward}); err != nil || got != n*(n-1)/2 {
			t.Errorf("got %d, %v", got, err)
		}
		t.Logf("%v", time.Since(began))
	}
}

// drawing makes its children's fields with its random source.
type drawing struct{ N int }

func (d drawing) Run(s *satin.Scope) (int, error) {
	fs := make([]satin.Future[unit, int], d.N)
	want := 0
	for i := range fs {
		n := s.Rand().IntN(1000)
		want += n
		fs[i] = satin.Spawn(s, unit{n})
	}
	for i := len(fs) - 1; i >= 0; i-- {
		n, err := fs[i].Wait(s)
		if err != nil {
			return 0, err
		}
		want -= n
	}
	return want, nil
}

func TestRandBesideManyChildren(t *testing.T) {
	p := alone(t, 2)
	began := time.Now()
	if got, err := satin.Run(context.Background(), p, drawing{100_000}); err != nil || got != 0 {
		t.Errorf("got %d, %v", got, err)
	}
	t.Logf("%v", time.Since(began))
}
