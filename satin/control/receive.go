package control

import (
	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
)

// events is what the carrier calls, on goroutines of its own.
func (l *Loop) events() p2p.Events {
	return p2p.Events{
		PeerUp: func(up p2p.Up) {
			o := driver.Other{
				ID: membership.PeerID(up.ID), Process: up.Process,
				Client: l.conf.Handshake.IsClient(up.Hello), Addrs: up.Addrs,
			}
			l.incoming.up(up.ID, o.Client) // before its first frame is read
			l.post(func() {
				l.machine.Listens(l.carrier.Addrs())
				l.driver.Up(o)
			})
		},
		PeerDown: func(id string, how p2p.SessionEnd) {
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
func (l *Loop) down(id membership.PeerID, how p2p.SessionEnd) {
	for n := len(l.incoming.frames); n > 0; n-- {
		l.arrived(<-l.incoming.frames)
	}
	l.driver.Down(id, partings[how])
}

// partings are the ways to part as the driver has them; any other is a session that broke.
var partings = map[p2p.SessionEnd]driver.Parting{
	p2p.Barred: driver.ShutOut, p2p.Twin: driver.TwinMet, p2p.Closed: driver.Goodbye,
}
