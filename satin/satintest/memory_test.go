package satintest_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

const (
	// churnVariable is how many runs a grid goes through while its peers come and go; without
	// it there are few, and what they leave is not judged.
	churnVariable = "SATIN_CHURN_RUNS"
	churnFew      = 40

	// growthMax is what a peer, or the client, may keep of a thousand runs, in bytes. Each is a
	// process elsewhere, and here all share one, so what is measured is what this process has
	// grown by, divided by how many they are. They have to keep something: a tombstone for each
	// submission, for an hour. Over 2,000 runs about 500 kB were measured; over fewer it is
	// more, since lists that have their limits still fill.
	growthMax = 1_000_000
)

// A grid on which runs follow one another, while peers are killed, leave and join, does not grow.
func TestMemoryDoesNotGrow(t *testing.T) {
	runs, judged := churnFew, false
	if text := os.Getenv(churnVariable); text != "" {
		var err error
		if runs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		judged = true
	}
	g := start(t, satintest.Config{Sites: []satintest.Site{{Name: "a", Peers: 2}, {Name: "b", Peers: 2}}})
	warm := runs / 5 // the first runs fill pools and lists that have their limits
	before, goroutines, gone := uint64(0), 0, 0
	for i := range runs {
		if i == warm {
			before, goroutines = settled(t, g)
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
	after, now := settled(t, g)
	peers := len(g.Names()) + 1 // and the client
	growth := (float64(after) - float64(before)) / float64(peers) * 1000 / float64(runs-warm)
	fmt.Printf("memory: %d runs, %d peers lost and as many joined, %.0f kB a peer in a thousand runs, %d goroutines after %d\n",
		runs, gone, growth/1e3, now, goroutines)
	if judged && growth > growthMax {
		t.Errorf("each peer grew by %.0f bytes in a thousand runs, more than %d", growth, growthMax)
	}
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
