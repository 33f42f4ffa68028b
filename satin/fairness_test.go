package satin_test

import (
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/steal"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// lasting has children that compute until the test lets go, and spawn now and then.
type lasting struct{ Width int }

var (
	lastingOn    atomic.Bool
	lastingTurns atomic.Int64
)

func (e lasting) Run(s *satin.Scope) (int, error) {
	if e.Width > 0 {
		_, err := satin.All(s, make([]lasting, e.Width))
		return 0, err
	}
	for lastingOn.Load() {
		x := satin.Spawn(s, fibTask{12})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
		lastingTurns.Add(1)
	}
	return 0, nil
}

// TestAYoungRunHasItsTurn: a run that goes on for ever has all workers, and short ones
// come and go beside it.
func TestAYoungRunHasItsTurn(t *testing.T) {
	for _, workers := range []int{1, 2} {
		p := alone(t, workers)
		lastingOn.Store(true)
		lastingTurns.Store(0)
		old, err := satin.Submit(t.Context(), p, lasting{4})
		if err != nil {
			t.Fatal(err)
		}
		await.Until(t, "the old run has begun", func() bool { return lastingTurns.Load() > 0 })
		for range 5 {
			young, err := satin.Submit(t.Context(), p, fibTask{22})
			if err != nil {
				t.Fatal(err)
			}
			select {
			case <-young.Done():
			case <-time.After(await.Patience):
				t.Fatalf("%d workers: a run of milliseconds waits behind an endless one", workers)
			}
			if _, err := young.Wait(); err != nil {
				t.Fatal(err)
			}
		}
		had := lastingTurns.Load()
		await.Until(t, "the old run goes on", func() bool { return lastingTurns.Load() > had })
		lastingOn.Store(false)
		if _, err := old.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKeptAnswersHideNoYoungRun: runs that have their answers, which are kept, and runs of a single
// job are on everywhere, more of them than a peer can ask for at once. A young run has its part on
// every peer all the same.
func TestKeptAnswersHideNoYoungRun(t *testing.T) {
	g := satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "kept", Tasks: []satin.TaskType{satin.Type[lasting](), satin.Type[fibTask](), satin.Type[single]()}},
		Sites: []satintest.Site{{Name: "a", Peers: 3}},
	})
	lastingOn.Store(true)
	lastingTurns.Store(0)
	defer lastingOn.Store(false)
	for n := range steal.LacksMax + 2 {
		kept, err := satin.Submit(t.Context(), g.Client, fibTask{n}, satin.Keep(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = kept.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(sub *satin.Submission[int], err error) *satin.Submission[int] {
		if err != nil {
			t.Fatal(err)
		}
		return sub
	}
	computes := func(sub *satin.Submission[int]) func() bool {
		return func() bool {
			n := 0
			for _, p := range sub.Stats().Peers {
				if p.Busy > 0 {
					n++
				}
			}
			return n == len(g.Names())
		}
	}
	all := []*satin.Submission[int]{begin(satin.Submit(t.Context(), g.Client, lasting{12}))}
	await.Until(t, "all peers work for the old run", computes(all[0]))
	for n := range steal.LacksMax + 2 {
		all = append(all, begin(satin.Submit(t.Context(), g.Client, single{n})))
	}
	young := begin(satin.Submit(t.Context(), g.Client, lasting{13}))
	await.Until(t, "all peers work for the young run", computes(young))
	lastingOn.Store(false)
	for _, sub := range append(all, young) {
		if _, err := sub.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

// single is a run of one job, which goes on until the test lets go.
type single struct{ N int }

func (k single) Run(s *satin.Scope) (int, error) {
	for lastingOn.Load() {
		satin.Computes(time.Millisecond)
		x := satin.Spawn(s, fibTask{k.N % 8})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	return k.N, nil
}
