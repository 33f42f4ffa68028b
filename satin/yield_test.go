package satin

import (
	"sync/atomic"
	"testing"
	"time"

	"satingrid/steal"
)

// spinning keeps a worker busy, with spawns, until the test lets go.
type spinning struct{ N int }

var spin atomic.Bool

func (k spinning) Run(s *Scope) (int, error) {
	for spin.Load() {
		x := Spawn(s, fibTask{8})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	return k.N, nil
}

// Fibers that become ready all the time do not keep each other from a worker.
func TestReadyFibersAreNotStarvedByEachOther(t *testing.T) {
	app, err := newRegistry(App{Tasks: []TaskType{Type[far](), Type[slowPair](), Type[fibTask](), Type[spinning]()}})
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(poolConfig{workers: 1, name: "here", app: app, outside: nobody{}})
	defer p.close()
	const n = 60
	var loans []lentJob
	var subs []*Submission[int]
	hold.Store(true)
	for i := range n {
		sub := submitTo[slowPair, int](t, p, slowPair{i})
		subs = append(subs, sub)
		loans = append(loans, takeOne(t, p))
		hold.Store(false)
		for p.parkedNow() <= i {
			time.Sleep(50 * time.Microsecond)
		}
		hold.Store(true)
	}
	hold.Store(false)
	spin.Store(true)
	defer spin.Store(false)
	busy := submitTo[spinning, int](t, p, spinning{5})
	data, _ := marshal(1)
	// One fiber a millisecond becomes ready. The first must have its turn before the last is ready.
	for i, x := range loans {
		time.Sleep(time.Millisecond)
		if err := p.settle(x.Loan, steal.Result{Bytes: data}); err != nil {
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
