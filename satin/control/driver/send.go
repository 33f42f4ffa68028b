package driver

import (
	"satingrid/membership"
	"satingrid/satin/peer"
)

const (
	// BulkAbove is the length above which a message has a stream of its own, so that no steal
	// waits behind it.
	BulkAbove = 16 << 10

	// unsentMax bounds the bytes of what waits for one host to be reached: what is said to it
	// first.
	unsentMax = 64 << 10
)

// attempt are the dials of a host that are under way.
type attempt struct {
	dials   int
	outcome DialOutcome // of those that are over
	unsent  [][]byte    // messages that wait for it
	bytes   int         // of those
}

// send carries a message to one host. If no session is up and the host is being dialled, a message
// that is no bulk waits for that.
func (d *Driver) send(to membership.PeerID, m peer.Message) {
	if n := peer.Size(m.Body); n > BulkAbove {
		m.Body = peer.Detached(m.Body)
		d.sendBulk(to, m.Body, n, func() []byte { return d.carrier.Encode(m) })
		return
	}
	d.sendEncoded(to, m.Body, d.carrier.Encode(m))
}

// sendEncoded carries a message that is encoded already. Its body tells it from others.
func (d *Driver) sendEncoded(to membership.PeerID, body membership.Body, data []byte) {
	if len(data) > BulkAbove {
		d.sendBulk(to, body, len(data), func() []byte { return data })
		return
	}
	if d.carrier.Send(to, data) {
		return
	}
	d.reach(to) // for what the machine does not say itself
	if a := d.dialling[to]; a != nil && a.bytes+len(data) <= unsentMax {
		a.bytes += len(data)
		a.unsent = append(a.unsent, data)
	}
}

// reach has a host dialled with which there is no session.
func (d *Driver) reach(to membership.PeerID) {
	if d.dialling[to] == nil {
		d.Do(d.machine.Reach(d.owner.Now(), to))
	}
}

// sendUnsent sends what waited for a host that is up now, and has been greeted: a stranger's
// requests are not heard. A thief that has just joined would else wait long for the answer to a
// request that nobody has got.
func (d *Driver) sendUnsent(to membership.PeerID) {
	a := d.dialling[to]
	if a == nil {
		return
	}
	all := a.unsent
	a.unsent, a.bytes = nil, 0
	for _, data := range all {
		d.carrier.Send(to, data) // or it is down again
	}
}

// sendBulk sends a long message on a stream of its own, and encodes it there. What is under way
// already goes no second time: repeated messages would else share a slow link with the first until
// none of them gets through.
func (d *Driver) sendBulk(to membership.PeerID, body membership.Body, n int, encode func() []byte) {
	if !d.underway.mayGo(to, body, n) {
		return
	}
	arrived := d.underway.begin(to, body, n)
	d.carrier.SendBulk(to, encode, func(up bool) {
		arrived()
		if !up {
			d.Do(d.machine.Reach(d.owner.Now(), to))
		}
	})
}
