package peer

import (
	"time"

	"satingrid/membership"
)

// Received takes a message that the carrier authenticated as from's. It is the one door by which
// other peers reach this one; who may say what, and who hears it, is in the table [kinds].
func (p *Peer) Received(now time.Duration, from membership.PeerID, m Message) []Effect {
	p.begin(now)
	if p.gone || from == p.conf.Member.ID || m.Body == nil {
		return p.end()
	}
	if !p.isFor(m) {
		p.remind(from)
		return p.end()
	}
	if p.entered() && p.view.IsBarred(from) {
		_, effects := p.view.Heard(p.now, from, m.From)
		p.apply(effects)
		return p.end()
	}
	a := arrival{life: life{from, m.From}, as: p.roleOf(from, m.From), message: m}
	k := &byNumber[m.Body.Kind()]
	if !k.may(&a) {
		p.unheard(a)
		return p.end()
	}
	p.noticed(a)
	if k.by == living {
		if !p.entered() {
			return p.end()
		}
		known, effects := p.view.Heard(p.now, from, m.From)
		p.apply(effects)
		if !known {
			return p.end()
		}
		a.member, _ = p.view.Member(from)
	}
	k.heard(p, a)
	return p.end()
}

// noticed notes that a member has been heard, dead or alive.
func (p *Peer) noticed(a arrival) {
	if p.view.Has(a.peer, a.incarnation) {
		p.view.Heard(p.now, a.peer, a.incarnation)
	} else if _, greets := a.message.Body.(membership.Hello); p.conf.Member.Client && !p.join.active && !greets {
		// its greeting was lost, and all that this client knows may be dead
		p.apply(p.view.Stranger(a.peer, a.incarnation))
	}
}

// isFor tells whether a message is meant for this life of the peer, and not for an earlier one.
func (p *Peer) isFor(m Message) bool {
	return m.To.IsZero() || m.To == p.view.Self().Incarnation
}

// remindEvery is how often somebody is told that this peer has another life now. It is a limit for
// all together: each needs to hear it once.
const remindEvery = 100 * time.Millisecond

// remind tells one that speaks to an earlier life of this peer who it is now: its greeting was lost
// there, and a client compares knowledge with nobody but those that it speaks to.
func (p *Peer) remind(who membership.PeerID) {
	if p.entered() && p.now >= p.remindAt && !p.view.IsBarred(who) {
		p.remindAt = p.now + remindEvery
		p.sendTo(who, membership.Incarnation{}, membership.Hello{Member: p.view.Self()})
	}
}

// Connected hears from the carrier that a connection to a peer or client stands. A member greets
// whoever is at its other end: what it said when it entered may have been lost where there was no
// connection yet. addrs is where it says that it can be dialled.
func (p *Peer) Connected(now time.Duration, id membership.PeerID, addrs ...string) []Effect {
	p.begin(now)
	if id == p.conf.Member.ID {
		return p.end()
	}
	p.book.Up(p.now, id, addrs)
	p.view.Connected(p.now, id)
	p.runs.reached(id)
	if !p.entered() {
		p.apply(p.join.contact(p.now, id))
	}
	if p.entered() {
		p.sendTo(id, membership.Incarnation{}, membership.Hello{Member: p.view.Self()})
	}
	return p.end()
}

// Reset hears that the connection to a peer broke.
func (p *Peer) Reset(now time.Duration, id membership.PeerID) []Effect {
	p.begin(now)
	p.book.Down(p.now, id)
	delete(p.clients, id)
	p.apply(p.view.Reset(p.now, id))
	p.apply(p.submitters.down(p.now, id))
	return p.end()
}
