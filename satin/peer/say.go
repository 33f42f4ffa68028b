package peer

import (
	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// role is what a host is to this peer. That it has the grid's secret says who may come in, not
// whose word holds.
type role uint8

// The roles. A host that is not known may be a peer whose greeting was lost: it is asked who it is.
const (
	stranger role = 1 << iota // has the secret, and no more is known
	client                    // submits runs: so it has proved at the handshake, or says so itself

	// member is known by its Hello or another member's word, in that life or one before. Dead ones
	// are heard, too: they may be dead to one side of a cut.
	member
	anybody = stranger | client | member
)

// saidBy is who may say what: the one table of that. What is not in it nobody may say. Where a
// client is in it, it speaks for itself:
//
//   - Submit and Ended of its own submissions;
//   - Record, and Snapshot, of the runs that it holds: which runs there are, their roots, and who
//     asked for them, where that is not known here. Of members a joiner takes the addresses, to ask
//     them; see hearsay. No deaths, no bars, no reign over a run that is known here, and a best
//     only of a run that nobody else waits for;
//   - Whereabouts: addresses to dial;
//   - HaveBest, Fetch and WantBest: what it holds and what it lacks.
var saidBy = [256]role{
	membership.KindHello: member | stranger, membership.KindWho: anybody, KindPull: anybody, KindDigest: anybody,

	membership.KindGone: member, membership.KindRefused: member, membership.KindBarred: member,
	membership.KindHeartbeat: member, membership.KindPing: member, membership.KindPong: member, membership.KindPingFor: member, membership.KindAlive: member,

	KindSnapshot: member | client, KindRecord: member | client, KindFetch: member | client,
	KindSubmit: member | client, KindEnded: member | client, KindWantBest: member | client, KindHaveBest: member | client,
	KindWhereabouts: member | client, KindAccepted: member, KindFull: member, KindNeedRoot: member, KindWanted: member, KindAnswer: member, KindBestIs: member,
	KindKeep: member, KindKept: member, KindFail: member, KindFollow: member, KindContest: member, KindFacts: member,
	KindOrder: member, KindLate: member, KindProgress: member,

	steal.KindAsk: member, steal.KindNothing: member, steal.KindWake: member, steal.KindLend: member, steal.KindReturn: member,
	steal.KindReturned: member, steal.KindWithdraw: member, steal.KindProbe: member, steal.KindHeld: member,

	orphan.KindAdvert: member, orphan.KindVersions: member, orphan.KindWantList: member, orphan.KindList: member,
	orphan.KindWantResult: member, orphan.KindResultIs: member, orphan.KindCopy: member, orphan.KindCopied: member,
	orphan.KindUncovered: member, orphan.KindCovered: member, orphan.KindWill: member, orphan.KindWilled: member,
}

// clientsMax bounds the clients that are known as such. One beyond is a client by its own word.
const clientsMax = 1024

// Proved hears what a host has proved to be at the handshake. Who is a client there cannot speak as
// a peer, whatever it says.
func (p *Peer) Proved(id membership.PeerID, isClient bool) {
	if !isClient {
		delete(p.clients, id)
	} else if len(p.clients) < clientsMax {
		p.clients[id] = struct{}{}
	}
}

// roleOf is what the sender of a message is.
func (p *Peer) roleOf(from membership.PeerID, i membership.Incarnation) role {
	_, proved := p.clients[from]
	switch {
	case proved:
		return client
	case p.view.Knows(from, i):
		return member
	case i.Join == 0 && i.Random != 0:
		return client
	case i.Join != 0 && (p.join.active || p.join.isLonely()):
		// nobody is known here: what comes early is merged, and the first snapshot settles it
		return member
	}
	return stranger
}

// may tells whether the sender of a message may say it, and takes out of it what it may not.
func (p *Peer) may(from membership.PeerID, m *Message) bool {
	r := p.roleOf(from, m.From)
	if saidBy[m.Body.Kind()]&r == 0 {
		return false
	}
	if r == member {
		return true
	}
	switch b := m.Body.(type) {
	case Submit:
		return b.Submission.Submitter == from
	case Ended:
		m.Body = Ended{ownEnds(from, b.Submissions)}
	}
	return true
}

// ownEnds are those of submissions that are the sender's own.
func ownEnds(from membership.PeerID, all []Tombstone) (own []Tombstone) {
	for _, t := range all[:min(len(all), EndedMax)] {
		if t.Submission.Submitter == from {
			own = append(own, t)
		}
	}
	return own
}

// unheard asks who somebody is that may not say what it said: a peer whose greeting was lost, or
// one whose life is over.
func (p *Peer) unheard(from membership.PeerID, i membership.Incarnation) {
	if p.roleOf(from, i) != stranger || i.Join == 0 {
		return
	}
	if p.entered() {
		_, effects := p.view.Heard(p.now, from, i)
		p.apply(effects)
	} else if p.conf.Member.Client {
		p.apply(p.view.Stranger(from, i))
	}
}
