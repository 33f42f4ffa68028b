package control

import (
	"errors"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
	"satingrid/satin/wire"
)

// messages reads what peers say.
var messages = wire.NewCodec()

// bulkFrom is how long a message may be that comes from a peer, if that is more than this one was
// told: what a run was promised when it was submitted, every member carries. The outcome of a run
// must not be whose jobs went where. Clients bring roots, which have a bound of their own.
func (l *Loop) bulkFrom(id string) int64 {
	if _, client := l.clients.Load(id); client {
		return 0
	}
	return l.promised.Load() + driver.BulkAbove
}

// events is what the carrier calls, on goroutines of its own.
func (l *Loop) events() p2p.Events {
	return p2p.Events{
		PeerUp: func(up p2p.Up) {
			id, client := membership.PeerID(up.ID), l.conf.Handshake.IsClient(up.Hello)
			if client { // before its first frame is read
				l.clients.Store(up.ID, true)
			}
			l.post(func() {
				delete(l.parted, id)
				l.machine.Listens(l.carrier.Addrs())
				l.driver.Up(id, client, up.Addrs...)
			})
		},
		PeerDown: func(id string, how p2p.How) {
			l.clients.Delete(id)
			l.post(func() {
				l.hearOut()
				if how == p2p.Barred {
					l.shutOut(membership.PeerID(id))
				}
				if how == p2p.Twin {
					l.cancel(ErrTwin)
				}
				l.parts(membership.PeerID(id), how)
				l.driver.Down(membership.PeerID(id))
			})
		},
		Frame:   func(id string, frame []byte) { l.receive(id, frame, true) },
		Bulk:    func(id string, _, body []byte) { l.receive(id, body, true) },
		Message: func(_, from string, data []byte) { l.receive(from, data, false) },
	}
}

// hearOut takes what has come in so far: the last words of a peer before the end of its session.
func (l *Loop) hearOut() {
	for n := len(l.frames); n > 0; n-- {
		l.arrived(<-l.frames)
	}
}

// receive decodes what came in and queues it. Whoever sends what cannot be decoded is hung up on,
// and whoever sends too much waits.
func (l *Loop) receive(from string, data []byte, session bool) {
	l.conf.watch("decode a message", nil, len(data))
	m, err := messages.Decode(data)
	if err != nil {
		if session && !errors.Is(err, wire.ErrKind) {
			l.warn(from, err)
			l.carrier.HangUp(from)
		}
		return
	}
	if session {
		l.rateLimits.wait(l.ctx, from, m.Body, len(data))
	}
	_, client := l.clients.Load(from)
	select {
	case l.frames <- arrival{membership.PeerID(from), m, client}:
	case <-l.ctx.Done():
	}
}

// warn says, now and then, that a peer cannot be understood.
func (l *Loop) warn(from string, err error) {
	last, next := l.warned.Load(), int64(l.now()+warnEvery)
	if int64(l.now()) > last && l.warned.CompareAndSwap(last, next) {
		l.conf.log().Warn("a peer sent what cannot be read, and was hung up on",
			"peer", from, "error", err)
	}
}
