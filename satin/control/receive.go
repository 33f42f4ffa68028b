package control

import (
	"satingrid/membership"
	"satingrid/satin/p2p"
)

// events is what the carrier calls, on goroutines of its own.
func (l *Loop) events() p2p.Events {
	return p2p.Events{
		PeerUp: func(up p2p.Up) {
			id, client := membership.PeerID(up.ID), l.conf.Handshake.IsClient(up.Hello)
			l.incoming.up(up.ID, client) // before its first frame is read
			l.post(func() {
				l.leavers.up(id)
				l.machine.Listens(l.carrier.Addrs())
				l.driver.Up(id, client, up.Addrs...)
			})
		},
		PeerDown: func(id string, how p2p.How) {
			l.incoming.down(id)
			l.post(func() { l.down(membership.PeerID(id), how) })
		},
		Frame:   func(id string, frame []byte) { l.receive(id, frame) },
		Bulk:    func(id string, _, body []byte) { l.receive(id, body) },
		Message: func(_, from string, data []byte) { l.incoming.receive(from, data, false) },
	}
}

// receive takes what came through a session.
func (l *Loop) receive(id string, data []byte) {
	if !l.incoming.receive(id, data, true) {
		l.carrier.HangUp(id)
	}
}

// down hears that a session has ended: the last words of the host come before.
func (l *Loop) down(id membership.PeerID, how p2p.How) {
	for n := len(l.incoming.frames); n > 0; n-- {
		l.arrived(<-l.incoming.frames)
	}
	switch how {
	case p2p.Barred:
		l.driver.ShutOut(id)
	case p2p.Twin:
		l.cancel(ErrTwin)
	case p2p.Closed:
		if _, ok := l.machine.Sight().Member(id); ok {
			l.leavers.parts(id)
		}
	}
	l.driver.Down(id)
}
