package driver

import (
	"slices"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// dial reaches for a host, once at a time.
func (d *Driver) dial(e membership.Dial) {
	if d.dialling[e.ID] == nil {
		d.dialling[e.ID] = new(attempt)
		d.carrier.Dial(e)
	}
}

// IsDialling tells whether a host is being dialled.
func (d *Driver) IsDialling(id membership.PeerID) bool { return d.dialling[id] != nil }

// Outcome is what came of a dial.
type Outcome int

// The outcomes.
const (
	Reached Outcome = iota + 1 // a session has come up, of which the driver has heard
	Denied                     // the host was found, and has refused this one, or this one it
	Barred                     // … as barred
	Nobody                     // no process listens there
	Silent                     // anything else
)

// Dialled hears what came of a dial.
func (d *Driver) Dialled(id membership.PeerID, o Outcome) {
	delete(d.dialling, id)
	now := d.owner.Now()
	switch {
	case o == Barred && d.entry.in:
		d.ShutOut(id)
		fallthrough
	case o == Denied, o == Barred:
		d.Do(d.machine.DialFailed(now, id, peer.DialDenied))
	case o == Nobody:
		d.Do(d.machine.DialFailed(now, id, peer.DialRefused))
	case o == Silent, !d.machine.Sight().Book().HasSession(id):
		// it has ended again, and may be wanted
		d.Do(d.machine.DialFailed(now, id, peer.DialUnanswered))
	}
}

// Met hears that at an address another host than the one that was dialled was found.
func (d *Driver) Met(addr string, id membership.PeerID) {
	d.Do(d.machine.Met(d.owner.Now(), addr, id))
}

// Up hears that a session stands, whether the other end has proved to be a client, and where it
// says that it can be dialled. A member greets it, and what waited for the session goes after
// that, whoever has dialled.
func (d *Driver) Up(id membership.PeerID, client bool, addrs ...string) {
	d.machine.Proved(id, client)
	d.Do(d.machine.Connected(d.owner.Now(), id, addrs...))
	d.sendUnsent(id)
}

// Down hears that the session with a host has ended. What came through it was heard before.
func (d *Driver) Down(id membership.PeerID) { d.Do(d.machine.Reset(d.owner.Now(), id)) }

// Received hears a message.
func (d *Driver) Received(from membership.PeerID, m peer.Message) {
	d.Do(d.machine.Received(d.owner.Now(), from, m))
}

// barred has a host kept out, or let in again.
func (d *Driver) barred(id membership.PeerID, barred bool) {
	d.keeping.bars.due = true
	d.carrier.Bar(id, barred)
}

// ShutOut hears that a host refuses this one as barred, or has ended its session for that. It may
// be the first to say so: who is barred hears no gossip. Whom this one has barred itself has no
// say.
func (d *Driver) ShutOut(by membership.PeerID) {
	own := slices.ContainsFunc(d.machine.Sight().Bars(), func(b membership.Bar) bool {
		return b.ID == by && b.Barred
	})
	if !own {
		d.owner.Else(membership.Banned{})
	}
}
