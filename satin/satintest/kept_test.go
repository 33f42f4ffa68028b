package satintest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/satintest"
)

// deposit submits a run that is to be kept, from a client of its own that is gone when the grid has
// it, and returns its id.
func deposit(t *testing.T, g *satintest.Grid, task Tree) satin.RunID {
	t.Helper()
	p := client(t, g)
	sub, err := satin.Submit[Tree, uint64](t.Context(), p, task, satin.Keep(time.Minute), satin.Label("a tree"), satin.By("ann@desk"))
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-sub.Accepted():
	case <-time.After(await.Patience):
		t.Fatal("the grid does not have it")
	}
	p.Close()
	if _, err := sub.Wait(); !errors.Is(err, satin.ErrClosed) {
		t.Errorf("the client that is gone is told %v", err)
	}
	return sub.ID()
}

func client(t *testing.T, g *satintest.Grid) *satin.Peer {
	t.Helper()
	p, err := g.AddClient()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// attached is one more submission of a run, by a client.
func attached(t *testing.T, p *satin.Peer, run satin.RunID, want Tree) *satin.Submission[uint64] {
	t.Helper()
	sub, root, err := satin.Attach[Tree, uint64](t.Context(), p, run)
	if err != nil {
		t.Fatal(err)
	}
	if *root != want {
		t.Fatalf("the root is %+v, want %+v", *root, want)
	}
	return sub
}

// listed is a run as a peer or client sees it.
func listed(p *satin.Peer, run satin.RunID) (satin.RunStats, bool) {
	for _, r := range p.Runs() {
		if r.ID == run {
			return r, true
		}
	}
	return satin.RunStats{}, false
}

// TestAKeptRunOutlivesItsClient: its client dies as soon as the grid has it, then its master.
// Another client comes while it computes, and one when it has its answer: both have it, and the one
// in the middle that lets go ends nothing.
func TestAKeptRunOutlivesItsClient(t *testing.T) {
	g := start(t, satintest.Config{})
	task := Tree{9, 77, time.Millisecond}
	run := deposit(t, g, task)
	var r satin.RunStats
	await.Until(t, "another client hears of it", func() (on bool) {
		r, on = listed(g.Client, run)
		return on
	})
	if r.By != "ann@desk" || r.Label != "a tree" || r.Keep != time.Minute || r.State != satin.RunComputing || r.Task != "satintest_test.Tree" || r.At.IsZero() {
		t.Errorf("another client sees %+v", r)
	}
	g.Kill("a/1")
	sub := attached(t, g.Client, run, task)
	gone := attached(t, client(t, g), run, task)
	if err := gone.Release(); err != nil {
		t.Error(err)
	}
	if _, err := gone.Wait(); !errors.Is(err, satin.ErrReleased) {
		t.Errorf("who lets go is told %v", err)
	}
	wait(t, sub, task.Value())
	await.Until(t, "its answer is kept", func() bool {
		r, on := listed(g.Client, run)
		return on && r.State == satin.RunAnswered && r.Kept > 0
	})
	wait(t, attached(t, client(t, g), run, task), task.Value())
}

// TestAKeptRunFails: all peers say so, and whoever asks has the error.
func TestAKeptRunFails(t *testing.T) {
	g := start(t, satintest.Config{})
	sub, err := satin.Submit[Breaking, int](t.Context(), client(t, g), Breaking{Depth: 3}, satin.Keep(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sub.Wait(); err == nil {
		t.Fatal("it does not fail")
	}
	for _, name := range g.Names() {
		await.Until(t, name+" hears that it failed", func() bool {
			r, on := listed(g.Peer(name), sub.ID())
			return on && r.State == satin.RunFailed && r.Kept > 0
		})
	}
	again, _, err := satin.Attach[Breaking, int](t.Context(), client(t, g), sub.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Wait(); err == nil || !strings.Contains(err.Error(), errBroken.Error()) {
		t.Errorf("who asks for its answer is told %v", err)
	}
}

// TestAKeptRunIsCancelled: by a client that has not submitted it, before and after it has its
// answer. Then there is no such run.
func TestAKeptRunIsCancelled(t *testing.T) {
	g := start(t, satintest.Config{})
	for _, task := range []Tree{{2, 1, time.Millisecond}, {20, 2, time.Millisecond}} {
		run := deposit(t, g, task)
		sub := attached(t, g.Client, run, task)
		if task.Depth < 10 {
			wait(t, sub, task.Value())
		} else {
			<-sub.Accepted() // one that comes after the cancellation finds no such run
		}
		if err := client(t, g).CancelRun(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if _, err := sub.Wait(); task.Depth > 10 && (err == nil || !strings.Contains(err.Error(), "cancelled")) {
			t.Errorf("who waits is told %v", err)
		}
		if err := g.Client.CancelRun(t.Context(), run); err != nil && !errors.Is(err, satin.ErrNoRun) {
			t.Errorf("cancelled again: %v", err)
		}
		if _, _, err := satin.Attach[Tree, uint64](t.Context(), g.Client, run); !errors.Is(err, satin.ErrNoRun) {
			t.Errorf("attached to what has ended: %v", err)
		}
	}
}

// TestAClientSharesARun: everybody learns it; of two orders the later holds.
func TestAClientSharesARun(t *testing.T) {
	g := start(t, satintest.Config{})
	run := deposit(t, g, Tree{20, 3, time.Millisecond})
	await.Until(t, "the client hears of it", func() bool { _, on := listed(g.Client, run); return on })
	for _, share := range []int{300, 50} {
		if err := g.Client.ShareRun(t.Context(), run, share); err != nil {
			t.Fatal(err)
		}
		for _, name := range g.Names() {
			await.Until(t, name+" hears of the share", func() bool { r, _ := listed(g.Peer(name), run); return r.Share == share })
		}
	}
	if err := g.Client.CancelRun(t.Context(), run); err != nil {
		t.Error(err)
	}
}
