package peer

import (
	"time"

	"satingrid/membership"
)

// Received takes a message that the carrier authenticated as from's. It is the one way by which
// other peers reach this one; who may say what, and who hears it, is in the table [kinds].
func (p *Peer) Received(now time.Duration, from membership.PeerID, m Message) []Effect {
	due := p.tickDue
	p.begin(now)
	if p.gone || from == p.conf.Member.ID || m.Body == nil {
		return p.end()
	}
	if !isPending(p) && p.greeting.beats(p.now, from, &m) {
		p.tickDue = due // it is as it was
		return nil
	}
	a := &p.arrival
	*a = arrival{life: life{from, m.From}, message: m}
	ok, effects := p.greeting.admits(p.now, a)
	if p.apply(effects); ok {
		byNumber[m.Body.Kind()].heard(p, a)
	}
	return p.end()
}

// retry uses what waited and can be used now: what the disk has, and messages.
func (p *Peer) retry() {
	p.apply(p.storing.unblocked(p.now))
	a := &p.arrival
	for _, h := range p.postponed.ready() {
		*a = arrival{life: life{h.from, h.message.From}, message: h.message}
		if p.greeting.comesAgain(a) {
			byNumber[h.message.Body.Kind()].heard(p, a)
		}
	}
}

// Connected hears from the carrier that a connection to a peer or client stands. A member greets
// whoever is at its other end. addrs is where it says that it can be dialled.
func (p *Peer) Connected(now time.Duration, id membership.PeerID, addrs ...string) []Effect {
	p.begin(now)
	if id == p.conf.Member.ID {
		return p.end()
	}
	p.book.Up(p.now, id, p.clients.has(id), membership.AddrsOf(addrs))
	p.view.Connected(p.now, id)
	p.runs.reached(id)
	if !entered(p.view.Self()) {
		p.apply(p.join.contact(p.now, id))
	}
	p.apply(p.greeting.connected(id))
	return p.end()
}
