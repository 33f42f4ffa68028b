package satin

import (
	"context"
	"testing"
)

// chain recurses without branching: one job a level.
type chain struct{ Left int }

func (c chain) Run(s *Scope) (int, error) {
	if c.Left == 0 {
		return 0, nil
	}
	x := Spawn(s, chain{c.Left - 1})
	n, err := x.Wait(s)
	return n + 1, err
}

func TestRecursion20000Deep(t *testing.T) {
	for _, workers := range []int{1, 3} {
		p := openWorkers(t, workers, func(c *poolConfig) { c.recording = true; c.period = 100_000 })
		if got, err := Run(context.Background(), p, chain{20_000}); err != nil || got != 20_000 {
			t.Errorf("%d workers: %d, %v", workers, got, err)
		}
	}
}

// wide spawns many children before it waits for the first, in the order given.
type wide struct{ N, Order int }

type unit struct{ I int }

func (u unit) Run(*Scope) (int, error) { return u.I, nil }

func (w wide) Run(s *Scope) (int, error) {
	fs := make([]Future[unit, int], w.N)
	for i := range fs {
		fs[i] = Spawn(s, unit{i})
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
	n := raceFewer(100_000, 10_000)
	for _, workers := range []int{1, 2} {
		for order := range 3 {
			p := openWorkers(t, workers, func(c *poolConfig) { c.recording = true; c.period = 2_000_000 })
			if got, err := Run(context.Background(), p, wide{n, order}); err != nil || got != n*(n-1)/2 {
				t.Errorf("%d workers, order %d: %d, %v", workers, order, got, err)
			}
		}
	}
}

func TestHotPathAllocatesNothing(t *testing.T) {
	p := openWorkers(t, 1, func(c *poolConfig) { c.recording = true })
	spawns := seqFib(26) - 1
	allocs := testing.AllocsPerRun(5, func() {
		if _, err := Run(context.Background(), p, fibTask{25}); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 500 {
		t.Errorf("%d spawns made %.0f allocations: the fast path must make none", spawns, allocs)
	}
}
