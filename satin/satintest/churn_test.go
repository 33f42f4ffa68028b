package satintest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"satingrid/apps/nqueens"
	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/satintest"
)

// t1 is a tree that takes a few seconds of one core.
func t1(t *testing.T) uts.Tree {
	t.Helper()
	named, _ := tree.ByName("T1")
	task, err := uts.New(named.Params)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func submit(t *testing.T, g *satintest.Grid) *satin.Submission[uts.Count] {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	sub, err := satin.Submit(ctx, g.Client, t1(t))
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

func check(t *testing.T, sub *satin.Submission[uts.Count]) satin.Stats {
	t.Helper()
	if got, err := sub.Wait(); err != nil || got.Nodes != 4130071 || got.Leaves != 3305118 {
		t.Fatalf("T1: %+v, %v; %+v", got, err, sub.Stats())
	}
	return sub.Stats()
}

func TestPeersJoinWhileItRuns(t *testing.T) {
	g := satintest.Start(t, uts.App(), time.Millisecond, satintest.Site{Name: "a", Peers: 1})
	sub := submit(t, g)
	time.Sleep(100 * time.Millisecond)
	g.Add("a")
	g.Add("b")
	stats := check(t, sub)
	busy := 0
	for _, p := range stats.Peers {
		if p.Jobs > 0 {
			busy++
		}
	}
	if busy < 2 {
		t.Errorf("the peers that joined got nothing: %+v", stats.Peers)
	}
}

func TestPeersAreLostWhileItRuns(t *testing.T) {
	for _, victim := range []string{"b/1", "a/1"} { // a/1 is the first peer: the master
		g := satintest.Start(t, uts.App(), time.Millisecond, satintest.Site{Name: "a", Peers: 2}, satintest.Site{Name: "b", Peers: 1})
		sub := submit(t, g)
		time.Sleep(150 * time.Millisecond)
		g.Kill(victim)
		stats := check(t, sub)
		if len(stats.Losses) != 1 || stats.Losses[0].Peer != victim || stats.Losses[0].How != "kill" {
			t.Errorf("%s was killed; losses: %+v", victim, stats.Losses)
		}
	}
}

func TestCancelOnAGrid(t *testing.T) {
	g := satintest.Start(t, uts.App(), 0, satintest.Site{Name: "a", Peers: 2})
	ctx, cancel := context.WithCancelCause(context.Background())
	sub, err := satin.Submit(ctx, g.Client, t1(t))
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
	if _, err := sub.Wait(); !errors.Is(err, why) {
		t.Errorf("a cancelled run ended with %v", err)
	}
	check(t, submit(t, g))
}

func TestOtherBuildsAreRefused(t *testing.T) {
	g := satintest.Start(t, uts.App(), 0, satintest.Site{Name: "a", Peers: 1})
	_, err := satin.Open(context.Background(), satin.Config{
		App: nqueens.App(), Client: true, Ticket: g.Ticket(), Carrier: g.Network.Carrier(""),
	})
	var refused *p2p.Refusal
	if !errors.As(err, &refused) || refused.Why != p2p.WhyHello {
		t.Errorf("a client of another application: %v", err)
	}
}
