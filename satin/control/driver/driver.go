package driver

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// Driver drives a machine. All of it belongs to the one goroutine that owns the machine.
type Driver struct {
	machine *peer.Peer
	carrier Carrier
	plane   Workers
	owner   Owner

	dialling map[membership.PeerID]*attempt
	underway underway // long messages
	telling  telling
	entry    entry
	keeping  keeping
	within   int // events whose effects are being carried out, one within the other
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
	// Bar keeps a host out, or lets it in again. While it is barred no session with it stands,
	// and it is told so.
	Bar(id membership.PeerID, barred bool)
}

// Workers is the workers. Besides carrying out orders they are asked what others are told of.
type Workers interface {
	workers.Orders
	// Work is what was done for a run so far. There is none where nothing is told of it.
	Work(no peer.RunNo) (w peer.Work, ok bool)
	// Executing is how many jobs that were borrowed, and roots, are in the workers' hands.
	Executing() int
	// Shares tells how far those are, from 0 to 1, that somebody has begun and nobody has
	// ended.
	Shares(each func(borrow steal.Borrow, done float64))
	// Progressed notes how far a taken job is, as its thief tells.
	Progressed(ref steal.Ref, done float64)
}

// Folder is what a process leaves to its next start. Each call replaces what was kept before.
// Later it calls over by the driver's goroutine, once, whatever came of it.
type Folder interface {
	KeepAddresses(known []addresses.Known, over func())
	KeepBars(bars []membership.Bar, over func())
}

// Owner is the process whose machine is driven.
type Owner interface {
	// Now is the time. It never goes backwards.
	Now() time.Duration
	// Else carries out an effect that is neither for the carrier nor for the workers.
	Else(e peer.Effect)
	// Entered hears, once, that the grid has let this peer or client in.
	Entered()
	// Done hears that all effects of an event have been carried out, and those of the events
	// within.
	Done()
}

// New makes a driver. Without a folder nothing is kept.
func New(m *peer.Peer, c Carrier, p Workers, o Owner, f Folder) *Driver {
	return &Driver{
		machine: m, carrier: c, plane: p, owner: o,
		dialling: map[membership.PeerID]*attempt{},
		keeping:  keepingIn(f, m.Sight()),
	}
}

// Do carries out the effects of an event.
func (d *Driver) Do(effects []peer.Effect) {
	d.within++
	// The effects are valid until the next event, and carrying one out may be one.
	for _, e := range append([]peer.Effect(nil), effects...) {
		d.effect(e)
	}
	if d.within--; d.within > 0 {
		return
	}
	if d.entry.looks(d.machine.Sight()) {
		d.owner.Entered()
	}
	d.keeping.writes(d.entry.in)
	d.owner.Done()
}

func (d *Driver) effect(e peer.Effect) {
	switch e := e.(type) {
	case peer.Send:
		d.send(e.To, e.Message)
	case peer.Publish:
		d.carrier.Publish(d.carrier.Encode(e.Message))
	case membership.Dial:
		d.dial(e)
	case peer.KeepAddresses:
		d.keeping.addresses.due = true
	case peer.Progressed:
		d.plane.Progressed(e.Ref, e.Done)
	case membership.Bar:
		d.barred(e.ID, e.Barred)
	case membership.Unbarred: // its bar is the oldest of too many, and forgotten
		d.barred(e.ID, false)
	case peer.StartRun, peer.Execute, peer.EndRun:
		d.ordered(e)
	default:
		if !workers.Carry(d.plane, e) {
			_, stranded := e.(peer.Stranded)
			d.entry.stranded = d.entry.stranded || stranded
			d.owner.Else(e)
		}
	}
}
