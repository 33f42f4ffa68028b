package peer

import (
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds of what one that joins is told, and has missed.
const (
	// what was published before this peer joined may count as on its way to it elsewhere
	onItsWay = 2 * time.Second
	// the youngest tombstones, for one that joins: of the runs of which it may hear late
	tombstonesTold = 256
)

// Found starts a new grid with this peer as its first.
func (p *Peer) Found(now time.Duration) []Effect {
	p.begin(now)
	p.started = true
	p.enter()
	return p.end()
}

// Join starts joining, as a peer or client, through whomever Connected tells of.
func (p *Peer) Join(now time.Duration) []Effect {
	p.begin(now)
	p.started, p.comparing.at = true, steal.Never
	p.apply(p.join.begin(p.now))
	p.tickLook()
	return p.end()
}

// pulled gives one that joins all that this peer has. One that is on its way in
// itself does not know yet.
func (p *Peer) pulled(from membership.PeerID) {
	if !p.entered() && (p.join.active || !p.conf.Member.Client) {
		return
	}
	s := p.comparing.knowledge(p.now, partsAll)
	s.Ended = p.tombstones.youngest(p.now, tombstonesTold)
	p.sendTo(from, membership.Incarnation{}, s)
	for _, r := range p.runs.all {
		p.sendTo(from, membership.Incarnation{}, r.recordFor(life{peer: from}, false))
	}
	if p.entered() {
		p.apply(p.adverts.giveAll(from))
	}
}

// snapshotFrom takes another's knowledge, by what it is.
func (p *Peer) snapshotFrom(from membership.PeerID, by role, s Snapshot) {
	if by != client {
		p.snapshot(from, s)
		return
	}
	p.fromClient(from, s)
	p.apply(p.comparing.reply(p.now, from, s))
}

// snapshot takes a member's knowledge, and enters with it when this peer was on its way in.
func (p *Peer) snapshot(from membership.PeerID, s Snapshot) {
	for _, m := range s.Members[:min(len(s.Members), membership.SnapshotMax)] {
		p.hosts.member(p.now, m, false)
	}
	p.apply(p.view.Adopt(p.now, s.Members[:min(len(s.Members), membership.SnapshotMax)], s.Bars))
	_, effects := p.endings.bury(p.now, s.Ended)
	p.apply(effects)
	p.apply(p.endings.tellOver(p.now, from, s.Heads))
	var lacking []*run // whose roots are asked for once this peer is a member
	for n := range s.Heads[:min(len(s.Heads), RunsMax)] {
		r, effects := p.records.learn(p.now, from, &s.Heads[n], nil)
		p.apply(effects)
		switch {
		case r == nil || r.root != nil:
		case p.join.active && r.rootBytes <= rootAlong:
			// it comes in the Record that follows the Snapshot
			r.fetchAt = p.now + fetchEvery
		default:
			lacking = append(lacking, r)
		}
	}
	p.dropUnknown(from, s)
	if p.join.active && p.join.hasNoSeat(s.Members) {
		p.join.noSeat()
		p.out = append(p.out, Stranded{Full: true})
		return
	}
	if p.join.active && !p.gone {
		p.join.letIn(p.now)
		p.comparing.soon(p.now)
		if !p.conf.Member.Client {
			p.enter()
		}
		if m, ok := p.view.Member(from); ok {
			p.thief.Prefer(m)
		}
		p.apply(p.submissions.anew(p.now))
	}
	for _, r := range lacking {
		p.apply(p.roots.want(p.now, r, from))
	}
	p.apply(p.comparing.reply(p.now, from, s))
}

// enter makes this peer a member.
func (p *Peer) enter() {
	p.apply(p.view.Enter(p.now))
	p.join.active = false
	// Those that a connection stands to have been greeted as members if they are any. A client
	// is none: when all others have just left, it alone knows the runs, and nobody else would
	// tell it of this peer.
	for _, id := range p.join.contacts {
		if _, ok := p.view.Member(id); !ok {
			p.sendTo(id, membership.Incarnation{}, membership.Hello{Member: p.view.Self()})
		}
	}
	p.comparing.soon(p.now)
	p.table.Reborn(p.now, p.view.Self().Incarnation)
	p.lots = rand.New(rand.NewPCG(p.view.Self().Incarnation.Random, 1))
	p.copier.lots, p.leaving.lots = p.lots, p.lots
	p.out = append(p.out, Started{p.view.Self()})
	p.mastership.due = true
	p.apply(p.opening.look(p.now))
	p.apply(p.submissions.anew(p.now))
}

// joined hears of a new member, or of a new life of one.
func (p *Peer) joined(m membership.Member) {
	p.out = append(p.out, membership.Joined{Member: m})
	p.apply(p.hosts.joined(p.now, m))
	p.thief.Joined(m)
	p.apply(p.stealing.spares(p.now, m.ID))
	p.mastership.due = true
	p.apply(p.opening.look(p.now))
	p.submissions.soon(p.now)
}
