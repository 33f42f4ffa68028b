package satintest_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Endless has N children that compute until the test lets go, and spawn now and then.
type Endless struct{ N int }

// Unending is one of them.
type Unending struct{ I int }

var endless atomic.Bool

func (e Endless) Run(s *satin.Scope) (int, error) {
	err := satin.Each(s, e.N, func(i int) Unending { return Unending{i} }, func(int, int) {})
	return e.N, err
}

func (u Unending) Run(s *satin.Scope) (int, error) {
	for endless.Load() {
		x := satin.Spawn(s, Tree{0, uint64(u.I), 100 * time.Microsecond})
		if _, err := x.Wait(s); err != nil {
			return 0, err
		}
	}
	return u.I, nil
}

// TestAYoungRunHasItsPartOfEveryPeer: peers that have more than they can do take jobs of a run that
// came later, each of them, and the old one goes on meanwhile.
func TestAYoungRunHasItsPartOfEveryPeer(t *testing.T) {
	g := start(t, satintest.Config{})
	endless.Store(true)
	defer endless.Store(false)
	old := submit[Endless, int](t, g, Endless{40})
	says(t, old, func(s satin.Stats) bool { return workedBy(s) == len(g.Names()) })
	for round := uint64(0); ; round++ {
		task := Tree{11, round, time.Millisecond}
		young := submit[Tree, uint64](t, g, task)
		wait(t, young, task.Value())
		if workedBy(young.Stats()) == len(g.Names()) {
			break
		}
		t.Logf("%d of %d peers worked for the young run", workedBy(young.Stats()), len(g.Names()))
		if round == 10 {
			t.Fatal("some peer never works for a young run")
		}
	}
	select {
	case <-old.Done():
		t.Error("the old run has ended")
	default:
	}
	endless.Store(false)
	wait(t, old, 40)
}

// workedBy is how many peers have executed jobs.
func workedBy(s satin.Stats) (n int) {
	for _, p := range s.Peers {
		if p.Jobs > 0 {
			n++
		}
	}
	return n
}

// TestCancelFromAnyMember: the id that every member shows ends the run, and its client's Wait says
// so. The other run goes on.
func TestCancelFromAnyMember(t *testing.T) {
	g := start(t, satintest.Config{})
	endless.Store(true)
	defer endless.Store(false)
	old := submit[Endless, int](t, g, Endless{41})
	says(t, old, func(s satin.Stats) bool { return workedBy(s) == len(g.Names()) })
	runs := g.Peer(g.Names()[2]).Runs()
	if len(runs) != 1 {
		t.Fatalf("a member knows of %d runs", len(runs))
	}
	other := g.Peer(g.Names()[1])
	if err := other.CancelRun(t.Context(), runs[0].Key); err == nil {
		t.Error("a run that is not on was cancelled")
	}
	if err := other.CancelRun(t.Context(), runs[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := old.Wait(); err == nil || !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("the client is told %v", err)
	}
	young := submit[Endless, int](t, g, Endless{42})
	says(t, young, func(s satin.Stats) bool { return workedBy(s) > 0 })
	runs = g.Client.Runs()
	if len(runs) != 1 {
		t.Fatalf("the client knows of %d runs", len(runs))
	}
	if err := g.Client.CancelRun(t.Context(), runs[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := young.Wait(); err == nil || !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("the client is told %v", err)
	}
}
