package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Received takes a message that the carrier authenticated as from's. It is the one door by which
// other peers reach this one; who may say what is in the table saidBy.
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
	if !p.may(from, &m) {
		p.unheard(from, m.From)
		return p.end()
	}
	if p.open(from, m) {
		return p.end()
	}
	if !p.entered() {
		return p.end()
	}
	known, effects := p.view.Heard(p.now, from, m.From)
	p.apply(effects)
	if known {
		p.member(from, m)
	}
	return p.end()
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

// open takes the messages that need no present member: others may say them, too, or they are of use
// from members that are dead to this peer. All that they bring merges in any order.
func (p *Peer) open(from membership.PeerID, m Message) bool {
	if p.view.Has(from, m.From) {
		p.view.Heard(p.now, from, m.From)
	} else if _, greets := m.Body.(membership.Hello); p.conf.Member.Client && !p.join.active && !greets {
		// its greeting was lost, and all that this client knows may be dead
		p.apply(p.view.Stranger(from, m.From))
	}
	switch b := m.Body.(type) {
	case membership.Hello:
		if b.Member.ID == from {
			p.learnMember(b.Member, true)
		}
		p.apply(p.view.Greeted(p.now, from, b))
	case membership.Who:
		p.apply(p.view.WhoAsked(from))
	case membership.Refused:
		p.apply(p.view.RefusedBy(p.now, from, b))
	case membership.Gone:
		p.learnMember(b.Member, false)
		p.apply(p.view.Merge(p.now, []membership.Member{b.Member}))
		p.succession = true // who its heir is may be news of one that was known to be gone
		p.askNoLeaver(b.Member.ID)
	case membership.Barred:
		p.apply(p.view.MergeBars(p.now, b.Bars))
	case Pull:
		p.pulled(from)
	case Snapshot:
		p.snapshotFrom(from, p.roleOf(from, m.From), b)
	case Digest:
		p.digested(from, b)
	case Whereabouts:
		p.toldWhere(b)
	case Fetch:
		p.fetched(from, b)
	case Record:
		p.record(from, p.roleOf(from, m.From), b)
	case Submit:
		p.submitted(from, b)
	case Accepted:
		p.submissions.accepted(p.now, b)
	case Full:
		p.apply(p.submissions.refused(b))
	case NeedRoot:
		p.apply(p.submissions.needed(from, b))
	case Answer:
		p.answered(from, m, b)
	case Wanted:
		p.askedIfWanted(from, b)
	case Ended:
		p.endedElsewhere(from, b)
	case WantBest, BestIs, HaveBest:
		p.bestMessage(life{from, m.From}, b)
	default:
		return false
	}
	return true
}

// member takes the messages that only a member in its present incarnation may send: those about
// loans, and of the detector.
func (p *Peer) member(from membership.PeerID, m Message) {
	who, _ := p.view.Member(from)
	switch b := m.Body.(type) {
	case steal.Ask:
		near := who.Site == p.conf.Member.Site
		room := p.ledger.Room(from)
		if p.leaving.active {
			room = 0
		}
		p.apply(p.victim.Asked(p.now, who, near, b, room))
	case steal.Nothing:
		p.apply(p.thief.Denied(p.now, who, b.Number))
	case steal.Wake:
		p.apply(p.thief.Woken(p.now, who))
	case steal.Lend:
		p.lent(who, m, b)
	case steal.Return:
		p.returned(who, m, b)
	case steal.Returned:
		p.acknowledged(who, b.Numbers)
		p.tickLeave()
	case steal.Withdraw:
		p.apply(p.ledger.Withdrawn(from, m.From, b.Numbers, b.Orphaned))
	case steal.Probe:
		p.apply(p.ledger.Probed(from, m.From, b))
	case steal.Held:
		p.apply(p.ledger.Answered(p.now, from, b))
	case membership.Pong:
		p.apply(p.view.Received(p.now, from, m.Body))
		if p.leaving.ponged(who) {
			p.tickLeave()
		}
	case Keep:
		p.kept(who, m, b)
	case Kept:
		p.keptElsewhere(from, b)
		p.tickLeave()
	case Fail:
		p.failedElsewhere(b)
	case Follow:
		p.followed(who, b)
	case Contest:
		p.contested(who, b)
	case Facts:
		if r := p.runs.find(b.Run); r != nil && r.root != nil && !p.conf.Member.Client {
			p.apply(r.facts.came(p.now, b))
		}
	case Order:
		p.ordered(who, m, b)
	case Progress:
		p.progressed(from, b)
	case Late:
		p.out = append(p.out, LeavesLate{from})
	default:
		if p.orphanMessage(who, m) {
			return
		}
		p.apply(p.view.Received(p.now, from, m.Body))
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
	p.submitterLives(id)
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
	p.submitterDown(id)
	return p.end()
}

// ConnectRefused hears that a peer's machine refuses the connection: no process listens there.
func (p *Peer) ConnectRefused(now time.Duration, id membership.PeerID) []Effect {
	p.begin(now)
	p.book.Failed(p.now, id, true, false)
	p.apply(p.view.ConnectRefused(p.now, id))
	p.submitterRefuses(id)
	p.tickStranded()
	return p.end()
}
