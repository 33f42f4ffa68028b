package satin

// Inside the package: it runs a job on a stack where chance seldom puts one.

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// stranger is a job that another fiber's job waits for. Where it first runs, the job below it on
// the stack is withdrawn in its course.
type stranger struct{ N int }

// What a host that was stolen, and withdrawn where it ran, stages is staged once more by the one
// who inlines it, while the first stranger may still run elsewhere.
var strangers struct {
	below atomic.Int64           // slot of the job that is to be withdrawn
	on    atomic.Pointer[Scope]  // where that is
	h     atomic.Pointer[shared] // the stranger
}

func (x stranger) Run(s *Scope) (int, error) {
	if s == strangers.on.Load() && len(s.deque.frames) == 2 {
		s.withdrawAt(int(strangers.below.Load()), nil, part{})
	}
	y := Spawn(s, unit{x.N})
	return y.Wait(s)
}

// host leapfrogs: it runs the stranger on top of its own stack, as waitFor does.
type host struct{}

func (host) Run(s *Scope) (int, error) {
	j := &job[stranger, int]{task: stranger{42}}
	j.index = noIndex
	h := &shared{job: j, run: s.run, state: taken, thief: &s.fiber}
	strangers.h.Store(h)
	strangers.below.Store(int64(s.deque.current()))
	strangers.on.Store(s)
	s.runShared(h)
	return 1, nil
}

type inn struct{}

func (inn) Run(s *Scope) (int, error) {
	x := Spawn(s, host{})
	if _, err := x.Wait(s); err != ErrWithdrawn {
		panic("the host was not withdrawn")
	}
	h := strangers.h.Load()
	ComputesUntil(s, func() bool { return h.outcome() != nil })
	o, ok := h.outcome().(*outcome[int])
	if !ok {
		return 0, ErrWithdrawn
	}
	return o.value, o.err
}

// A job that runs above a withdrawn one is not withdrawn itself: it is done anew.
func TestStrangerIsDoneAnew(t *testing.T) {
	p := openWorkers(t, 2)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if got, err := Run(ctx, p, inn{}); err != nil || got != 42 {
		t.Fatalf("the stranger came to %d, %v, want 42", got, err)
	}
}

// isTracked is marked while it waits, and leapfrogs twice: in between it must stay special.
type isTracked struct{ Mark bool }

func (l isTracked) Run(s *Scope) (int, error) {
	if l.Mark {
		s.markRunning()
	}
	was := s.deque.special()
	j := &job[drawOne, int]{}
	j.index = noIndex
	s.runShared(&shared{job: j, run: s.run, state: taken, thief: &s.fiber})
	if s.deque.special() != was {
		panic("what ran on top of a waiting job changed whether that is special")
	}
	return 1, nil
}

// drawOne is special itself.
type drawOne struct{ N int }

func (d drawOne) Run(s *Scope) (int, error) { return s.Rand().IntN(10), nil }

type inns struct{}

func (inns) Run(s *Scope) (int, error) {
	sum := 0
	for i := range 6 {
		x := Spawn(s, isTracked{i%3 == 2})
		n, err := x.Wait(s)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

func TestLeapfroggingLeavesTheWaitingJobAsItWas(t *testing.T) {
	p := openWorkers(t, 1)
	if got, err := Run(context.Background(), p, inns{}); err != nil || got != 6 {
		t.Fatalf("got %d, %v", got, err)
	}
}
