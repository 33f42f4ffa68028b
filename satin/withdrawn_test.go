package satin

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// stuck computes until it is told to stop, and then returns something.
type stuck struct{ N int }

var stuckNow atomic.Int64

func (k stuck) Run(s *Scope) (int, error) {
	stuckNow.Add(1)
	defer stuckNow.Add(-1)
	for !s.Aborted() {
		time.Sleep(50 * time.Microsecond)
	}
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
	p.submit(h)
	for stuckNow.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	p.close()
	if n := answers.Load(); n != 0 {
		t.Errorf("a job that was told to stop was answered %d times", n)
	}
}

// racing has a child that is not accepted, one that is, and between them some that never end. All
// but the first are taken by thieves.
type racing struct{ N int }

type runner struct{ I, N int }

var away, refused atomic.Int64

func (r runner) Run(s *Scope) (int, error) {
	switch r.I {
	case 0: // runs in First, until all the others run elsewhere
		for away.Load() < int64(r.N-1) {
			y := Spawn(s, unit{0}) // gives the wire a chance
			if _, err := y.Wait(s); err != nil {
				return 0, err
			}
		}
		refused.Store(1)
		return 0, nil
	case r.N - 1:
		away.Add(1)
		for refused.Load() == 0 {
			time.Sleep(50 * time.Microsecond)
		}
		time.Sleep(time.Millisecond) // by now First waits for the second child
		return r.I, nil
	}
	away.Add(1)
	return stuck{}.Run(s)
}

func (q racing) Run(s *Scope) (int, error) {
	var tasks []runner
	for i := range q.N {
		tasks = append(tasks, runner{i, q.N})
	}
	return First(s, tasks, func(i int) bool { return i == q.N-1 })
}

func TestFirstDoesNotWaitForTheTaken(t *testing.T) {
	for _, n := range []int{3, 5} {
		p := openWorkers(t, n+1)
		for range 10 {
			away.Store(0)
			refused.Store(0)
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			got, err := Run(ctx, p, racing{n})
			cancel()
			if err != nil || got != n-1 {
				t.Fatalf("%d children: %d, %v: First waits for a child that somebody else has", n, got, err)
			}
			for stuckNow.Load() > 0 {
				time.Sleep(50 * time.Microsecond)
			}
		}
	}
}

// steady is a tree that nobody withdraws, and whose value is known.
type steady struct{ Depth int }

func (d steady) Run(s *Scope) (int, error) {
	if d.Depth == 0 {
		for i := range 300 {
			stuckSink.Add(int64(i & 1))
		}
		return 1, nil
	}
	x, y := Spawn(s, steady{d.Depth - 1}), Spawn(s, steady{d.Depth - 1})
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

func (f fickle) Run(s *Scope) (int, error) {
	if f.Depth == 0 {
		return 1, nil
	}
	n, err := First(s, []fickle{{f.Depth - 1}, {f.Depth - 1}, {f.Depth - 1}}, func(int) bool { return true })
	if err != nil {
		return 0, err
	}
	Spawn(s, steady{f.Depth + 2})
	x := Spawn(s, steady{3})
	if _, err := x.Wait(s); err != nil {
		return 0, err
	}
	s.Abort()
	y := Spawn(s, fickle{f.Depth - 1})
	m, err := y.Wait(s)
	return min(n, m), err
}

// beside runs both in one computation.
type beside struct{ Steady, Fickle int }

func (b beside) Run(s *Scope) (int, error) {
	x, y := Spawn(s, fickle{b.Fickle}), Spawn(s, steady{b.Steady})
	z := Spawn(s, fickle{b.Fickle})
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
		p := openWorkers(t, workers, func(c *poolConfig) { c.recording = true; c.period = 500 * time.Microsecond })
		for range 8 {
			if got, err := Run(context.Background(), p, beside{9, 5}); err != nil || got != 1<<9+2 {
				t.Fatalf("%d workers: %d, %v", workers, got, err)
			}
		}
	}
}
