package satin

// Inside the package: a job looks at the estimate of itself while it runs.

import (
	"context"
	"fmt"
	"math"
	"testing"
)

// half has four children, of which it has done two and another has taken one, when it
// looks how far it is.
type half struct{}

func (half) Run(s *Scope) (int, error) {
	done := func() float64 {
		s.pool.appraise()
		return math.Float64frombits(s.run.root.progress.Load())
	}
	s.markRunning()
	a, b, c, d := Spawn(s, fibTask{1}), Spawn(s, fibTask{1}), Spawn(s, fibTask{1}), Spawn(s, fibTask{1})
	for _, x := range []Future[fibTask, int]{d, c} {
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	s.publish()
	s.checkpoint.estimate(&s.deque)
	if got := done(); got != 0.5 {
		return 0, fmt.Errorf("two of four children are done, and the job is at %v", got)
	}
	h := s.deque.slots[a.j.index].head().sh
	if h == nil || !h.claim(&newScope(s.pool).fiber) {
		panic("the child was not published")
	}
	h.progressed(0.5)
	if got := done(); got != 0.625 {
		return 0, fmt.Errorf("when a third child is half done the job is at %v", got)
	}
	h.fulfil(&outcome[int]{value: 1}, part{}, nil)
	h.progressed(0.5) // which comes late
	if got := done(); got != 0.75 {
		return 0, fmt.Errorf("when a third child is done the job is at %v", got)
	}
	for _, x := range []Future[fibTask, int]{b, a} {
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

func TestEstimate(t *testing.T) {
	p := openWorkers(t, 1)
	if _, err := Run(context.Background(), p, half{}); err != nil {
		t.Error(err)
	}
}
