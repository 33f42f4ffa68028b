package driver

import (
	"slices"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// dialsTogether is how many dials of one host may be under way together.
const dialsTogether = 2

// dial reaches for a host. What waits for one dial of it waits for the other, too.
func (d *Driver) dial(e membership.Dial) {
	a := d.dialling[e.ID]
	switch {
	case a == nil:
		a = new(attempt)
		d.dialling[e.ID] = a
	case a.dials >= dialsTogether:
		return
	}
	a.dials++
	d.carrier.Dial(e)
}

// IsDialling tells whether a host is being dialled.
func (d *Driver) IsDialling(id membership.PeerID) bool { return d.dialling[id] != nil }

// DialOutcome is what came of a dial.
type DialOutcome int

// The outcomes. What comes of two dials is the later one of these.
const (
	Nobody  DialOutcome = iota + 1 // no process listens there
	Silent                         // anything else
	Reached                        // a session has come up, of which the driver has heard
	Denied                         // the host was found: one has refused the other
	Barred                         // … as barred
)

// Dialled hears what came of a dial. The machine does when none of that host is under way any more.
func (d *Driver) Dialled(id membership.PeerID, o DialOutcome) {
	a := d.dialling[id]
	if a.outcome = max(a.outcome, o); o == Barred && d.entry.in {
		d.shutOut(id)
	}
	if a.dials--; a.dials > 0 {
		return
	}
	delete(d.dialling, id)
	now := d.owner.Now()
	switch a.outcome {
	case Denied, Barred:
		d.Do(d.machine.DialFailed(now, id, peer.DialDenied))
	case Nobody:
		d.Do(d.machine.DialFailed(now, id, peer.DialRefused))
	case Silent:
		d.Do(d.machine.DialFailed(now, id, peer.DialUnanswered))
	case Reached:
		if !d.machine.Sight().Book().HasSession(id) {
			// it has ended again, and may be wanted
			d.Do(d.machine.DialFailed(now, id, peer.DialUnanswered))
		}
	}
}

// Met hears that at an address another host than the one that was dialled was found.
func (d *Driver) Met(addr string, id membership.PeerID) {
	d.Do(d.machine.Met(d.owner.Now(), addr, id))
}

// Other is who is at the other end of a session.
type Other struct {
	ID      membership.PeerID
	Process uint64   // tells apart those that have its identity, one after the other or at once
	Client  bool     // it has proved to be one
	Addrs   []string // where it says that it can be dialled
}

// Up hears that a session stands. A member greets the other end, and what waited for the session
// goes after that, whoever has dialled.
func (d *Driver) Up(o Other) {
	d.leavers.up(o.ID)
	d.machine.Proved(o.ID, o.Client)
	d.Do(d.machine.Connected(d.owner.Now(), o.ID, o.Addrs...))
	d.sendUnsent(o.ID)
	if d.twins.comes(d.owner.Now(), o.ID, o.Process) {
		d.carrier.TellTwin(o.ID)
	}
}

// Parting is how a session has ended.
type Parting int

// The ways to part.
const (
	Broken  Parting = iota
	Goodbye         // the other end's process has said that it ends
	ShutOut         // the other end has barred this host
	TwinMet         // another host with this one's identity was met
)

// Down hears that the session with a host has ended. What came through it was heard before.
func (d *Driver) Down(id membership.PeerID, how Parting) {
	switch how {
	case ShutOut:
		d.shutOut(id)
	case TwinMet:
		d.leaves(Twin{})
	case Goodbye:
		if _, ok := d.machine.Sight().Member(id); ok {
			d.leavers.saidGoodbye(id)
		}
	}
	d.Do(d.machine.Disconnected(d.owner.Now(), id))
}

// Received hears a message.
func (d *Driver) Received(from membership.PeerID, m peer.Message) {
	d.Do(d.machine.Received(d.owner.Now(), from, m))
}

// barred has a host kept out, or let in again.
func (d *Driver) barred(id membership.PeerID, barred bool) {
	d.keeping.bars.due = true
	d.carrier.Bar(id, barred)
}

// shutOut hears that a host refuses this one as barred, or has ended its session for that. It may
// be the first to say so: who is barred hears no gossip. Whom this one has barred itself has no
// say.
func (d *Driver) shutOut(by membership.PeerID) {
	own := slices.ContainsFunc(d.machine.Sight().Bars(), func(b membership.Bar) bool {
		return b.ID == by && b.Barred
	})
	if !own {
		d.told(membership.Banned{})
	}
}
