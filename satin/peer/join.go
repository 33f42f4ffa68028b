package peer

import (
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Times and bounds of repair.
const (
	digestEvery = time.Second
	// after joining: whoever joined in the same moment may not have heard the greeting; then
	// twice as late each time
	digestFirst = 50 * time.Millisecond
	// one digest in so many may go to one that refused a connection
	killedEvery = 16
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
	p.started, p.digestAt = true, steal.Never
	p.apply(p.join.begin(p.now))
	p.tickLook()
	return p.end()
}

// Joining tells whether this peer or client is still on its way in, or is a client that knows no
// member any more: as long as it is, the carrier must try further addresses of the ticket. A run
// outlives all its peers, and the next one may come where only the ticket's addresses lead.
func (p *Peer) Joining() bool { return p.join.seeks(p.now) }

// pulled gives one that joins all that this peer has. One that is on its way in
// itself does not know yet.
func (p *Peer) pulled(from membership.PeerID) {
	if !p.entered() && (p.join.active || !p.conf.Member.Client) {
		return
	}
	s := p.knowledge(partsAll)
	s.Ended = p.tombstones.youngest(p.now, tombstonesTold)
	p.sendTo(from, membership.Incarnation{}, s)
	for _, r := range p.runs.all {
		p.sendTo(from, membership.Incarnation{}, r.recordFor(life{peer: from}, false))
	}
	if p.entered() {
		p.apply(p.adverts.giveAll(from))
	}
}

// knowledge is what this peer knows, in those parts.
func (p *Peer) knowledge(parts uint8) Snapshot {
	s := Snapshot{Parts: parts}
	if parts&PartMembers != 0 {
		s.Members, s.Bars = p.view.Snapshot(p.now)
	}
	if parts&PartRuns != 0 {
		s.Heads = p.runs.heads()
	}
	return s
}

// tells leaves out what this peer does not tell unless it is pulled. A client stands between the
// sides of a cut: it would tell each what the other believes of it.
func (p *Peer) tells(parts uint8) uint8 {
	if p.conf.Member.Client {
		return parts &^ PartMembers
	}
	return parts
}

// snapshotFrom takes another's knowledge, by what it is.
func (p *Peer) snapshotFrom(from membership.PeerID, by role, s Snapshot) {
	if by != client {
		p.snapshot(from, s)
		return
	}
	p.fromClient(from, s)
	p.replyTo(from, s)
}

// snapshot takes a member's knowledge, and enters with it when this peer was on its way in.
func (p *Peer) snapshot(from membership.PeerID, s Snapshot) {
	for _, m := range s.Members[:min(len(s.Members), membership.SnapshotMax)] {
		p.hosts.member(p.now, m, false)
	}
	p.apply(p.view.Adopt(p.now, s.Members[:min(len(s.Members), membership.SnapshotMax)], s.Bars))
	p.bury(s.Ended)
	p.tellOver(from, s.Heads)
	var lacking []*run // whose roots are asked for once this peer is a member
	for n := range s.Heads[:min(len(s.Heads), RunsMax)] {
		r := p.learn(from, &s.Heads[n], nil)
		switch {
		case r == nil || r.root != nil:
		case p.join.active && r.rootBytes <= rootAlong:
			r.fetchAt = p.now + fetchEvery // it comes in the Record that follows the Snapshot
		default:
			lacking = append(lacking, r)
		}
	}
	p.dropUnknown(from, s)
	if p.join.active && p.hasNoSeat(s.Members) {
		p.join.noSeat()
		p.out = append(p.out, Stranded{Full: true})
		return
	}
	if p.join.active && !p.gone {
		p.join.letIn(p.now)
		p.digestAt = p.now + digestFirst
		if !p.conf.Member.Client {
			p.enter()
		}
		if m, ok := p.view.Member(from); ok {
			p.thief.Prefer(m)
		}
		p.submit(p.submissions.anew()...)
	}
	for _, r := range lacking {
		p.wantRoot(r, from)
	}
	p.replyTo(from, s)
}

// tellOver tells one that brings up submissions that have ended.
func (p *Peer) tellOver(to membership.PeerID, heads []Head) {
	var all []steal.Submission
	for _, h := range heads[:min(len(heads), RunsMax)] {
		all = append(all, h.Submissions[:min(len(h.Submissions), SubmissionsMax)]...)
	}
	if over, some := p.tombstones.over(p.now, all...); some {
		p.send(to, over)
	}
}

// replyTo gives one what this peer knows in return.
func (p *Peer) replyTo(from membership.PeerID, s Snapshot) {
	if parts := p.tells(s.Parts); s.Reply && parts != 0 {
		p.send(from, p.knowledge(parts))
	}
	if s.Reply && s.Parts&PartMembers != 0 && p.conf.Member.Client {
		p.apply(p.hosts.tell(from, p.clients.has(from), p.rounds))
	}
}

// hasNoSeat tells whether there are as many members as there may be, and this peer is none of them:
// nobody would give it anything, and it would wait for ever. Who comes in the same moment as others
// may not find that out.
func (p *Peer) hasNoSeat(members []membership.Member) bool {
	present := 0
	for n := range members {
		if members[n].State.Present() {
			present++
		}
		if members[n].ID == p.conf.Member.ID && members[n].State.Present() {
			return false
		}
	}
	return !p.conf.Member.Client && present >= membership.MembersMax
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
	p.digestAt = p.now + digestFirst
	p.table.Reborn(p.now, p.view.Self().Incarnation)
	p.lots = rand.New(rand.NewPCG(p.view.Self().Incarnation.Random, 1))
	p.copier.lots, p.leaving.lots = p.lots, p.lots
	p.out = append(p.out, Started{p.view.Self()})
	p.succession = true
	p.opened()
	p.submit(p.submissions.anew()...)
}

// opened tells the thief whether there may be jobs.
func (p *Peer) opened() {
	p.apply(p.thief.Open(p.now, p.entered() && len(p.runs.all) > 0 && !p.leaving.active))
	p.copier.opened(p.now, p.copies())
}

// joined hears of a new member, or of a new life of one.
func (p *Peer) joined(m membership.Member) {
	p.out = append(p.out, membership.Joined{Member: m})
	p.apply(p.hosts.joined(p.now, m))
	p.thief.Joined(m)
	p.askNoLeaver(m.ID)
	p.succession = true
	p.opened()
	p.submissions.soon(p.now)
}

// tickDigest compares this peer's knowledge with another's. Every other time it also tries
// one that was given up: when both sides of a cut hold each other dead, nobody else would
// find out that it has healed.
func (p *Peer) tickDigest() {
	if p.now < p.digestAt || !p.entered() && !p.conf.Member.Client {
		return
	}
	p.table.Age(p.now)
	every := min(digestFirst<<min(p.rounds, 10), digestEvery)
	p.digestAt = p.now + every + time.Duration(p.rng.Int64N(int64(every/4)))
	p.sendDigest()
	p.askClient()
	if !p.runs.isFull() {
		p.apply(p.adverts.stray(p.rounds, func(i steal.Instance) bool { return p.runs.find(i) != nil }))
	}
	p.rounds++
	if m, ok := p.view.DrawDead(p.rounds%killedEvery == 0, nil); ok && p.rounds%2 == 0 {
		p.sendTo(m.ID, membership.Incarnation{}, p.digest())
	}
	if p.rounds%2 == 1 { // to whom a session still stands, those were cut off for a moment only
		if m, ok := p.view.DrawDead(true, p.book.HasSession); ok {
			p.sendTo(m.ID, membership.Incarnation{}, p.digest())
		}
	}
}

// sendDigest asks a member, or somebody else to whom a session stands. A client may know nobody any
// more, or believe in some of whose end nobody is left to tell it: the greeting of whoever came may
// have been lost, or only another client may have met whoever came.
func (p *Peer) sendDigest() {
	m, known := p.view.Draw()
	turn := p.rounds
	if known {
		turn /= 2
	}
	id, some := p.book.WithSession(turn, anyHost)
	ghost := known && p.conf.Sessions && !p.book.HasSession(m.ID) && p.rounds%2 == 0
	switch c := p.join.contacts; {
	case p.conf.Member.Client && some && (!known || ghost):
		p.sendTo(id, membership.Incarnation{}, p.digest())
	case known:
		p.sendTo(m.ID, m.Incarnation, p.digest())
	case len(c) > 0:
		p.sendTo(c[p.rounds%len(c)], membership.Incarnation{}, p.digest())
	}
}

// askClient compares this peer's knowledge with a client's, where it speaks for its part. Parts
// that cannot dial each other do not hear of each other but from a client that has met both, and
// each of them may believe in so many who are gone that it asks nobody else.
func (p *Peer) askClient() {
	if len(p.clients) == 0 || p.conf.Member.Client || !p.speaks() {
		return
	}
	if id, ok := p.book.WithSession(p.rounds, p.clients.has); ok {
		p.sendTo(id, membership.Incarnation{}, p.digest())
	}
}

// speaks tells whether this peer is the first of the members that it has sessions with.
func (p *Peer) speaks() bool {
	for m := range p.view.Present() {
		if p.book.HasSession(m.ID) {
			return p.view.Self().ID < m.ID
		}
	}
	return true
}

func anyHost(membership.PeerID) bool { return true }

func (p *Peer) digest() Digest {
	return Digest{Members: p.view.Digest(), Runs: p.runs.digest(), Table: p.table.Digest()}
}

// digested answers a digest that differs with what this peer knows where it differs.
func (p *Peer) digested(from membership.PeerID, d Digest) {
	own, parts := p.digest(), uint8(0)
	if d.Members != own.Members {
		parts |= PartMembers
	}
	if d.Runs != own.Runs {
		parts |= PartRuns
	}
	if d.Table != own.Table && p.entered() {
		p.apply(p.adverts.differs(from))
	}
	if parts&PartMembers != 0 && p.conf.Member.Client {
		p.apply(p.hosts.tell(from, p.clients.has(from), p.rounds))
	}
	if parts = p.tells(parts); parts != 0 && !p.join.active {
		s := p.knowledge(parts)
		s.Reply = true
		p.send(from, s)
	}
}
