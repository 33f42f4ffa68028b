package satintest_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// ofClient changes the configuration of the client alone.
func ofClient(change func(*satin.Config)) satintest.Config {
	return satintest.Config{Peer: func(c *satin.Config) {
		if c.Client {
			change(c)
		}
	}}
}

// TestAnswerTooLargeForItsClient: the limit is the run's, and so is the failure; what is
// smaller comes as ever, and so does a result of the same size that stays within the grid's own
// limit for another client.
func TestAnswerTooLargeForItsClient(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	g := start(t, ofClient(func(c *satin.Config) { c.ResultMax = limit }))
	_, err := submit[Big, []byte](t, g, Big{Bytes: 2 * limit}).Wait()
	for _, said := range []string{"satintest_test.Big", "1048576", "20971"} {
		if err == nil || !strings.Contains(err.Error(), said) {
			t.Fatalf("an answer of %d bytes, of which %d may travel: %v", 2*limit, limit, err)
		}
	}
	if got, err := submit[Big, []byte](t, g, Big{Bytes: limit / 2}).Wait(); err != nil || len(got) != limit/2 {
		t.Errorf("an answer that may travel: %d bytes, %v", len(got), err)
	}
}

// BigChild has a chain of children below it, each on another peer than its parent. The last comes
// to so many bytes, and so do all.
type BigChild struct{ Bytes, Depth, Chain int }

var bigBegan [3][4]atomic.Bool // by chain and depth

func (b BigChild) Run(s *satin.Scope) ([]byte, error) {
	bigBegan[b.Chain][b.Depth].Store(true)
	if b.Depth == 0 {
		return make([]byte, b.Bytes), nil
	}
	x := satin.Spawn(s, BigChild{b.Bytes, b.Depth - 1, b.Chain})
	computesUntil(s, bigBegan[b.Chain][b.Depth-1].Load)
	return x.Wait(s)
}

// TestAnswerTooLargeForAThird: the contact has promised more than another peer carries for its own
// runs. That one executes the root's child, or lends it; nobody may wait for ever, and what comes
// of the run must not be the other's to decide.
func TestAnswerTooLargeForAThird(t *testing.T) {
	t.Parallel()
	const limit = 72 << 20
	bigBegan = [3][4]atomic.Bool{}
	g := start(t, satintest.Config{
		Sites: []satintest.Site{{Name: "a", Peers: 1}, {Name: "b", Peers: 2}},
		Peer: func(c *satin.Config) {
			if c.Client || c.Site == "a" {
				c.ResultMax = limit
			}
		},
	})
	const size = limit - 1<<20
	if got, err := submit[BigChild, []byte](t, g, BigChild{size, 3, 0}).Wait(); err != nil || len(got) != size {
		t.Errorf("an answer that was promised: %d bytes, %v", len(got), err)
	}
	if _, err := submit[BigChild, []byte](t, g, BigChild{limit + 1, 3, 1}).Wait(); err == nil || !strings.Contains(err.Error(), fmt.Sprint(limit)) {
		t.Errorf("an answer of more than was promised: %v", err)
	}
	sub := submit[BigChild, []byte](t, g, BigChild{size, 3, 2})
	await.Until(t, "the third of the chain has begun", bigBegan[2][1].Load)
	g.Kill("a/1")              // the others keep its promise
	bigBegan[2][0].Store(true) // two peers can wait for each other's jobs to be begun
	if got, err := sub.Wait(); err != nil || len(got) != size {
		t.Errorf("an answer that was promised by a peer that is gone: %d bytes, %v", len(got), err)
	}
}

// TestVerifyBelongsToTheRun: the client asks for it, and every peer does it.
func TestVerifyBelongsToTheRun(t *testing.T) {
	t.Parallel()
	g := start(t, ofClient(func(c *satin.Config) { c.Verify = 1 }))
	findsUnsteady(t, g)
}
