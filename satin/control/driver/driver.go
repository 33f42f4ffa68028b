package driver

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
)

// Driver drives a machine. All of it belongs to the one goroutine that owns the machine.
type Driver struct {
	machine *peer.Peer
	carrier Carrier
	workers workers.Orders
	owner   Owner

	dialling map[membership.PeerID]*attempt
	underway underway // long messages
	within   int      // events whose effects are being carried out, one within the other
}

// Carrier moves bytes between hosts. No call of it waits, and what comes of one is told later.
type Carrier interface {
	// Encode makes a message's bytes. Any goroutine may call it.
	Encode(m peer.Message) []byte
	// Send queues a frame for a host, and tells whether there is a session with it. It may be
	// lost nevertheless.
	Send(to membership.PeerID, frame []byte) (up bool)
	// SendBulk sends what encode makes, on a stream of its own and by a goroutine of its own
	// where there are any. Later it calls over by the driver's goroutine, once, whatever came
	// of it.
	SendBulk(to membership.PeerID, encode func() []byte, over func(up bool))
	// Publish gossips a frame. Nobody may be there.
	Publish(frame []byte)
	// Dial reaches for a host. Later the driver is told once what came of it, by Dialled.
	Dial(d membership.Dial)
}

// Owner is the process whose machine is driven.
type Owner interface {
	// Now is the time. It never goes backwards.
	Now() time.Duration
	// Else carries out an effect that is neither for the carrier nor for the workers.
	Else(e peer.Effect)
	// Done hears that all effects of an event have been carried out, and those of the events
	// within.
	Done()
}

// New makes a driver.
func New(m *peer.Peer, c Carrier, w workers.Orders, o Owner) *Driver {
	return &Driver{
		machine: m, carrier: c, workers: w, owner: o,
		dialling: map[membership.PeerID]*attempt{},
	}
}

// Do carries out the effects of an event.
func (d *Driver) Do(effects []peer.Effect) {
	d.within++
	// The effects are valid until the next event, and carrying one out may be one.
	for _, e := range append([]peer.Effect(nil), effects...) {
		d.effect(e)
	}
	if d.within--; d.within == 0 {
		d.owner.Done()
	}
}

func (d *Driver) effect(e peer.Effect) {
	switch e := e.(type) {
	case peer.Send:
		d.send(e.To, e.Message)
	case peer.Publish:
		d.carrier.Publish(d.carrier.Encode(e.Message))
	case membership.Dial:
		d.dial(e)
	default:
		if !workers.Carry(d.workers, e) {
			d.owner.Else(e)
		}
	}
}
