package satin

// Inside the package: the public part of a deque, and letters, are tried alone.

import (
	"context"
	"math/rand/v2"
	"testing"

	"satingrid/satin/await"

	"satingrid/steal"
)

// The public part of a deque hands out the oldest job that is still offered; checked against a
// slice.
func TestPublicPartAgainstASlice(t *testing.T) {
	p := openWorkers(t, 1).pool
	var runs [2]*run
	for i := range runs {
		r, err := p.newRun(context.Background(), rootJob(fibTask{i}))
		if err != nil {
			t.Fatal(err)
		}
		runs[i] = r
	}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 9))
		owner, thief := &newScope(p).fiber, &newScope(p).fiber
		f := &owner.public
		var model []*shared // what is still offered, oldest first
		for range 300 {
			switch rng.IntN(6) {
			case 0, 1, 2:
				h := &shared{job: rootJob(fibTask{1}), run: runs[rng.IntN(2)], owner: owner}
				h.offer()
				f.push(h)
				model = append(model, h)
			case 3: // the owner takes one back, or withdraws it
				if len(model) == 0 {
					continue
				}
				k := rng.IntN(len(model))
				if rng.IntN(2) == 0 {
					model[k].claim(owner)
				} else {
					model[k].withdraw(false)
				}
				model = append(model[:k:k], model[k+1:]...)
			case 4:
				want := first(model)
				if got := f.take(thief); got != want {
					t.Fatalf("seed %d: take gave %p, want %p of %d", seed, got, want, len(model))
				}
				model = without(model, want)
			case 5:
				want, of := first(model), append(runs[:], nil)[rng.IntN(3)]
				if want != nil && of != nil && want.run != of {
					want = nil
				}
				if got := f.lend(of); got != want {
					t.Fatalf("seed %d: lend gave %p, want %p of %d", seed, got, want, len(model))
				}
				model = without(model, want)
				if want != nil && rng.IntN(2) == 0 {
					want.putBack()
					f.pushFirst(want)
					model = append([]*shared{want}, model...)
				}
			}
		}
		if n := len(f.jobs); n > 2*len(model)+4*publishMax {
			t.Fatalf("seed %d: %d entries for %d jobs", seed, n, len(model))
		}
	}
}

func first(model []*shared) *shared {
	if len(model) == 0 {
		return nil
	}
	return model[0]
}

func without(model []*shared, h *shared) []*shared {
	for k := range model {
		if model[k] == h {
			return append(model[:k:k], model[k+1:]...)
		}
	}
	return model
}

// probed answers requests from outside for as long as it runs.
type probed struct{ N int }

func (a probed) Run(s *Scope) (int, error) {
	most := 0
	for range a.N {
		x := Spawn(s, fibTask{8})
		s.trip(tripAsk)
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
		most = max(most, len(s.public.jobs))
	}
	return most, nil
}

// On a peer of one worker nobody takes from the public part what its owner has claimed back.
func TestPublicPartDoesNotGrow(t *testing.T) {
	p := openWorkers(t, 1)
	most, err := Run(context.Background(), p, probed{20_000})
	if err != nil || most > 10*publishMax {
		t.Errorf("%d entries in the public part, %v", most, err)
	}
	for _, f := range p.pool.fibers.all() {
		f.public.mu.Lock()
		if n := len(f.public.jobs); n != 0 {
			t.Errorf("%d entries are left in a public part after the run", n)
		}
		f.public.mu.Unlock()
	}
}

// What was put back can be lent again, though the only worker is busy.
func TestPutBackCanBeLentAgain(t *testing.T) {
	p := parkPool(t)
	sub := heldPair(t, p, 1)
	var loan lentJob
	await.Until(t, "the child is lent", func() bool {
		loan = takeOne(t, p)
		p.putBack(loan.Ref, 0)
		return loan.Task == "satin.far"
	})
	again := lendAny(p, 1, 0)
	if len(again) != 1 || again[0].Key != loan.Key || again[0].Ref == loan.Ref {
		t.Fatalf("lent %v, then %v", loan, again)
	}
	hold.Store(false)
	data, _ := marshal(9)
	if err := p.settle(again[0].Ref, steal.Result{Bytes: data}); err != nil {
		t.Fatal(err)
	}
	if got, err := sub.Wait(); err != nil || got != 9 {
		t.Fatalf("%d, %v", got, err)
	}
}

// A fiber without a job reads no letters, so it gets none.
func TestLettersDoNotPileUp(t *testing.T) {
	p := openWorkers(t, 2)
	if _, err := Run(context.Background(), p, fibTask{15}); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the workers sleep", func() bool { return p.pool.idleWorkers() == 2 })
	for range 1000 {
		for _, s := range p.pool.fibers.all() {
			s.letters.put(letter{})
		}
	}
	for _, s := range p.pool.fibers.all() {
		if n := len(s.letters.take()); n != 0 {
			t.Errorf("%d letters lie at an idle fiber", n)
		}
	}
}
