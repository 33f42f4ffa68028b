package satin

// Inside the package: it wakes fibers at a pace, in the place of a grid.

import (
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/steal"
)

// spinning keeps a worker busy, with spawns, until the test lets go.
type spinning struct{ N int }

var (
	spin      atomic.Bool
	spinTurns atomic.Int64 // turns of its loop
)

func (k spinning) Run(s *Scope) (int, error) {
	for ; spin.Load(); spinTurns.Add(1) {
		x := Spawn(s, fibTask{8})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	return k.N, nil
}

// Fibers that become ready all the time do not keep each other from a worker.
func TestReadyFibersAreNotStarvedByEachOther(t *testing.T) {
	p := parkPool(t, Type[spinning]())
	const n = 60
	var loans []lentJob
	var subs []*Submission[int]
	for i := range n {
		subs = append(subs, heldPair(t, p, i))
		loans = append(loans, takeOne(t, p))
		parks(t, p, i+1)
	}
	spin.Store(true)
	defer spin.Store(false)
	busy := submitTo[spinning, int](t, p, spinning{5})
	data, _ := marshal(1)
	// One fiber a millisecond becomes ready. The first must have its turn before the last is
	// ready.
	for i, x := range loans {
		turns := spinTurns.Load()
		time.Sleep(time.Millisecond) // the pace, which is what others must not keep up
		for began := time.Now(); spinTurns.Load() == turns && time.Since(began) < 20*time.Millisecond; {
			time.Sleep(time.Millisecond) // the worker had no processor
		}
		if err := p.settle(x.Ref, steal.Result{Bytes: data}); err != nil {
			t.Fatal(err)
		}
		if i == n-1 {
			select {
			case <-subs[0].Done():
			default:
				t.Error("a ready fiber waited for a worker as long as others became ready")
			}
		}
	}
	for _, sub := range subs {
		if got, err := sub.Wait(); err != nil || got != 1 {
			t.Fatalf("%d, %v", got, err)
		}
	}
	spin.Store(false)
	if got, err := busy.Wait(); err != nil || got != 5 {
		t.Fatalf("%d, %v", got, err)
	}
}

// tending asks whether it is aborted until the test lets go, and keeps its hands on what is local.
type tending struct{ N int }

var tended atomic.Bool

func (k tending) Run(s *Scope) (int, error) {
	for tended.Store(true); spin.Load(); {
		if s.Aborted() {
			return 0, ErrWithdrawn
		}
	}
	return k.N, nil
}

// A job that only asks Aborted keeps its worker: what Local returned may be in
// the middle of a change.
func TestAbortedDoesNotYield(t *testing.T) {
	p := parkPool(t, Type[tending]())
	parked := heldPair(t, p, 1)
	loan := takeOne(t, p)
	parks(t, p, 1)
	tended.Store(false)
	spin.Store(true)
	defer spin.Store(false)
	busy := submitTo[tending, int](t, p, tending{5})
	await.Until(t, "the worker is busy", tended.Load)
	data, _ := marshal(1)
	if err := p.settle(loan.Ref, steal.Result{Bytes: data}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-parked.Done():
		t.Error("the worker was taken from a job that neither spawns nor waits")
	case <-time.After(10 * readyMax):
	}
	spin.Store(false)
	for _, sub := range []*Submission[int]{busy, parked} {
		if _, err := sub.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}
