package p2p

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"
)

func noise(n int) []byte {
	r := rand.NewChaCha8([32]byte{byte(n)})
	b := make([]byte, n)
	r.Read(b)
	return b
}

func TestBulkArrivesWhole(t *testing.T) {
	await.NoLeaks(t)
	a, b := start(t), start(t)
	join(t, a, b)
	for _, n := range []int{0, 1, bulkChunk - 1, bulkChunk, bulkChunk + 1, 3 << 20} {
		header := fmt.Appendf(nil, "result %d", n)
		if err := a.SendBulk(soon(t), b.ID(), header, noise(n)); err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		b.saw.mu.Lock()
		if !bytes.Equal(b.saw.bodies[string(header)], noise(n)) {
			t.Errorf("%d bytes arrived changed", n)
		}
		b.saw.mu.Unlock()
	}
	a.Close()
	b.Close()
}

func TestBulkCaps(t *testing.T) {
	a := start(t)
	var more atomic.Int64
	b := start(t, func(c *Config) {
		c.BulkMax = 1000
		c.BulkFrom = func(id string) int64 {
			if id != a.ID() {
				return 1 << 40
			}
			return more.Load()
		}
	})
	join(t, a, b)
	if err := b.SendBulk(soon(t), a.ID(), nil, make([]byte, 1001)); err != nil {
		t.Errorf("over the sender's cap, and not the receiver's: %v", err)
	}
	if err := a.SendBulk(soon(t), b.ID(), nil, make([]byte, 1001)); !errors.Is(err, ErrTooBig) {
		t.Errorf("over the receiver's cap: %v", err)
	}
	if err := a.SendBulk(soon(t), b.ID(), make([]byte, HeaderMax+1), nil); err != ErrTooBig {
		t.Errorf("a long header: %v", err)
	}
	if err := a.SendBulk(soon(t), b.ID(), make([]byte, HeaderMax), make([]byte, 1000)); err != nil {
		t.Errorf("just at the caps: %v", err)
	}
	if err := a.SendBulk(soon(t), "nobody", nil, nil); err != ErrNotUp {
		t.Errorf("to nobody: %v", err)
	}
	more.Store(5000)
	if err := a.SendBulk(soon(t), b.ID(), nil, make([]byte, 5000)); err != nil {
		t.Errorf("as much as is taken from this peer now: %v", err)
	}
	if err := a.SendBulk(soon(t), b.ID(), nil, make([]byte, 5001)); !errors.Is(err, ErrTooBig) {
		t.Errorf("over that: %v", err)
	}
	if a.saw.count("down")+b.saw.count("down") != 0 {
		t.Error("a refused transfer ended the session")
	}
}

// tamper sends an announcement, and a body with the digest of another one.
func tamper(t *testing.T, a, b peerHost, length uint64, body, digestOf []byte) error {
	t.Helper()
	s, err := a.session(b.ID()).conn.NewStream(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Reset()
	x := transfer{stream: s, lazy: lazily(s), pace: newPace()}
	if err := writeBlock(x.lazy, announcement{length: length}.append(nil)); err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(digestOf)
	// it is acknowledged chunk by chunk
	x.flying = []chunk{{bytes: 0}, {bytes: 0}, {bytes: 0}, {bytes: 0}}
	go func() {
		s.Write(body)
		s.Write(digest[:])
		s.CloseWrite()
	}()
	return x.listen()
}

func TestBulkWithAWrongDigestIsNotDelivered(t *testing.T) {
	a, b := start(t), start(t)
	join(t, a, b)
	body := noise(100_000)
	changed := bytes.Clone(body)
	changed[77_777]++
	if err := tamper(t, a, b, 100_000, changed, body); !errors.Is(err, ErrDigest) {
		t.Fatalf("changed on the way: %v", err)
	}
	if err := tamper(t, a, b, 1<<40, nil, nil); !errors.Is(err, ErrTooBig) {
		t.Fatalf("a huge announcement: %v", err)
	}
	if err := tamper(t, a, b, 100_100, body, body); err == nil {
		t.Fatal("a body that ends early was accepted")
	}
	if b.saw.count("bulk") != 0 {
		t.Fatal("delivered all the same")
	}
	if err := a.SendBulk(soon(t), b.ID(), nil, body); err != nil {
		t.Fatal(err)
	}
}

func TestManyBulksWaitTheirTurn(t *testing.T) {
	a, b := start(t), start(t)
	join(t, a, b)
	var all sync.WaitGroup
	for i := range 4 * bulksPerPeer {
		all.Go(func() {
			if err := a.SendBulk(soon(t), b.ID(), fmt.Appendf(nil, "%d", i), noise(300_000)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := b.saw.count("bulk"); n != 4*bulksPerPeer {
		t.Fatalf("%d arrived", n)
	}
}

func TestBulkEndsWithItsContextAndWithTheSession(t *testing.T) {
	block, begun := make(chan struct{}), make(chan string, 2)
	a := start(t)
	b := start(t, func(c *Config) {
		c.Events.Bulk = func(_ string, header, _ []byte) {
			begun <- string(header)
			<-block
		}
	})
	defer close(block)
	join(t, a, b)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := a.SendBulk(ctx, b.ID(), nil, noise(10)); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a receiver that does not come back: %v", err)
	}
	failed := make(chan error)
	go func() { failed <- a.SendBulk(soon(t), b.ID(), []byte("second"), noise(10)) }()
	for header := ""; header != "second"; {
		select {
		case header = <-begun:
		case <-time.After(patience):
			t.Fatal("the second has not come")
		}
	}
	a.HangUp(b.ID())
	if err := <-failed; err == nil {
		t.Fatal("succeeded although the session ended")
	}
}
