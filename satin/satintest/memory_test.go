package satintest_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Runs follow one another on a grid, while peers are killed, leave and join: no goroutine of theirs
// stays. What memory they leave is measured in processes that each is one peer.
func TestNoGoroutineOfARunStays(t *testing.T) {
	const runs = 40
	g := start(t, satintest.Config{Sites: []satintest.Site{{Name: "a", Peers: 2}, {Name: "b", Peers: 2}}})
	warm := runs / 5 // the first runs fill pools
	goroutines, gone := 0, 0
	for i := range runs {
		if i == warm {
			_, goroutines = settled(t, g)
		}
		task := Tree{Depth: 5, Seed: uint64(i), Leaf: 200 * time.Microsecond}
		sub := submit[Tree, uint64](t, g, task)
		var dead *satin.Peer
		if i%4 == 3 { // one goes in the middle of the run, and another comes
			name := g.Names()[i/4%4]
			if gone++; i%8 == 3 {
				dead = g.Peer(name)
				g.Kill(name)
			} else if err := g.Leave(context.Background(), name); err != nil {
				t.Fatal(err)
			}
			if _, err := g.Add(name[:1]); err != nil {
				t.Fatal(err)
			}
		}
		wait(t, sub, task.Value())
		if dead != nil {
			dead.Close() // it waits for what is left of it
		}
	}
	_, now := settled(t, g)
	fmt.Printf("goroutines: %d runs, %d peers lost and as many joined, %d goroutines after %d\n", runs, gone, now, goroutines)
	if now > goroutines+goroutines/2 {
		t.Errorf("there are %d goroutines, and there were %d", now, goroutines)
	}
}

// settled is what is in use when nothing goes on: bytes and goroutines.
func settled(t *testing.T, g *satintest.Grid) (uint64, int) {
	t.Helper()
	for _, name := range g.Names() {
		await.Until(t, name+" has no run", func() bool { return len(g.Peer(name).Runs()) == 0 })
	}
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, runtime.NumGoroutine()
}

// counted is a context that counts who waits for its end.
type counted struct {
	context.Context
	waiting *atomic.Int64
}

func (c counted) AfterFunc(func()) (stop func() bool) {
	c.waiting.Add(1)
	return sync.OnceValue(func() bool { c.waiting.Add(-1); return true })
}

// Value hides what the context is made of: package context would else not ask it.
func (counted) Value(any) any { return nil }

// A context that outlives its runs, as a server's does, keeps nothing of them.
func TestContextKeepsNothingOfItsRuns(t *testing.T) {
	g := start(t, satintest.Config{Sites: []satintest.Site{{Name: "a", Peers: 1}}})
	ctx := counted{t.Context(), new(atomic.Int64)}
	for i := range 3 {
		task := Tree{Depth: 3, Seed: uint64(i)}
		if got, err := satin.Run(ctx, g.Client, task); err != nil || got != task.Value() {
			t.Fatal(got, err)
		}
	}
	// who has looked after a run may end a moment later
	await.Until(t, "the context holds no run", func() bool { return ctx.waiting.Load() == 0 })
}
