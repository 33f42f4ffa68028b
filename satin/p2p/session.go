package p2p

import (
	"bufio"
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-yamux/v5"
	"golang.org/x/time/rate"
)

// session is one control stream with a peer. Two goroutines own it: the
// writer empties the queue, the reader tells the caller what comes and, as the
// last thing, that the session is over.
type session struct {
	h      *Host
	id     string
	pid    peer.ID
	conn   network.Conn
	stream network.Stream
	own    streamOpening // what this end said
	theirs streamOpening // what the other end said
	number uint64

	queue  chan outgoing
	queued atomic.Int64 // bytes in queue

	once    sync.Once
	parting atomic.Int32  // how this end is ending it, once it says goodbye
	how     SessionEnd    // why it ended; written once, before done is closed
	done    chan struct{} // closed when the session begins to end
	gone    chan struct{} // closed when PeerDown has returned

	bulks   chan struct{} // places for transfers to this peer
	pace    *pace         // of all of them together
	listing uint64        // the list of guests that this peer was sent; keep's
	taken   atomic.Int32  // transfers from this peer under way
}

type outgoing struct {
	kind    byte
	payload []byte
}

func newSession(h *Host, conn network.Conn, stream network.Stream, own, theirs streamOpening, number uint64) *session {
	return &session{h: h, id: conn.RemotePeer().String(), pid: conn.RemotePeer(), conn: conn, stream: stream,
		own: own, theirs: theirs, number: number,
		queue: make(chan outgoing, queueFrames), done: make(chan struct{}), gone: make(chan struct{}),
		bulks: make(chan struct{}, bulksPerPeer), pace: newPace()}
}

// send queues a frame.
func (s *session) send(kind byte, payload []byte) error {
	if s.queued.Add(int64(len(payload))) > queueBytes {
		s.queued.Add(-int64(len(payload)))
		return ErrFull
	}
	select {
	case <-s.done:
		return ErrNotUp
	default:
	}
	select {
	case s.queue <- outgoing{kind, payload}:
		return nil
	default:
		s.queued.Add(-int64(len(payload)))
		return ErrFull
	}
}

// end begins the end of the session. The connection goes with it, because a
// control stream breaks only when the connection is broken or the other end
// does not keep to the protocol; and a dial must not find a dead connection.
func (s *session) end(how SessionEnd) {
	s.once.Do(func() {
		if parting := SessionEnd(s.parting.Load()); parting != 0 {
			how = parting
		}
		if s.parting.Load() == int32(Twin) {
			how = Restarted
		}
		s.how = how
		close(s.done)
		s.stream.Reset()
		s.conn.Close()
	})
}

// goodbye tells the other end that the session is over and gives it a moment
// to hang up itself; after that it is hung up on.
func (s *session) goodbye(ctx context.Context, how SessionEnd) {
	s.parting.CompareAndSwap(0, int32(how))
	if s.send(kindGoodbye, []byte{byte(how)}) == nil {
		select {
		case <-s.done:
		case <-ctx.Done():
		}
	}
	s.end(how)
}

// write is the writer goroutine: one Write for a frame, or for several small
// ones that wait.
func (s *session) write() {
	var deadline time.Time
	var buf []byte
	for {
		var next outgoing
		select {
		case next = <-s.queue:
		case <-s.done:
			return
		}
		buf = appendFrame(buf[:0], next.kind, next.payload)
		size := len(next.payload)
		for more := true; more && len(buf) < batchBytes; {
			select {
			case next = <-s.queue:
				buf = appendFrame(buf, next.kind, next.payload)
				size += len(next.payload)
			default:
				more = false
			}
		}
		// Setting a deadline costs as much as a write, so it is moved when
		// half of it is gone.
		if now := time.Now(); deadline.Sub(now) < writeTime {
			deadline = now.Add(2 * writeTime)
			s.stream.SetWriteDeadline(deadline)
		}
		_, err := s.stream.Write(buf)
		s.queued.Add(-int64(size))
		if err != nil {
			s.end(howFrom(err))
			return
		}
		if cap(buf) > 2*FrameMax {
			buf = nil
		}
	}
}

// read is the reader goroutine. It holds the other end to its rate by not
// reading, which in the end makes the other end wait.
func (s *session) read() {
	limit := rate.NewLimiter(framesPerSecond, framesBurst)
	frames := frameReader{r: bufio.NewReaderSize(s.stream, 4096)}
	for {
		kind, payload, err := frames.next()
		if err != nil {
			s.end(howFrom(err))
			return
		}
		if kind == kindGoodbye {
			s.end(howSaid(payload))
			return
		}
		if kind == kindGuests {
			if s.h.relays.listed(s, payload) != nil {
				s.end(Faulty)
				return
			}
			continue
		}
		if wait := limit.Reserve().Delay(); wait > 0 {
			s.pause(wait)
		}
		select {
		case <-s.done:
			return
		default:
		}
		s.h.count.frames.Add(1)
		if f := s.h.events.Frame; f != nil {
			f(s.id, payload)
		}
	}
}

func (s *session) pause(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.done:
	}
}

// howSaid is the reason that a goodbye gives; a host may only say that it
// closed, or that it barred this one, or met its twin.
func howSaid(payload []byte) SessionEnd {
	if len(payload) == 1 && slices.Contains([]SessionEnd{Closed, Barred, Twin}, SessionEnd(payload[0])) {
		return SessionEnd(payload[0])
	}
	return Faulty
}

// howFrom reads the end of a session from an error of its stream.
func howFrom(err error) SessionEnd {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, errShort):
		return Faulty
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, yamux.ErrKeepAliveTimeout),
		errors.As(err, &timeout) && timeout.Timeout():
		return Silent
	}
	return Reset
}
