package satintest_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Held is a job that a test holds up.
type Held struct{ N int }

// holding counts the Held that have begun, and lets go those that wait and all that come later.
type holding struct {
	begun *atomic.Int32
	letGo chan struct{}
}

var held holding

func (h Held) Run(s *satin.Scope) (int, error) {
	now := held
	now.begun.Add(1)
	// nobody looks up from then on
	computesUntil(s, func() bool { return now.begun.Load() >= 2 })
	<-now.letGo
	return h.N, nil
}

// HeldPair is two of them.
type HeldPair struct{}

func (HeldPair) Run(s *satin.Scope) (int, error) {
	all, err := satin.All(s, []Held{{1}, {2}})
	if err != nil {
		return 0, err
	}
	return all[0] + all[1], nil
}

// lostEvents are the losses that peers and client saw.
type lostEvents struct {
	mu  sync.Mutex // protects all
	all []satin.Event
}

func (l *lostEvents) take(e satin.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Kind == satin.EventLost {
		l.all = append(l.all, e)
	}
}

// await waits until somebody has seen a loss, and returns all that are seen by then.
func (l *lostEvents) await(t *testing.T) []satin.Event {
	t.Helper()
	var all []satin.Event
	await.Until(t, "somebody sees a loss", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		all = slices.Clone(l.all)
		return len(all) > 0
	})
	return all
}

// holdTwo makes a grid of a/1 and b/1, each of which is held up in a job.
func holdTwo(t *testing.T) (g *satintest.Grid, sub *satin.Submission[int], seen *lostEvents, letGo func()) {
	t.Helper()
	held = holding{new(atomic.Int32), make(chan struct{})}
	letGo = sync.OnceFunc(func() { close(held.letGo) })
	seen = &lostEvents{}
	g = satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "held", Tasks: []satin.TaskType{satin.Type[Held](), satin.Type[HeldPair]()}},
		Sites: []satintest.Site{{Name: "a", Peers: 1}, {Name: "b", Peers: 1}},
		Peer: func(c *satin.Config) {
			if c.Name != "b/1" { // the one that goes
				c.Events = seen.take
			}
		},
	})
	t.Cleanup(letGo) // before the grid ends, which waits for the jobs
	sub = submit[HeldPair, int](t, g, HeldPair{})
	await.Until(t, "both peers have a job", func() bool { return held.begun.Load() >= 2 })
	return g, sub, seen, letGo
}

// TestLeavePastItsDeadline leaves while a job goes on and on: whoever leaves, and the others, know
// that it was not in order.
func TestLeavePastItsDeadline(t *testing.T) {
	g, sub, seen, letGo := holdTwo(t)
	b := g.Peer("b/1")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	var late *satin.LateError
	if err := b.Leave(ctx); !errors.As(err, &late) || late.Jobs != 1 || !errors.As(b.Err(), &late) || errors.Is(b.Err(), satin.ErrLeft) {
		t.Errorf("a leave past its deadline: %v; it ended because %v", err, b.Err())
	}
	go b.Close() // it waits for the job
	if e := seen.await(t)[0]; e.How != "leave" || e.Peer != "b/1" {
		t.Errorf("the loss is seen as %+v", e)
	}
	letGo()
	wait(t, sub, 3)
	if !slices.ContainsFunc(seen.await(t), func(e satin.Event) bool { return e.Late }) {
		t.Errorf("nobody knows that the leave was late: %+v", seen.await(t))
	}
}

// TestKilledWhileLeaving kills a peer that was on its way out: it was killed, and did not leave.
func TestKilledWhileLeaving(t *testing.T) {
	g, sub, seen, letGo := holdTwo(t)
	b := g.Peer("b/1")
	go b.Leave(context.Background())
	for _, p := range []*satin.Peer{g.Peer("a/1"), g.Client} {
		await.Until(t, "it is seen to leave", func() bool { return isLeaving(p, b.ID()) })
	}
	g.Kill("b/1")
	seen.await(t)
	letGo()
	stats := wait(t, sub, 3)
	for _, e := range seen.await(t) {
		if e.How != "kill" || e.Late {
			t.Errorf("the loss is seen as %+v", e)
		}
	}
	if len(stats.Losses) != 1 || stats.Losses[0].How != "kill" {
		t.Errorf("the losses are %+v", stats.Losses)
	}
}
