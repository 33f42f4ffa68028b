package satintest_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/apps/nqueens"
	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/satintest"
)

func TestPeersJoinWhileItRuns(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{Sites: []satintest.Site{{Name: "a", Peers: 1}}})
	task := seconds(1)
	sub := submit[Tree, uint64](t, g, task)
	says(t, sub, hasBegun)
	for _, site := range []string{"a", "b"} {
		if _, err := g.Add(site); err != nil {
			t.Fatal(err)
		}
	}
	stats := wait(t, sub, task.Value())
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

func TestManyJoinAtOnceWhileOneIsLost(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	task := lasting(2)
	sub := submit[Tree, uint64](t, g, task)
	soon(t, sub)
	g.Kill("b/1")
	var joiners sync.WaitGroup
	for range 6 {
		joiners.Go(func() {
			if _, err := g.Add("c"); err != nil {
				t.Error(err)
			}
		})
	}
	joiners.Wait()
	select {
	case <-sub.Done():
		t.Fatal("the run was over before all had joined")
	default:
	}
	stats := wait(t, sub, task.Value())
	if len(stats.Losses) != 1 || stats.Losses[0].Peer != "b/1" {
		t.Errorf("b/1 was killed; losses: %+v", stats.Losses)
	}
	if n := len(g.Names()); n != 2+6 {
		t.Errorf("%d peers are there, and six have joined two", n)
	}
}

func TestPeersAreLostWhileItRuns(t *testing.T) {
	t.Parallel()
	for _, victim := range []string{"b/1", "a/1"} { // a/1 is the first peer: the master
		var mu sync.Mutex
		var masters []string
		g := start(t, satintest.Config{Peer: func(c *satin.Config) {
			c.CopyEvery = 50 * time.Millisecond
			if c.Client {
				c.Events = func(e satin.Event) {
					if mu.Lock(); e.Kind == satin.EventMaster {
						masters = append(masters, e.Peer)
					}
					mu.Unlock()
				}
			}
		}})
		task := seconds(3)
		sub := submit[Tree, uint64](t, g, task)
		soon(t, sub)
		last := sub.Progress()
		g.Kill(victim)
		for done := false; !done; {
			select {
			case <-sub.Done():
				done = true
			case <-time.After(10 * time.Millisecond):
			}
			if now := sub.Progress(); now < last || now > 1 {
				t.Errorf("progress went from %v to %v", last, now)
			} else {
				last = now
			}
		}
		stats := wait(t, sub, task.Value())
		t.Logf("%s: %+v", victim, stats)
		if len(stats.Losses) != 1 || stats.Losses[0].Peer != victim || stats.Losses[0].How != "kill" {
			t.Errorf("%s was killed; losses: %+v", victim, stats.Losses)
			continue
		}
		if l := stats.Losses[0]; l.Restarted == 0 || l.RedoneSeconds < 0 || l.RedoneSeconds > 3*stats.Seconds {
			t.Errorf("what the loss of %s has cost: %+v", victim, l)
		}
		copies := int64(0)
		for _, p := range stats.Peers {
			copies += p.CopiesSent
		}
		if copies == 0 {
			t.Error("nothing was copied")
		}
		mu.Lock()
		if want := map[string][]string{"b/1": {"a/1"}, "a/1": {"a/1", "a/2"}}[victim]; !slices.Equal(masters, want) {
			t.Errorf("%s was killed; the client heard of the masters %v, want %v", victim, masters, want)
		}
		mu.Unlock()
	}
}

// What the others had finished of the master's work, and what it had copied, is found and used.
func TestFinishedPartsOutliveTheMaster(t *testing.T) {
	t.Parallel()
	outlive(t, "a/1", func(s satin.Stats) bool {
		advertised := int64(0)
		for _, p := range s.Peers {
			advertised += p.Advertised
		}
		return advertised > 0 && s.Losses[0].Reused > 0 && s.Losses[0].SavedSeconds > 0
	})
}

// What a peer had finished, and copied to another site, outlives it.
func TestCopiesOutliveTheirMaker(t *testing.T) {
	t.Parallel()
	outlive(t, "b/1", func(s satin.Stats) bool {
		used := int64(0)
		for _, p := range s.Peers {
			used += p.CopiesUsed
		}
		return used > 0 && s.Losses[0].Reused > 0
	})
}

// outlive kills a peer that has copied some of what it finished, and looks for the use that
// was made of it. The copies may all be of parts whose whole was returned just then: of some
// runs, one must show it.
func outlive(t *testing.T, victim string, used func(satin.Stats) bool) {
	t.Helper()
	const runs = 5
	for seed := range uint64(runs) {
		g := start(t, satintest.Config{Peer: func(c *satin.Config) { c.CopyEvery = 50 * time.Millisecond }})
		task := Tree{Depth: 12, Seed: 3 + seed, Leaf: time.Millisecond}
		sub := submit[Tree, uint64](t, g, task)
		says(t, sub, func(s satin.Stats) bool {
			return slices.ContainsFunc(s.Peers, func(p satin.PeerStats) bool { return p.Name == victim && p.CopiesSent > 0 })
		})
		g.Kill(victim)
		stats := wait(t, sub, task.Value())
		if len(stats.Losses) != 1 {
			t.Fatalf("only %s was killed; losses: %+v", victim, stats.Losses)
		}
		if used(stats) {
			return
		}
		t.Logf("nothing that %s had finished was used: %+v", victim, stats)
	}
	t.Errorf("nothing that %s had finished was used, in %d runs", victim, runs)
}

func TestOffIsOff(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{Peer: func(c *satin.Config) { c.Testing.NoFT = true }})
	sub := submit[Tree, uint64](t, g, seconds(4))
	soon(t, sub)
	g.Kill("b/1")
	if _, err := sub.Wait(); err == nil || !strings.Contains(err.Error(), "b/1 was lost, and fault tolerance is off") {
		t.Errorf("a run without fault tolerance has lost a peer, and ended with %v", err)
	}
	for _, p := range sub.Stats().Peers {
		if p.Advertised+p.CopiesSent != 0 {
			t.Errorf("%s has advertised or copied: %+v", p.Name, p)
		}
	}
}

func TestCancelOnAGrid(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	ctx, cancel := context.WithCancelCause(context.Background())
	sub, err := satin.Submit(ctx, g.Client, seconds(5))
	if err != nil {
		t.Fatal(err)
	}
	says(t, sub, hasBegun)
	why := errors.New("enough")
	cancel(why)
	if _, err := sub.Wait(); !errors.Is(err, why) {
		t.Errorf("a cancelled run ended with %v", err)
	}
	wait(t, submit[Tree, uint64](t, g, seconds(5)), seconds(5).Value())
}

// Whatever happens, the answer is the one that a single core finds.
func TestStorms(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		task := Tree{Depth: 10, Seed: seed, Leaf: time.Millisecond}
		satintest.Check(t, satintest.Config{App: app, Delay: time.Millisecond, Strict: true, Peer: func(c *satin.Config) {
			c.CopyEvery = 200 * time.Millisecond
		}}, satintest.Storm{Seed: seed, Every: 50 * time.Millisecond}, task, await.Patience, func(alone, grid uint64) bool { return alone == grid && grid == task.Value() })
	}
}

func TestOtherBuildsAreRefused(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	later := app
	later.Version = "2.0"
	for _, other := range []struct {
		app   satin.App
		names []string
	}{{nqueens.App(), []string{`"satintest"`, `"nqueens"`}}, {later, []string{`this grid runs "satintest" "1.0"`, `the other host "2.0"`}}} {
		_, err := satin.Open(context.Background(), satin.Config{
			App: other.app, Client: true, Ticket: g.Ticket(), Testing: satin.Testing{Carrier: g.Network.Carrier("")},
		})
		var refused *p2p.DeniedError
		if !errors.As(err, &refused) || refused.Why != p2p.WhyHello {
			t.Errorf("a client of %s %s: %v", other.app.Name, other.app.Version, err)
			continue
		}
		for _, name := range other.names {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("the refusal does not say %s: %v", name, err)
			}
		}
	}
}
