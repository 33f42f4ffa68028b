package satin

// Inside the package: it lends jobs as a grid would, and looks how many fibers there are.

import (
	"sync"
	"testing"
	"time"

	"satingrid/steal"
)

// lender has a child that another process takes, unless the peer lends no more.
type lender struct{ N int }

func (q lender) Run(s *Scope) (int, error) {
	x := Spawn(s, far(q))
	if sh := x.j.sh; sh == nil && !s.pool.atCap() {
		sh = s.aside(x.j)
		sh.offer()
		if sh.lend() {
			loan, _ := s.pool.pack(sh)
			abroad.Lock()
			abroad.loans = append(abroad.loans, loan)
			abroad.Unlock()
		}
	}
	s.deque.refloor(s.deque.special())
	return x.Wait(s)
}

// abroad are the jobs that the test has, as another process would.
var abroad struct {
	sync.Mutex
	loans []lentJob
}

// crowd has many children that each wait for a job in another process.
type crowd struct{ N int }

func (c crowd) Run(s *Scope) (int, error) {
	sum := 0
	err := Each(s, c.N, func(i int) lender { return lender{i} }, func(_ int, n int) { sum += n })
	return sum, err
}

// At the cap a peer lends no more, and goes on by itself.
func TestMoreWaitingJobsThanFibers(t *testing.T) {
	app, err := newRegistry(App{Tasks: []TaskType{Type[far](), Type[lender](), Type[crowd]()}})
	if err != nil {
		t.Fatal(err)
	}
	const fibers = 64
	p := newPool(poolConfig{workers: 2, name: "here", app: app, outside: nobody{}, recording: true, period: time.Millisecond, fiberCap: fibers})
	defer p.close()
	for range 20 {
		if mostParked(t, p, 40*fibers) >= fibers-4 {
			return
		}
	}
	t.Error("the test did not reach the cap: the second worker took all jobs before they could be lent")
}

// mostParked lends n jobs, answers when it must, and tells how many fibers were parked at once.
func mostParked(t *testing.T, p *pool, n int) (most int) {
	sub := submitTo[crowd, int](t, p, crowd{n})
	before, quiet := 0, 0
	for running := true; running; {
		select {
		case <-sub.Done():
			running = false
		case <-time.After(100 * time.Microsecond):
		}
		parked := p.parkedNow()
		if quiet++; parked != before {
			quiet = 0
		}
		most, before = max(most, parked), parked
		if p.atCap() || quiet > 100 && p.hungry.Load() == 2 {
			// the cap is reached, or all that is left is abroad
			answer(t, p)
		}
	}
	if got, err := sub.Wait(); err != nil || got > n || got < -n {
		t.Fatalf("got %d, %v", got, err)
	}
	return most
}

func answer(t *testing.T, p *pool) {
	t.Helper()
	abroad.Lock()
	loans := abroad.loans
	abroad.loans = nil
	abroad.Unlock()
	data, _ := marshal(1)
	for _, x := range loans {
		if err := p.settle(x.Ref, steal.Result{Bytes: data}); err != nil {
			t.Fatal(err)
		}
	}
}
