package satin

// Inside the package: it takes jobs away, and answers, as another process would.

import (
	"context"
	"sync/atomic"
	"testing"

	"satingrid/satin/await"

	"satingrid/steal"
)

// far is a job that the test takes away, and answers as another process would.
type far struct{ N int }

func (f far) Run(*Scope) (int, error) { return -1, nil } // the test's answer is another

// lendAny takes jobs of whichever run is to give some.
func lendAny(p *pool, n, bytes int) []lentJob {
	if r := p.giver(nil, nil); r != nil {
		return p.lend(n, bytes, r)
	}
	return nil
}

// takeOne lends one job, waiting until one is published.
func takeOne(t *testing.T, p *pool) lentJob {
	t.Helper()
	var got []lentJob
	await.Until(t, "a job is published", func() bool {
		p.mu.Lock()
		queued := len(p.inbox) // the root itself, which may be lent too
		p.mu.Unlock()
		if queued == 0 {
			got = lendAny(p, 1, 0)
		}
		return len(got) == 1
	})
	return got[0]
}

// parkPool is one worker for such jobs, and more tasks.
func parkPool(t *testing.T, more ...TaskType) *pool {
	t.Helper()
	app, err := newRegistry(App{Tasks: append(more, Type[far](), Type[slowPair](), Type[fibTask]())})
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(poolConfig{workers: 1, name: "here", app: app, outside: nobody{}})
	t.Cleanup(p.close)
	return p
}

// heldPair is a run of a slowPair that holds on until the test lets go, at its end at the latest.
func heldPair(t *testing.T, p *pool, n int) *Submission[int] {
	t.Helper()
	hold.Store(true)
	t.Cleanup(func() { hold.Store(false) })
	return submitTo[slowPair, int](t, p, slowPair{n})
}

// parks lets go of a pair whose child is away, and waits until so many fibers are parked.
func parks(t *testing.T, p *pool, fibers int) {
	t.Helper()
	hold.Store(false)
	await.Until(t, "the fiber parks", func() bool { return p.parkedNow() == fibers })
}

// slowPair has a child that can be taken away while it spins, and waits for it.
type slowPair struct{ N int }

var hold atomic.Bool

func (p slowPair) Run(s *Scope) (int, error) {
	x := Spawn(s, far(p))
	for hold.Load() {
		y := Spawn(s, fibTask{10}) // gives the wire a chance
		if _, err := y.Wait(s); err != nil {
			return 0, err
		}
	}
	return x.Wait(s)
}

func TestParkedWorkerGoesOn(t *testing.T) {
	p := parkPool(t)
	first := heldPair(t, p, 1)
	loan := takeOne(t, p)
	parks(t, p, 1)
	// The only worker's fiber is parked; another run gets the worker.
	other := submitTo[fibTask, int](t, p, fibTask{20})
	if got, err := other.Wait(); err != nil || got != 6765 {
		t.Fatalf("the other run: %d, %v", got, err)
	}
	data, _ := marshal(42)
	if err := p.settle(loan.Ref, steal.Result{Bytes: data}); err != nil {
		t.Fatal(err)
	}
	if got, err := first.Wait(); err != nil || got != 42 {
		t.Fatalf("the parked run: %d, %v, want the other process's 42", got, err)
	}
	if err := p.settle(loan.Ref, steal.Result{Bytes: data}); err != nil {
		t.Errorf("settling twice: %v, want it to be ignored", err)
	}
}

func TestPutBackIsDoneHere(t *testing.T) {
	p := parkPool(t)
	sub := heldPair(t, p, 1)
	loan := takeOne(t, p)
	parks(t, p, 1)
	p.putBack(loan.Ref, 0)
	if got, err := sub.Wait(); err != nil || got != -1 {
		t.Fatalf("got %d, %v, want -1 from the job done here", got, err)
	}
}

func TestWrongResultFromOutside(t *testing.T) {
	p := parkPool(t)
	sub := heldPair(t, p, 1)
	loan := takeOne(t, p)
	if err := p.settle(loan.Ref, steal.Result{Bytes: []byte("\x63abc")}); err == nil {
		t.Error("a text was taken for an int")
	}
	sub.asked.(*run).fail(context.Canceled)
}

func (p *pool) parkedNow() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.parked
}

func submitTo[T Task[R], R any](t *testing.T, p *pool, task T) *Submission[R] {
	t.Helper()
	sub, err := Submit[T, R](context.Background(), &Peer{pool: p, app: p.app}, task)
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

// handing measures a park and an unpark: two fibers of one worker take turns.
func BenchmarkHandOver(b *testing.B) {
	p := newPool(poolConfig{workers: 1, name: "here", app: new(registry), outside: nobody{}})
	defer p.close()
	a, z := newScope(p), newScope(p)
	w := &worker{}
	a.worker = w
	go func() {
		for z.worker = <-z.resume; z.worker != nil; z.worker = <-z.resume {
			a.resume <- z.worker
		}
	}()
	for b.Loop() {
		a.handOver(&z.fiber)
	}
	z.resume <- nil
}

// Parts of a borrowed job that verifies a result do so, too, and others do not.
func TestPartsVerifyAsTheirJobDoes(t *testing.T) {
	for _, verifies := range []bool{false, true} {
		p := parkPool(t)
		hold.Store(true)
		r, err := p.newRun(t.Context(), rootJob(fibTask{1}))
		if err != nil {
			t.Fatal(err)
		}
		fields, _ := marshal(slowPair{1})
		ended := make(chan *shared, 1)
		h, err := p.borrow(r, "satin.slowPair", fields, func(h *shared) { ended <- h })
		if err != nil {
			t.Fatal(err)
		}
		h.key, h.keyed, h.verifies = steal.Key{1}, true, verifies
		p.enqueue(h)
		loan := takeOne(t, p)
		hold.Store(false)
		if loan.Task != "satin.far" || loan.Verifies != verifies || loan.PassedOn {
			t.Errorf("the part %s verifies %v, its job %v; passed on: %v", loan.Task, loan.Verifies, verifies, loan.PassedOn)
		}
		p.putBack(loan.Ref, 0)
		<-ended
	}
}
