package satin

// Inside the package: it hears what workers tell the loop.

import (
	"sync/atomic"
	"testing"

	"satingrid/satin/await"

	"satingrid/steal"
)

// callLog counts how often the control loop was told that jobs lie open.
type callLog struct {
	nobody
	published atomic.Int64
}

func (*callLog) Lacks([]*run) {}
func (b *callLog) Published() { b.published.Add(1) }

// TestJobsOfABusyPeerAreOffered: a job that comes to a peer whose workers are busy, or comes back
// to it, is one for whoever has asked.
func TestJobsOfABusyPeerAreOffered(t *testing.T) {
	log := new(callLog)
	p := costlyPool(t, log)
	hold.Store(true)
	defer hold.Store(false)
	sub := submitTo[costly, int](t, p, costly{1})
	await.Until(t, "the worker has it", func() bool { return p.hungry.Load() == 0 && p.idleWorkers() == 0 })
	fields, _ := marshal(costly{0})
	deliver := func() *shared {
		h, err := p.borrow(sub.asked.(*run), "satin.costly", fields, func(*shared) {})
		if err != nil {
			t.Fatal(err)
		}
		p.enqueue(h)
		return h
	}
	deliver()
	if n := log.published.Load(); n != 0 {
		t.Errorf("nobody has asked, and %d times it was told", n)
	}
	p.wanted.Store(true)
	before := log.published.Load()
	deliver()
	if log.published.Load() == before {
		t.Error("a job came, and those who asked are not told")
	}
	loans := lendAny(p, 1, 1<<20)
	if len(loans) != 1 || !loans[0].PassedOn {
		t.Fatalf("%d jobs are lent, as passed on: %v", len(loans), loans)
	}
	before = log.published.Load()
	p.putBack(loans[0].Ref, 0)
	if log.published.Load() == before {
		t.Error("a job came back, and those who asked are not told")
	}
	p.wanted.Store(false)
	hold.Store(false)
	if _, err := sub.Wait(); err != nil {
		t.Error(err)
	}
}

// TestWhatIsNotKeptIsNoted: a run knows when something finished is in no part
// because there is no room.
func TestWhatIsNotKeptIsNoted(t *testing.T) {
	for name, full := range map[string]int64{"room": 0, "no room": partBytesTotalMax} {
		p := costlyPool(t, nobody{})
		p.room.bytes.Add(full)
		hold.Store(true)
		sub := submitTo[costly, int](t, p, costly{10})
		r := sub.asked.(*run)
		var loans []lentJob
		await.Until(t, "two jobs to lend", func() bool { loans = append(loans, lendAny(p, 1, 0)...); return len(loans) == 2 })
		hold.Store(false)
		for _, x := range loans {
			data, _ := marshal(1)
			if err := p.settle(x.Ref, steal.Result{Cost: 9000, Bytes: data}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := sub.Wait(); err != nil {
			t.Fatal(err)
		}
		if got := r.unkept.Load(); got != (full > 0) {
			t.Errorf("%s: unkept is %v", name, got)
		}
		p.room.bytes.Add(-full)
	}
}

// TestFibersBetweenJobsAreAsked: who wants jobs of any run has them when one begins where there was
// none: the fiber that will execute it was asked before.
func TestFibersBetweenJobsAreAsked(t *testing.T) {
	p := costlyPool(t, new(callLog))
	submitTo[costly, int](t, p, costly{1}).Wait()
	await.Until(t, "the worker sleeps", func() bool { return p.idleWorkers() == 1 })
	idle := p.fibers.all()[0]
	asked := func() bool { return atomic.LoadUint32(&idle.wire)&tripAsk != 0 }
	if idle.serves.Load() != nil {
		t.Fatal("it serves a run")
	}
	atomic.AndUint32(&idle.wire, ^uint32(tripAsk))
	if r := p.giver([]*run{}, nil); r != nil || asked() {
		t.Error("of no run that is here something is wanted, and it is asked")
	}
	if r := p.giver(nil, nil); r != nil || !asked() {
		t.Error("it is not asked")
	}
}

// TestFiberThatChangesRunsIsAsked: who looked for jobs passed its fiber over, as it served a run
// that was not to be looked at.
func TestFiberThatChangesRunsIsAsked(t *testing.T) {
	p := costlyPool(t, new(callLog))
	hold.Store(true)
	defer hold.Store(false)
	first := submitTo[costly, int](t, p, costly{1})
	fiber := p.fibers.all()[0]
	await.Until(t, "a job begins", func() bool { return fiber.serves.Load() == first.asked.(*run) })
	p.wanted.Store(true)
	if r := p.giver(nil, []*run{first.asked.(*run)}); r != nil || atomic.LoadUint32(&fiber.wire)&tripAsk != 0 {
		t.Fatal("a fiber that may not give is asked")
	}
	second := submitTo[costly, int](t, p, costly{2})
	first.asked.(*run).fail(ErrWithdrawn)
	await.Until(t, "a job of the other run to lie open", func() bool { return fiber.public.of() == second.asked.(*run) })
}
