package satin

import (
	"context"
	"errors"
	"testing"
)

// search looks for a leaf with a property among subtrees of which most never end by themselves.
type search struct{ N int }

type probe struct{ I, N int }

func (p probe) Run(s *Scope) (int, error) {
	if p.I == p.N/2 {
		x := Spawn(s, fibTask{15})
		_, err := x.Wait(s)
		return p.I, err
	}
	return endless{3}.Run(s)
}

func (q search) Run(s *Scope) (int, error) {
	keep := Spawn(s, fibTask{16})
	var tasks []probe
	for i := range q.N {
		tasks = append(tasks, probe{i, q.N})
	}
	n, err := First(s, tasks, func(i int) bool { return i == q.N/2 })
	if err != nil {
		return 0, err
	}
	m, err := keep.Wait(s)
	return 1000*n + m, err
}

func TestFirstGivesUpTheOthers(t *testing.T) {
	// One worker would run the endless ones for ever: it takes a second to find the answer.
	for _, workers := range []int{3, 4} {
		p := openWorkers(t, workers)
		for range 10 {
			if got, err := Run(context.Background(), p, search{2}); err != nil || got != 1987 {
				t.Fatalf("got %d, %v", got, err)
			}
		}
	}
}

type noneOf struct{ Fail bool }

func (q noneOf) Run(s *Scope) (int, error) {
	return First(s, []bomb{{2, "error", q.Fail}, {3, "error", false}}, func(int) bool { return false })
}

func TestFirstWithNothingAccepted(t *testing.T) {
	p := openWorkers(t, 2)
	if _, err := Run(context.Background(), p, noneOf{}); !errors.Is(err, ErrNone) {
		t.Errorf("error %v, want ErrNone", err)
	}
	if _, err := Run(context.Background(), p, noneOf{true}); !errors.Is(err, errPlanned) {
		t.Errorf("error %v, want the task's", err)
	}
}

type listing struct{ N, BadAt int }

func (l listing) Run(s *Scope) (int, error) {
	sum, next := 0, 0
	err := Each(s, l.N, func(i int) bomb { return bomb{3, "error", i == l.BadAt} }, func(i int, r int) {
		if i != next {
			panic("results came out of order")
		}
		next++
		sum += r
	})
	return sum, err
}

func TestEach(t *testing.T) {
	p := openWorkers(t, 2)
	if got, err := Run(context.Background(), p, listing{100, -1}); err != nil || got != 800 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := Run(context.Background(), p, listing{100, 50}); !errors.Is(err, errPlanned) {
		t.Errorf("error %v", err)
	}
}
