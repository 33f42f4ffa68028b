package satin_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
)

// steady is a tree that nobody withdraws, and whose value is known.
type steady struct{ Depth int }

func (d steady) Run(s *satin.Scope) (int, error) {
	if d.Depth == 0 {
		for i := range 300 {
			stuckSink.Add(int64(i & 1))
		}
		return 1, nil
	}
	x, y := satin.Spawn(s, steady{d.Depth - 1}), satin.Spawn(s, steady{d.Depth - 1})
	n, err := x.Wait(s)
	if err != nil {
		return 0, err
	}
	m, err := y.Wait(s)
	return n + m, err
}

var stuckSink atomic.Int64

// fickle starts subtrees and gives them up.
type fickle struct{ Depth int }

func (f fickle) Run(s *satin.Scope) (int, error) {
	if f.Depth == 0 {
		return 1, nil
	}
	n, err := satin.First(s, []fickle{{f.Depth - 1}, {f.Depth - 1}, {f.Depth - 1}}, func(int) bool { return true })
	if err != nil {
		return 0, err
	}
	satin.Spawn(s, steady{f.Depth + 2})
	x := satin.Spawn(s, steady{3})
	if _, err := x.Wait(s); err != nil {
		return 0, err
	}
	s.Abort()
	y := satin.Spawn(s, fickle{f.Depth - 1})
	m, err := y.Wait(s)
	return min(n, m), err
}

// beside runs both in one computation.
type beside struct{ Steady, Fickle int }

func (b beside) Run(s *satin.Scope) (int, error) {
	x, y := satin.Spawn(s, fickle{b.Fickle}), satin.Spawn(s, steady{b.Steady})
	z := satin.Spawn(s, fickle{b.Fickle})
	n, err := y.Wait(s)
	if err != nil {
		return 0, errors.Join(errors.New("the steady half"), err)
	}
	a, err := x.Wait(s)
	if err != nil {
		return 0, err
	}
	c, err := z.Wait(s)
	return n + a + c, err
}

// A job that runs on the stack of a withdrawn one, because that leapfrogged, is
// not withdrawn by it.
func TestWithdrawalSparesStrangersOnTheStack(t *testing.T) {
	for _, workers := range []int{3, 8} {
		p := satin.OpenRecording(t, workers, 500*time.Microsecond, satin.App{})
		for range 8 {
			if got, err := satin.Run(context.Background(), p, beside{9, 5}); err != nil || got != 1<<9+2 {
				t.Fatalf("%d workers: %d, %v", workers, got, err)
			}
		}
	}
}
