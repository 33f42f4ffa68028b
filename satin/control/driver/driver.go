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
	conf    Config
	machine *peer.Peer
	carrier Carrier
	plane   workers.Plane
	owner   Owner

	dialling map[membership.PeerID]*attempt
	twins    twins
	underway underway // long messages
	telling  telling
	entry    wayIn
	keeping  legacy
	store    Disk
	within   int           // events whose effects are being carried out, one within the other
	doing    []peer.Effect // … these, the innermost event's last

	// what people and programs are told of, a component each
	submissions submissions
	masters     masters
	leavers     leavers
	orders      orders
}

// Config is what a driver is told of its host.
type Config struct {
	Client bool // it is one
	Past   bool // its folder says that it has met others
	NoFT   bool // a run that is submitted here fails when a member is lost
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
	// TellTwin ends the session with a host, which is told that another process lives under its
	// identity. That one, which dials again since its session was taken over, is told next.
	TellTwin(id membership.PeerID)
	// BytesFar is how many bytes have been sent to other sites.
	BytesFar() int64
}

// Folder is what a process leaves to its next start. Each call replaces what was kept before.
// Later it calls over by the driver's goroutine, once, and tells whether it is written.
type Folder interface {
	KeepAddresses(known []addresses.Known, over func(ok bool))
	KeepBars(bars []membership.Bar, over func(ok bool))
	KeepEnds(ended []peer.Tombstone, over func(ok bool))
}

// Disk is what a process has of runs on its disk. No call of it waits: what it is told is done in
// its order, and what comes of that is told later by the driver's goroutine, once.
type Disk interface {
	// Save writes all of a batch or nothing, and tells which.
	Save(s peer.Save, over func(ok bool))
	Forget(f peer.Forget)
	// Recall reads what there is in a place, of its results the dearest, no more than so many
	// bytes. What is not what was written counts as not there; what cannot be
	// read now, and may be later, is peer.Stored.Unread.
	Recall(place steal.Key, bytesMax int, over func(found peer.Stored))
}

// Owner is the process whose machine is driven.
type Owner interface {
	// Now is the time. It never goes backwards.
	Now() time.Duration
	// Entered hears, once, that the grid has let this peer or client in.
	Entered()
	// Ends hears, once, why this process ends: peer.Left, peer.Stranded, membership.Banned or
	// Twin.
	Ends(why peer.Effect)
	// Read has an answer read, which may take long. Later it calls over by the driver's
	// goroutine, once, whatever it has read.
	Read(n steal.Nonce, answer steal.Result, over func())
	// Ended hears, once for each submission, what it has come to.
	Ended(n steal.Nonce, e End)
	// Followed hears, once for each order that is not recalled, what came of it.
	Followed(e peer.OrderDone)
	// Tell is for people: all effects of the machine that neither the carrier nor the workers
	// carry out, before anything comes of them; and Lost, Master and Rooted.
	Tell(news peer.Effect)
	// Done hears that all effects of an event have been carried out, and those of the events
	// within.
	Done()
}

// New makes a driver. Without a folder nothing is kept, and a store is needed only by a machine
// that was told that there is one.
func New(
	c Config, m *peer.Peer, carrier Carrier, p workers.Plane, o Owner, f Folder, s Disk,
) *Driver {
	return &Driver{
		conf: c, machine: m, carrier: carrier, plane: p, owner: o, store: s,
		dialling: map[membership.PeerID]*attempt{},
		keeping:  keepingIn(f, m.Sight(), o.Now),
		masters:  newMasters(), leavers: newLeavers(c.Client),
	}
}

// Do carries out the effects of an event.
func (d *Driver) Do(effects []peer.Effect) {
	d.within++
	if len(effects) > 0 {
		d.each(effects)
	}
	if d.within--; d.within > 0 {
		return
	}
	if d.entry.looks(d.machine.Sight()) {
		d.owner.Entered()
	}
	d.keeping.writes(d.entry.in)
	d.findRoots()
	d.owner.Done()
}

// each carries out the effects of an event, which are valid until the next one, and carrying one
// out may be one. Dials come first, since what comes of another effect, within, may be told to a
// host that the machine counts as being dialled.
func (d *Driver) each(effects []peer.Effect) {
	from := len(d.doing)
	d.doing = append(d.doing, effects...)
	all := d.doing[from:]
	for _, e := range all {
		if dial, ok := e.(membership.Dial); ok {
			d.dial(dial)
		}
	}
	for _, e := range all {
		d.effect(e)
	}
	clear(d.doing[from:])
	d.doing = d.doing[:from]
}

func (d *Driver) effect(e peer.Effect) {
	switch e := e.(type) {
	case peer.Send:
		d.send(e.To, e.Message)
	case peer.Publish:
		d.carrier.Publish(d.carrier.Encode(e.Message))
	case membership.Dial: // Do has begun it
	case peer.KeepAddresses:
		d.keeping.addresses.due = true
	case peer.KeepEnds:
		d.keeping.ends.due = true
	case peer.Progressed:
		d.plane.Progressed(e.Ref, e.Done)
	case membership.Bar:
		d.barred(e.ID, e.Barred)
	case membership.Unbarred: // its bar is the oldest of too many, and forgotten
		d.barred(e.ID, false)
	case peer.WantWork:
		d.did(d.owner.Now(), e.Run)
	case peer.StartRun, peer.Execute, peer.EndRun:
		d.ordered(e)
	case peer.Save:
		d.store.Save(e, func(ok bool) { d.Do(d.machine.Saved(d.owner.Now(), ok)) })
	case peer.Forget:
		d.store.Forget(e)
	case peer.WantStored:
		d.store.Recall(e.Place, e.BytesMax, func(found peer.Stored) { d.Do(d.machine.Stored(d.owner.Now(), e.Run, found)) })
	default:
		if !workers.Carry(d.plane, e) {
			d.told(e)
		}
	}
}

// told carries out an effect that programs or people are told of.
func (d *Driver) told(e peer.Effect) {
	d.owner.Tell(e)
	switch e := e.(type) {
	case peer.NotOn:
		d.notOn(e.Nonce)
	case peer.Deliver:
		d.deliver(e)
	case peer.Reported:
		d.reported(e)
	case peer.AllReported:
		d.allReported(e)
	case membership.Joined:
		d.joined(e.Member)
	case membership.Lost:
		d.lost(e)
	case peer.Mastered:
		d.mastered(e.Run, e.Master)
	case peer.LeavesLate:
		d.leavers.isLate(e.Member)
	case peer.OrderDone:
		if d.orders.done(e.Order) {
			d.owner.Followed(e)
		}
	case peer.WentOn:
		d.entry.alone = true
	case peer.Left, peer.Stranded, membership.Banned:
		d.leaves(e)
	}
}
