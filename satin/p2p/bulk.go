package p2p

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/protocol"
	mstream "github.com/multiformats/go-multistream"
)

const bulkID protocol.ID = "/satin/bulk/1"

// announcement stands before a body: its length and the caller's header. The
// body's digest follows it: both ends hash while they wait for the network,
// and not a megabyte at one go, which kept a steal waiting for half a
// millisecond when the digest stood in front.
type announcement struct {
	length uint64
	header []byte
}

const announcementMax = 8 + 2 + HeaderMax

func (a announcement) append(b []byte) []byte {
	return appendBlock(binary.BigEndian.AppendUint64(b, a.length), a.header)
}

func decodeAnnouncement(b []byte) (announcement, error) {
	c := cursor{rest: b}
	a := announcement{length: c.uint64(), header: c.block(HeaderMax)}
	return a, c.end()
}

// The receiver says in one byte how it stands: before the body, so that not
// much is sent in vain, after each chunk, and at the end.
const (
	bulkOK     = 0
	bulkTooBig = 1
	bulkBusy   = 2
	bulkWrong  = 3 // the digest
	bulkNotUp  = 4
	bulkMore   = 5 // one more chunk is here
)

func bulkError(status byte) error {
	switch status {
	case bulkOK:
		return nil
	case bulkTooBig:
		return fmt.Errorf("%w for the receiver", ErrTooBig)
	case bulkBusy:
		return ErrBusy
	case bulkWrong:
		return ErrDigest
	case bulkNotUp:
		return ErrNotUp
	}
	return fmt.Errorf("p2p: the receiver answered %d: %w", status, errShort)
}

// bulkDeadline is when a transfer of n bytes must be over.
func bulkDeadline(n uint64) time.Time {
	return time.Now().Add(bulkTime + time.Duration(n/bulkSlowest)*time.Second)
}

// SendBulk sends a large value on a stream of its own. At most bulksPerPeer
// run to one peer at a time; others wait their turn here. How long a body may
// be the receiver says, before it is sent.
func (h *Host) SendBulk(ctx context.Context, id string, header, body []byte) error {
	if len(header) > HeaderMax {
		return ErrTooBig
	}
	s := h.session(id)
	if s == nil {
		return ErrNotUp
	}
	if !h.goroutines.enter() {
		return ErrClosed
	}
	defer h.goroutines.leave()
	select {
	case s.bulks <- struct{}{}:
		defer func() { <-s.bulks }()
	case <-s.done:
		return ErrNotUp
	case <-ctx.Done():
		return ctx.Err()
	}
	err := s.sendBulk(ctx, header, body)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case s.h.closed():
		return ErrClosed
	}
	return err
}

func (s *session) sendBulk(ctx context.Context, header, body []byte) error {
	ctx, cancel := context.WithDeadline(ctx, bulkDeadline(uint64(len(body))))
	defer cancel()
	stream, err := s.conn.NewStream(ctx)
	if err != nil {
		return fmt.Errorf("p2p: bulk: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { stream.Reset() })
	defer stop()
	if err := stream.SetProtocol(bulkID); err != nil {
		stream.Reset()
		return fmt.Errorf("p2p: bulk: %w", err)
	}
	t := transfer{stream: stream, lazy: lazily(stream), pace: s.pace}
	a := announcement{length: uint64(len(body)), header: header}
	if err = writeBlock(t.lazy, a.append(nil)); err == nil {
		err = t.run(ctx, body)
	}
	if err != nil {
		stream.Reset()
		return fmt.Errorf("p2p: bulk: %w", err)
	}
	stream.Close()
	return nil
}

// lazily names the protocol with the first write, without waiting for consent.
func lazily(stream network.Stream) mstream.LazyConn { return mstream.NewMSSelect(stream, bulkID) }

// receive handles a transfer that a peer began.
func (h *Host) receive(stream network.Stream) {
	h.count.bulks.Add(1)
	err := h.receiveBulk(stream)
	if err != nil {
		h.log.Debug("bulk not received", "peer", stream.Conn().RemotePeer(), "error", err)
		// The status must not be overtaken by the reset.
		stream.CloseWrite()
		stream.SetReadDeadline(time.Now().Add(lingerTime))
		io.CopyN(io.Discard, stream, 1)
		stream.Reset()
		return
	}
	stream.Close()
}

func (h *Host) receiveBulk(stream network.Stream) error {
	stream.SetDeadline(time.Now().Add(streamTime))
	b, err := readBlock(stream, announcementMax)
	if err != nil {
		return err
	}
	a, err := decodeAnnouncement(b)
	if err != nil {
		return err
	}
	s := h.awaitSession(stream.Conn().RemotePeer())
	status := byte(bulkOK)
	switch {
	case s == nil:
		status = bulkNotUp
	case a.length > uint64(h.cfg.BulkMaxFrom(s.id)):
		status = bulkTooBig
	case s.taken.Add(1) > bulksPerPeer:
		s.taken.Add(-1)
		status = bulkBusy
	}
	if status != bulkOK {
		stream.Write([]byte{status})
		return bulkError(status)
	}
	over := sync.OnceFunc(func() {
		h.budget.Add(-int64(a.length))
		s.taken.Add(-1)
	})
	defer over()
	if h.budget.Add(int64(a.length)) > max(bulkBudget, int64(a.length)) {
		stream.Write([]byte{bulkBusy})
		return ErrBusy
	}
	if _, err := stream.Write([]byte{bulkOK}); err != nil {
		return err
	}
	body, err := readBody(stream, a)
	if f := h.events.Bulk; f != nil && err == nil {
		f(s.id, a.header, body)
	}
	over() // before the sender hears of it, who may begin with the next
	if errors.Is(err, ErrDigest) {
		stream.Write([]byte{bulkWrong})
	}
	if err != nil {
		return err
	}
	stream.SetWriteDeadline(time.Now().Add(streamTime))
	_, err = stream.Write([]byte{bulkOK})
	return err
}

// readBody reads and verifies a body. Memory grows with what has come, not
// with what was announced.
func readBody(stream network.Stream, a announcement) ([]byte, error) {
	var body []byte
	end := bulkDeadline(a.length)
	digest := sha256.New()
	for uint64(len(body)) < a.length {
		now := time.Now()
		if now.After(end) {
			return nil, os.ErrDeadlineExceeded
		}
		stream.SetReadDeadline(now.Add(stallTime))
		at, n := len(body), int(min(a.length-uint64(len(body)), bulkChunk))
		body = grown(body, n, a.length)
		if _, err := io.ReadFull(stream, body[at:]); err != nil {
			return nil, err
		}
		digest.Write(body[at:])
		stream.SetWriteDeadline(now.Add(stallTime))
		if _, err := stream.Write([]byte{bulkMore}); err != nil {
			return nil, err
		}
	}
	var said [sha256.Size]byte
	stream.SetReadDeadline(time.Now().Add(stallTime))
	if _, err := io.ReadFull(stream, said[:]); err != nil {
		return nil, err
	}
	if [sha256.Size]byte(digest.Sum(nil)) != said {
		return nil, ErrDigest
	}
	return body, nil
}

// grown makes b longer by n, and doubles its room when that is used up, but
// never beyond what was announced.
func grown(b []byte, n int, announced uint64) []byte {
	if need := len(b) + n; need > cap(b) {
		room := min(uint64(max(2*cap(b), need, bulkFirst)), announced)
		b = append(make([]byte, 0, room), b...)
	}
	return b[:len(b)+n]
}
