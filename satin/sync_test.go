package satin

import (
	"context"
	"testing"
	"time"
)

// rounds spawns N children, syncs, and then waits in the order of spawning or its reverse.
type rounds struct {
	N       int
	Forward bool
}

func (r rounds) Run(s *Scope) (int, error) {
	fs := make([]Future[unit, int], r.N)
	for i := range fs {
		fs[i] = Spawn(s, unit{i})
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
		p := openWorkers(t, 2)
		began := time.Now()
		if got, err := Run(context.Background(), p, rounds{n, forward}); err != nil || got != n*(n-1)/2 {
			t.Errorf("got %d, %v", got, err)
		}
		t.Logf("%v", time.Since(began))
	}
}

// drawing makes its children's fields with its random source.
type drawing struct{ N int }

func (d drawing) Run(s *Scope) (int, error) {
	fs := make([]Future[unit, int], d.N)
	want := 0
	for i := range fs {
		n := s.Rand().IntN(1000)
		want += n
		fs[i] = Spawn(s, unit{n})
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
	p := openWorkers(t, 2)
	began := time.Now()
	if got, err := Run(context.Background(), p, drawing{100_000}); err != nil || got != 0 {
		t.Errorf("got %d, %v", got, err)
	}
	t.Logf("%v", time.Since(began))
}
