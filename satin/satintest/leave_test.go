package satintest_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// leaveNow lets peers leave at once, each within some seconds, and checks that they do so in order and in time.
func leaveNow(t *testing.T, g *satintest.Grid, names ...string) {
	t.Helper()
	var all sync.WaitGroup
	for _, name := range names {
		p := g.Peer(name)
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience/4)
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
	for _, who := range [][]string{{"b/1"}, {"a/1"}, {"a/1", "a/2"}} { // a worker, the master, a whole site
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
	t.Parallel()
	g := start(t, satintest.Config{})
	task := Tree{Depth: 5, Seed: 2, Leaf: 100 * time.Millisecond}
	sub := submit[Tree, uint64](t, g, task)
	soon(t, sub)
	p := g.Peer("b/1")
	first := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		first <- p.Leave(ctx)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	second := p.Leave(ctx)
	for _, err := range []error{second, <-first} {
		if late := new(satin.LateError); err != nil && !errors.As(err, &late) { // 50 ms may be too little
			t.Error(err)
		}
	}
	wait(t, sub, task.Value())
}

// All leave; the run waits for the next one to join.
func TestEverybodyLeaves(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	task := Tree{Depth: 9, Seed: 4, Leaf: time.Millisecond}
	sub := submit[Tree, uint64](t, g, task)
	time.Sleep(50 * time.Millisecond)
	leaveNow(t, g, g.Names()...)
	if _, err := g.Add("c"); err != nil {
		t.Fatal(err)
	}
	wait(t, sub, task.Value())
}

// A peer that leaves while nothing runs does so at once.
func TestLeaveWithoutWork(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	leaveNow(t, g, "a/2", "b/1")
	wait(t, submit[Tree, uint64](t, g, Tree{5, 5, time.Millisecond}), Tree{5, 5, 0}.Value())
}

// A master that leaves has far more parts than one message holds, and nobody else has any: those who did them have left, and nothing was copied. All is
// handed on before it goes.
func TestLeaverHandsOnWhatIsFinished(t *testing.T) {
	t.Parallel()
	const stage = 2
	g := start(t, satintest.Config{Peer: func(c *satin.Config) { c.CopyEvery = -1 }})
	open(stage)
	task := Flat{N: 1000, Stage: stage}
	sub := submit[Flat, int](t, g, task)
	until(t, sub, func(satin.Stats) bool { return stages[stage].ended.Load() >= partsMany })
	finished := shut(stage)
	leaveNow(t, g, "a/2", "b/1")
	for _, site := range []string{"a", "b"} {
		if _, err := g.Add(site); err != nil {
			t.Fatal(err)
		}
	}
	leaveNow(t, g, "a/1")
	until(t, sub, func(s satin.Stats) bool { return len(s.Losses) == 3 && s.Losses[2].Reused >= finished })
	stages[stage].phase.Store(phaseOver)
	for _, l := range wait(t, sub, task.Value()).Losses {
		if l.How != "leave" {
			t.Errorf("all have left, and here is %+v", l)
		}
	}
}
