package satintest_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/satintest"
)

func TestErrorsAndPanicsCrossTheGrid(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{})
	_, err := submit[Breaking, int](t, g, Breaking{Depth: 4}).Wait()
	var job *satin.JobError
	if !errors.As(err, &job) || job.Task != "satintest_test.Breaking" || job.Peer == "" || !strings.Contains(err.Error(), errBroken.Error()) {
		t.Errorf("an error far away: %v", err)
	}
	_, err = submit[Breaking, int](t, g, Breaking{4, true}).Wait()
	var panicked *satin.PanicError
	if !errors.As(err, &panicked) || panicked.Task != "satintest_test.Breaking" || panicked.Peer == "" || len(panicked.Stack) == 0 {
		t.Errorf("a panic far away: %v", err)
	}
	wait(t, submit[Tree, uint64](t, g, Tree{6, 1, time.Millisecond}), Tree{6, 1, 0}.Value())
}

// A job that nobody waits for any more panics, at a peer that has nothing else of the run: the run fails. That peer must not
// take further jobs of it and keep them.
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
	for seed := range uint64(5) {
		wait(t, submit[Rivals, uint64](t, g, Rivals{seed}), Rivals{seed}.Value())
	}
}

// A member that sends what cannot be read, and floods, is hung up on; the others compute.
func TestHostileMember(t *testing.T) {
	t.Parallel()
	var hello p2p.Config
	var net *satintest.Grid
	g := start(t, satintest.Config{Peer: func(c *satin.Config) {
		open := c.Carrier
		c.Carrier = func(ctx context.Context, pc p2p.Config) (p2p.Carrier, error) {
			if hello.Hello == nil {
				hello = pc
			}
			return open(ctx, pc)
		}
	}})
	net = g
	hello.Events = p2p.Events{
		PeerUp: func(p2p.Up) {}, PeerDown: func(string, p2p.How) {}, Frame: func(string, []byte) {},
		Bulk: func(string, []byte, []byte) {}, Message: func(string, string, []byte) {},
	}
	evil, err := net.Network.Carrier("b")(context.Background(), hello)
	if err != nil {
		t.Fatal(err)
	}
	defer evil.Close()
	task := seconds(8)
	sub := submit[Tree, uint64](t, g, task)
	rng := rand.New(rand.NewPCG(1, 2))
	victim := g.Peer("a/1").Addrs()
	for begin, sent := time.Now(), 0; ; sent++ {
		select {
		case <-sub.Done():
			if wait(t, sub, task.Value()); sent < 100 {
				t.Errorf("only %d frames were sent", sent)
			}
			return
		case <-time.After(200 * time.Microsecond):
		}
		if time.Since(begin) > patience {
			t.Fatal("the run does not end")
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		id, err := evil.Dial(ctx, victim...)
		cancel()
		if err != nil {
			continue
		}
		junk := make([]byte, rng.IntN(3000))
		for i := range junk {
			junk[i] = byte(rng.Uint32())
		}
		_ = evil.Send(id, junk)
	}
}

// What is published reaches nobody: all is found by digests.
func TestGossipIsLost(t *testing.T) {
	t.Parallel()
	g := start(t, satintest.Config{Sites: []satintest.Site{{Name: "a", Peers: 2}, {Name: "b", Peers: 2}}, Peer: func(c *satin.Config) {
		c.CopyEvery = 100 * time.Millisecond
	}})
	deafen := func(p *satin.Peer) { g.Network.Deafen(p.ID(), true) }
	deafen(g.Client)
	for _, name := range g.Names() {
		deafen(g.Peer(name))
	}
	task := Tree{Depth: 12, Seed: 12, Leaf: time.Millisecond}
	sub := submit[Tree, uint64](t, g, task)
	soon(t, sub)
	name, err := g.Add("b")
	if err != nil {
		t.Fatal(err)
	}
	deafen(g.Peer(name))
	g.Kill("b/1")
	time.Sleep(200 * time.Millisecond)
	g.Kill("a/1")
	wait(t, sub, task.Value())
}
