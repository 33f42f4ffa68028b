package satintest_test

import (
	"context"
	"testing"
	"time"

	"satingrid/apps/nqueens"
	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
	"satingrid/satin"
	"satingrid/satin/satintest"
)

func TestQueensOnAGrid(t *testing.T) {
	g := satintest.Start(t, satintest.Config{App: nqueens.App(), Delay: 2 * time.Millisecond, Sites: []satintest.Site{{Name: "a", Peers: 2}, {Name: "b", Peers: 2}}})
	for n := 8; n <= 12; n++ {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		sub, err := satin.Submit(ctx, g.Client, nqueens.Queens{N: n})
		if err != nil {
			t.Fatal(err)
		}
		got, err := sub.Wait()
		cancel()
		if err != nil || got != nqueens.Known[n] {
			t.Fatalf("queens %d: %d, %v", n, got, err)
		}
		t.Logf("%d: %+v", n, sub.Stats())
	}
}

func TestUTSOnAGrid(t *testing.T) {
	g := satintest.Start(t, satintest.Config{App: uts.App(), Delay: 5 * time.Millisecond})
	named, _ := tree.ByName("T1")
	task, err := uts.New(named.Params)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	sub, err := satin.Submit(ctx, g.Client, task)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sub.Wait()
	if err != nil || got.Nodes != 4130071 {
		t.Fatalf("T1: %+v, %v", got, err)
	}
	t.Logf("%+v", sub.Stats())
}

// A grid of hosts of libp2p leaves no goroutine either when peers were lost and have left. Start
// looks, for each grid of these tests.
func TestNothingIsLeftOfRealHosts(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{Peer: func(c *satin.Config) { c.Testing.Carrier, c.Listen = nil, []string{"/ip4/127.0.0.1/tcp/0"} }})
	task := Tree{Depth: 11, Seed: 13, Leaf: time.Millisecond}
	sub := submit[Tree, uint64](t, g, task)
	soon(t, sub)
	g.Kill("a/1")
	if _, err := g.Add("b"); err != nil {
		t.Fatal(err)
	}
	leaveNow(t, g, "a/2")
	lost := map[string]bool{}
	stats := wait(t, sub, task.Value())
	for _, l := range stats.Losses { // who is slow may be lost for a while, too
		lost[l.Peer] = true
	}
	if !lost["a/1"] || !lost["a/2"] {
		t.Errorf("one was killed and one has left; losses: %+v", stats.Losses)
	}
}

// Works says when a peer has worked for a run, and that one will not once the run is over.
func TestWorks(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	sub := submit[Tree, uint64](t, g, Tree{Depth: 11, Seed: 17, Leaf: time.Millisecond})
	if !g.Works("b/1", sub.Done()) {
		t.Error("a run of seconds had ended before a peer worked for it")
	}
	if _, err := sub.Wait(); err != nil {
		t.Fatal(err)
	}
	name, err := g.Add("b")
	if err != nil {
		t.Fatal(err)
	}
	if g.Works(name, sub.Done()) {
		t.Error("a peer has worked for a run that had ended before it came")
	}
}
