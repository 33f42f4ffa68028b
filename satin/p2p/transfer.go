package p2p

import (
	"context"
	"crypto/sha256"
	"io"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	mstream "github.com/multiformats/go-multistream"
)

// transfer is one body on its way. One goroutine writes chunks as the pace
// allows, another reads what the receiver says of them.
type transfer struct {
	stream network.Stream
	lazy   mstream.LazyConn
	pace   *pace

	mu     sync.Mutex // protects flying
	flying []chunk    // sent and not acknowledged, oldest first
}

type chunk struct {
	bytes int
	sent  time.Time
}

// run sends the body and returns the receiver's last word. The first chunks
// are sent before its first word, which saves a small body a round trip.
func (t *transfer) run(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answer := make(chan error, 1)
	go func() {
		err := t.listen()
		if err != nil {
			cancel() // whoever waits for room need not
		}
		answer <- err
	}()
	err := t.write(ctx, body)
	if err != nil {
		// The receiver's word says more than a write that failed, and comes
		// at once when there is one.
		t.stream.SetReadDeadline(time.Now().Add(lingerTime))
	}
	if said := <-answer; said != nil || err == nil {
		err = said
	}
	for _, c := range t.flying {
		t.pace.release(c.bytes)
	}
	return err
}

// write sends the body and then its digest.
func (t *transfer) write(ctx context.Context, body []byte) error {
	digest := sha256.New()
	for len(body) > 0 {
		n := min(len(body), bulkChunk)
		if err := t.pace.acquire(ctx, n); err != nil {
			return err
		}
		now := time.Now()
		t.mu.Lock()
		t.flying = append(t.flying, chunk{n, now})
		t.mu.Unlock()
		t.stream.SetWriteDeadline(now.Add(stallTime))
		if _, err := t.stream.Write(body[:n]); err != nil {
			return err
		}
		digest.Write(body[:n])
		body = body[n:]
	}
	t.stream.SetWriteDeadline(time.Now().Add(stallTime))
	_, err := t.stream.Write(digest.Sum(nil))
	return err
}

// listen reads the receiver's words up to the last. They are the first, one
// for each chunk, and the last.
func (t *transfer) listen() error {
	var word [1]byte
	for first := true; ; first = false {
		if _, err := io.ReadFull(t.lazy, word[:]); err != nil {
			return err
		}
		if word[0] != bulkMore {
			if err := bulkError(word[0]); err != nil || !first {
				return err
			}
			continue
		}
		now := time.Now()
		t.mu.Lock()
		if first || len(t.flying) == 0 {
			t.mu.Unlock()
			return errShort
		}
		c := t.flying[0]
		t.flying = t.flying[1:]
		t.mu.Unlock()
		t.pace.acknowledged(c.bytes, now.Sub(c.sent), now)
	}
}
