package satintest_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/satintest"
)

func TestErrorsAndPanicsCrossTheGrid(t *testing.T) {
	t.Parallel()
	broken.Store(0)
	g := start(t, satintest.Config{})
	_, err := submit[Breaking, int](t, g, Breaking{Depth: 4}).Wait()
	var job *satin.JobError
	if !errors.As(err, &job) || job.Task != "satintest_test.Breaking" || job.Peer == "" || !strings.Contains(err.Error(), errBroken.Error()) {
		t.Errorf("an error far away: %v", err)
	}
	if n := broken.Load(); n != 1 {
		t.Errorf("the leaf that returns an error began %d times", n)
	}
	_, err = submit[Breaking, int](t, g, Breaking{4, true}).Wait()
	var panicked *satin.PanicError
	if !errors.As(err, &panicked) || panicked.Task != "satintest_test.Breaking" || panicked.Peer == "" || len(panicked.Stack) == 0 {
		t.Errorf("a panic far away: %v", err)
	}
	wait(t, submit[Tree, uint64](t, g, Tree{6, 1, time.Millisecond}), Tree{6, 1, 0}.Value())
	if n := broken.Load(); n != 2 {
		t.Errorf("the leaves that return an error and panic began %d times together", n)
	}
}

// When a job returns the error of one child, the others are told to stop, wherever they are.
func TestErrorStopsSiblings(t *testing.T) {
	t.Parallel()
	siblings.begun.Store(0)
	siblings.told.Store(0)
	g := start(t, satintest.Config{})
	sub := submit[Bereaved, int64](t, g, Bereaved{})
	if n, err := sub.Wait(); err != nil || n < 2 {
		t.Errorf("%d siblings were told to stop, of %d: %v", n, siblings.begun.Load(), err)
	}
	aborted := int64(0)
	for _, p := range sub.Stats().Peers {
		aborted += p.Aborted
	}
	if aborted < 2 {
		t.Errorf("%d jobs are said to have been given up", aborted)
	}
}

// A job that nobody waits for any more panics, at a peer that has nothing else of the run: the run
// fails. That peer must not take further jobs of it and keep them.
func TestPanicOfAbortedJobFailsTheRun(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{Sites: []satintest.Site{{Name: "a", Peers: 2}}})
	_, err := submit[Sulkers, uint64](t, g, Sulkers{6}).Wait()
	var panicked *satin.PanicError
	if !errors.As(err, &panicked) || panicked.Task != "satintest_test.Sulky" {
		t.Errorf("an aborted job panicked: %v", err)
	}
}

func TestVerifyFindsWhatIsNoFunction(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{Peer: func(c *satin.Config) { c.Verify = 1 }})
	findsUnsteady(t, g)
}

// findsUnsteady demands of a grid that verifies that it finds a job that is no function, and
// computes one that is.
func findsUnsteady(t *testing.T, g *satintest.Grid) {
	t.Helper()
	_, err := submit[Unsteady, int64](t, g, Unsteady{7, 1}).Wait()
	var fault *satin.FaultError
	if !errors.As(err, &fault) || fault.Task != "satintest_test.Unsteady" {
		t.Errorf("a job that is no function of its fields: %v", err)
	}
	task := Tree{8, 9, time.Millisecond}
	wait(t, submit[Tree, uint64](t, g, task), task.Value())
}

func TestHugeArgumentsAndResults(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{Peer: func(c *satin.Config) { c.ResultMax = 1 << 20 }})
	sum := func(n, bytes int) int { return n*bytes + n*(n-1)/2 }
	wait(t, submit[Bigs, int](t, g, Bigs{40, 200_000, 10}), sum(40, 200_000))
	wait(t, submit[Bigs, int](t, g, Bigs{40, 10, 200_000}), sum(40, 10))
	for what, task := range map[string]Bigs{"Config.ResultMax": {40, 2 << 20, 10}, "put what jobs share into the root": {40, 10, 2 << 20}} {
		if _, err := submit[Bigs, int](t, g, task).Wait(); err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "satintest_test.Big") {
			t.Errorf("%+v: %v", task, err)
		}
	}
}

// Two parents wait for one key, and one gives it up: the other gets the full value.
func TestOneOfTwoParentsGivesUp(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	aborted := int64(0)
	for seed := range uint64(5) {
		for _, p := range wait(t, submit[Rivals, uint64](t, g, Rivals{seed}), Rivals{seed}.Value()).Peers {
			aborted += p.Aborted
		}
	}
	if aborted == 0 {
		t.Error("nobody gave up anything")
	}
}

// A member that sends what cannot be read, and floods, is hung up on each time; the others compute.
func TestHostileMember(t *testing.T) {
	t.Parallel()
	var hello p2p.Config
	g := start(t, satintest.Config{Peer: func(c *satin.Config) {
		open := c.Testing.Carrier
		c.Testing.Carrier = func(ctx context.Context, pc p2p.Config) (p2p.Carrier, error) {
			if hello.Hello == nil {
				hello = pc
			}
			return open(ctx, pc)
		}
	}})
	down := make(chan struct{}, 1)
	hello.Events = p2p.Events{
		PeerUp: func(p2p.Up) {}, PeerDown: func(string, p2p.SessionEnd) { down <- struct{}{} }, Frame: func(string, []byte) {},
		Bulk: func(string, []byte, []byte) {}, Message: func(string, string, []byte) {},
	}
	evil, err := g.Network.Carrier("b")(context.Background(), hello)
	if err != nil {
		t.Fatal(err)
	}
	defer evil.Close()
	task := seconds(8)
	sub := submit[Tree, uint64](t, g, task)
	rng := rand.New(rand.NewPCG(1, 2))
	victim := g.Peer("a/1").Addrs()
	for sessions := 0; ; sessions++ {
		select {
		case <-sub.Done():
			if wait(t, sub, task.Value()); sessions < 20 {
				t.Errorf("there were only %d sessions", sessions)
			}
			return
		default:
		}
		ctx, cancel := context.WithTimeout(context.Background(), await.Patience)
		id, err := evil.Dial(ctx, victim...)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			junk := make([]byte, 1+rng.IntN(3000))
			for i := range junk {
				junk[i] = byte(rng.Uint32())
			}
			junk[0] = 0xff // no CBOR begins like this
			_ = evil.Send(id, junk)
		}
		select {
		case <-down:
		case <-time.After(await.Patience):
			t.Fatal("who sends junk is not hung up on")
		}
	}
}

// What is published reaches nobody: all is found by digests.
func TestGossipIsLost(t *testing.T) {
	t.Parallel()
	const runs = 5
	for seed := range uint64(runs) {
		g := start(t, satintest.Config{Sites: []satintest.Site{{Name: "a", Peers: 2}, {Name: "b", Peers: 2}}, Peer: func(c *satin.Config) {
			c.CopyEvery = 100 * time.Millisecond
		}})
		deafen(g)
		task := Tree{Depth: 12, Seed: 12 + seed, Leaf: time.Millisecond}
		sub := submit[Tree, uint64](t, g, task)
		soon(t, sub)
		if _, err := g.Add("b"); err != nil {
			t.Fatal(err)
		}
		deafen(g)
		g.Kill("b/1")
		says(t, sub, func(s satin.Stats) bool { return s.Peers[0].CopiesSent > 0 })
		g.Kill("a/1")
		stats := wait(t, sub, task.Value())
		fetched, reused := int64(0), 0
		for _, p := range stats.Peers {
			fetched += p.Fetched
		}
		for _, l := range stats.Losses {
			reused += l.Reused
		}
		if fetched > 0 && reused > 0 {
			return
		}
		t.Logf("%d parts were fetched, and %d found: %+v", fetched, reused, stats)
	}
	t.Errorf("nothing was found, in %d runs", runs)
}

// deafen keeps from everybody what is published.
func deafen(g *satintest.Grid) {
	g.Network.Deafen(g.Client.ID(), true)
	for _, name := range g.Names() {
		g.Network.Deafen(g.Peer(name).ID(), true)
	}
}

// A lost peer had far more parts than one advert tells of. All are found: by the adverts, and where
// nobody hears those by the next digests.
func TestBurstOfAdverts(t *testing.T) {
	t.Parallel()
	for stage, what := range []string{"heard", "lost"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			g := start(t, satintest.Config{Sites: []satintest.Site{{Name: "a", Peers: 3}, {Name: "b", Peers: 1}}, Peer: func(c *satin.Config) {
				c.CopyEvery = 50 * time.Millisecond
			}})
			if what == "lost" {
				deafen(g)
			}
			open(stage)
			task := Flat{N: 1000, Stage: stage}
			sub := submit[Flat, int](t, g, task)
			says(t, sub, func(s satin.Stats) bool { return s.Peers[0].CopiesSent >= partsMany })
			finished := shut(t, stage)
			g.Kill("a/1")
			says(t, sub, func(s satin.Stats) bool {
				reused := 0
				for _, l := range s.Losses { // one that is slow may be lost, too
					reused += l.Reused
				}
				return reused >= finished
			})
			stages[stage].phase.Store(phaseOver)
			wait(t, sub, task.Value())
		})
	}
}
