package p2p

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	mstream "github.com/multiformats/go-multistream"
)

// ask asks the opener for a session for as long as a connection is up and has
// none: the opener may believe in one that this end has lost.
func (h *Host) ask(conn network.Conn) {
	id := conn.RemotePeer()
	wait := askTime
	for !conn.IsClosed() {
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-h.ctx.Done():
			t.Stop()
			return
		}
		h.mu.Lock()
		p := h.pair(id)
		up, lost := p.session != nil, asking{h.start, p.start, p.number}
		h.mu.Unlock()
		if up || h.askOnce(conn, lost) != nil {
			return
		}
		wait = 4 * askTime
	}
}

// asking names the newest session that the asker knows of.
type asking struct {
	asker, opener uint64 // the starts of the two processes
	number        uint64
}

const askingSize = 24

func (a asking) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, a.asker)
	b = binary.BigEndian.AppendUint64(b, a.opener)
	return binary.BigEndian.AppendUint64(b, a.number)
}

func decodeAsking(b []byte) (asking, error) {
	c := cursor{rest: b}
	a := asking{c.uint64(), c.uint64(), c.uint64()}
	return a, c.end()
}

func (h *Host) askOnce(conn network.Conn, lost asking) error {
	ctx, cancel := context.WithTimeout(h.ctx, streamTime)
	defer cancel()
	stream, err := conn.NewStream(ctx)
	if err != nil {
		return err
	}
	defer stream.Close()
	stream.SetDeadline(time.Now().Add(streamTime))
	if err := stream.SetProtocol(askID); err != nil {
		return err
	}
	lazy := mstream.NewMSSelect(stream, askID)
	if err := writeBlock(lazy, lost.append(nil)); err != nil {
		return err
	}
	_, err = readBlock(lazy, 0)
	return err
}

// asked handles an ask: the session that the asker lost is over here too.
func (h *Host) asked(stream network.Stream) {
	conn := stream.Conn()
	stream.SetDeadline(time.Now().Add(streamTime))
	b, err := readBlock(stream, askingSize)
	if err != nil || !h.opens(conn.RemotePeer()) {
		stream.Reset()
		return
	}
	lost, err := decodeAsking(b)
	if err != nil {
		stream.Reset()
		return
	}
	writeBlock(stream, nil)
	stream.Close()
	h.mu.Lock()
	old := h.pair(conn.RemotePeer()).session
	h.mu.Unlock()
	if old != nil && (old.theirs.start != lost.asker || lost.opener == h.start && old.number <= lost.number) {
		old.end(ended(old, lost.asker))
		select {
		case <-old.gone:
		case <-h.ctx.Done():
			return
		}
	}
	h.ensure(conn)
}
