package satin

// Inside the package: it borrows a job as a grid would.

import (
	"context"
	"sync/atomic"
	"testing"

	"satingrid/satin/await"
)

// stuck computes until it is told to stop, and then returns something.
type stuck struct{ N int }

var stuckNow atomic.Int64

func (k stuck) Run(s *Scope) (int, error) {
	stuckNow.Add(1)
	defer stuckNow.Add(-1)
	ComputesUntil(s, Never)
	return 13, nil
}

// A peer that closes, or whose run ends, has nothing to say of the jobs it borrowed: their
// owners put them back.
func TestWithdrawnBorrowedJobIsNotAnswered(t *testing.T) {
	app, err := newRegistry(App{Tasks: []TaskType{Type[stuck]()}})
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(poolConfig{workers: 1, name: "there", app: app, outside: nobody{}})
	j := &job[stuck, int]{}
	j.index = noIndex
	r, err := p.newRun(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	fields, _ := marshal(stuck{1})
	var answers atomic.Int64
	h, err := p.borrow(r, "satin.stuck", fields, func(h *shared) {
		if h.outcome() != nil {
			answers.Add(1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p.enqueue(h)
	await.Until(t, "the job has begun", func() bool { return stuckNow.Load() > 0 })
	p.close()
	if n := answers.Load(); n != 0 {
		t.Errorf("a job that was told to stop was answered %d times", n)
	}
}
