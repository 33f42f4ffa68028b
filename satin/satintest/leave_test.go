package satintest_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// leaveNow lets peers leave at once, each within some seconds, and checks that they do so
// in order and in time.
func leaveNow(t *testing.T, g *satintest.Grid, names ...string) {
	t.Helper()
	var all sync.WaitGroup
	for _, name := range names {
		p := g.Peer(name)
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), await.Patience/6)
			defer cancel()
			if err := g.Leave(ctx, name); err != nil || ctx.Err() != nil || !errors.Is(p.Err(), satin.ErrLeft) {
				t.Errorf("%s: %v; the time: %v; it ended because %v", name, err, ctx.Err(), p.Err())
			}
		})
	}
	all.Wait()
}

func TestLeaveInOrder(t *testing.T) {
	t.Parallel()
	for _, who := range [][]string{{"b/1"}, {"a/1"}, {"a/1", "a/2"}} {
		// a worker, the master, a whole site
		g := start(t, satintest.Config{})
		task := seconds(11)
		sub := submit[Tree, uint64](t, g, task)
		soon(t, sub)
		leaveNow(t, g, who...)
		stats := wait(t, sub, task.Value())
		if len(stats.Losses) != len(who) {
			t.Errorf("%v have left; losses: %+v", who, stats.Losses)
		}
		for _, l := range stats.Losses {
			if l.How != "leave" {
				t.Errorf("%v have left; losses: %+v", who, stats.Losses)
			}
		}
		t.Logf("%v: %+v, masters %v", who, stats.Losses, stats.Masters)
	}
}

// A leave is ordered twice, the second time with less time: it ends, and the run goes on.
func TestLeaveDuringALeave(t *testing.T) {
	g, sub, _, letGo := holdTwo(t)
	p := g.Peer("b/1")
	first := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), await.Patience)
		defer cancel()
		first <- p.Leave(ctx)
	}()
	await.Until(t, "the first leave begins", func() bool { return isLeaving(p, p.ID()) })
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	second := p.Leave(ctx)
	for _, err := range []error{second, <-first} {
		if late := new(satin.LateError); !errors.As(err, &late) {
			t.Errorf("it ended before its job, and says %v", err)
		}
	}
	letGo()
	wait(t, sub, 3)
}

// leaveAll lets all peers leave at once. The last has nobody to hand anything to, and says so.
func leaveAll(t *testing.T, g *satintest.Grid) {
	t.Helper()
	names := g.Names()
	ended := make(chan error, len(names))
	for _, name := range names {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), await.Patience/6)
			defer cancel()
			ended <- errors.Join(g.Leave(ctx, name), ctx.Err())
		}()
	}
	last := 0
	for range names {
		err := <-ended
		if late := new(satin.LateError); errors.As(err, &late) {
			last++
		} else if err != nil {
			t.Error(err)
		}
	}
	if last > 1 {
		t.Errorf("%d of %d have left before everything was handed over", last, len(names))
	}
}

// isLeaving tells whether a peer is on its way out, as another or itself sees it.
func isLeaving(by *satin.Peer, id string) bool {
	return slices.ContainsFunc(by.Members(), func(m satin.Member) bool { return m.ID == id && m.State == "leaving" })
}

// All leave; the run waits for the next one to join.
func TestEverybodyLeaves(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	task := seconds(4)
	sub := submit[Tree, uint64](t, g, task)
	soon(t, sub)
	leaveAll(t, g)
	select {
	case <-sub.Done():
		t.Fatal("the run was over before all had left")
	default:
	}
	if _, err := g.Add("c"); err != nil {
		t.Fatal(err)
	}
	if stats := wait(t, sub, task.Value()); len(stats.Losses) != 3 {
		t.Errorf("three have left; losses: %+v", stats.Losses)
	}
}

// A peer that leaves while nothing runs does so at once.
func TestLeaveWithoutWork(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	leaveNow(t, g, "a/2", "b/1")
	wait(t, submit[Tree, uint64](t, g, Tree{5, 5, time.Millisecond}), Tree{5, 5, 0}.Value())
}

// A master that leaves has far more parts than one message holds, and nobody else has any: those
// who did them have left, and nothing was copied. All is handed on before it goes.
func TestLeaverHandsOnWhatIsFinished(t *testing.T) {
	t.Parallel()
	const stage = 2
	g := start(t, satintest.Config{Peer: func(c *satin.Config) { c.CopyEvery = -1 }})
	open(stage)
	task := Flat{N: 1000, Stage: stage}
	sub := submit[Flat, int](t, g, task)
	says(t, sub, func(satin.Stats) bool { return stages[stage].ended.Load() >= partsMany })
	finished := shut(t, stage)
	leaveNow(t, g, "a/2", "b/1")
	for _, site := range []string{"a", "b"} {
		if _, err := g.Add(site); err != nil {
			t.Fatal(err)
		}
	}
	leaveNow(t, g, "a/1")
	says(t, sub, func(s satin.Stats) bool {
		// by whichever loss was the latest then: the heir may begin before it hears
		// that the master has gone
		reused := 0
		for _, l := range s.Losses {
			reused += l.Reused
		}
		return len(s.Losses) >= 3 && reused >= finished
	})
	stages[stage].phase.Store(phaseOver)
	for _, l := range wait(t, sub, task.Value()).Losses {
		if l.How != "leave" {
			t.Errorf("all have left, and here is %+v", l)
		}
	}
}
