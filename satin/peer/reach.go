package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// Open founds a grid where nobody is known, and else joins, or goes on. The submitters of stored
// runs, of whom one was told since it was made, do not count: they may be gone.
func (p *Peer) Open(now time.Duration) []Effect {
	nobody := p.join.knows == 0 || p.book.Len() == 0 // since those that it knew are barred
	if nobody && !p.conf.Past && !p.conf.Member.Client {
		return p.Found(now)
	}
	return p.Join(now)
}

// Named hears of hosts of the grid that a ticket names: in a folder that they share. They are
// looked for like all that are not reached.
func (p *Peer) Named(now time.Duration, known []addresses.Known) []Effect {
	p.begin(now)
	for _, k := range known {
		if !p.view.IsBarred(k.ID) {
			p.book.Ticket(p.now, k)
		}
	}
	p.tickLook()
	return p.end()
}

// Listens hears where this host can be dialled now.
func (p *Peer) Listens(addrs []string) {
	p.tickDue = reminder{}
	p.book.Listens(addrs)
	p.view.Listens(addrs)
}

// Reach asks for a dial of a host that has to be told something beside the machine's own messages,
// if it has no session.
func (p *Peer) Reach(now time.Duration, to membership.PeerID) []Effect {
	p.begin(now)
	effects, _ := p.hosts.reach(p.now, to)
	p.apply(effects)
	return p.end()
}

// DialEnd is what a dial came to that came to nothing.
type DialEnd uint8

// The ends of dials.
const (
	DialUnanswered DialEnd = iota
	DialRefused            // by a machine on which no process listens there
	DialDenied             // by the host, at the handshake
)

// Disconnected hears that the connection to a peer broke.
func (p *Peer) Disconnected(now time.Duration, id membership.PeerID) []Effect {
	p.begin(now)
	p.book.Down(p.now, id)
	delete(p.clients, id)
	p.apply(p.view.Disconnected(p.now, id))
	p.apply(p.submitters.down(p.now, id))
	return p.end()
}

// DialFailed hears that dialling a host came to nothing.
func (p *Peer) DialFailed(now time.Duration, id membership.PeerID, end DialEnd) []Effect {
	p.begin(now)
	p.book.Failed(p.now, id, end == DialRefused, end == DialDenied)
	if end == DialRefused {
		p.apply(p.view.ConnectRefused(p.now, id))
		p.runs.refused(p.now, id)
	} else {
		p.apply(p.view.Unreached(p.now, id))
	}
	p.applyPresence(seeks{})
	return p.end()
}

// Met hears that at an address another host than the one that was dialled was found.
func (p *Peer) Met(now time.Duration, addr string, id membership.PeerID) []Effect {
	p.begin(now)
	if !p.gone && !p.view.IsBarred(id) {
		p.apply(p.hosts.met(p.now, addr, id))
	}
	return p.end()
}

// tickLook looks for who is lost, and whether this peer is stranded on its way in.
func (p *Peer) tickLook() {
	p.apply(p.hosts.tick(p.now))
	p.applyPresence(seeks{})
}

// Found starts a new grid with this peer as its first.
func (p *Peer) Found(now time.Duration) []Effect {
	p.begin(now)
	p.join.founds()
	p.apply(p.entering.enter(p.now))
	return p.end()
}

// Join starts joining, as a peer or client, through whomever Connected tells of.
func (p *Peer) Join(now time.Duration) []Effect {
	p.begin(now)
	p.comparing.rests()
	p.apply(p.join.begin(p.now))
	p.tickLook()
	return p.end()
}
