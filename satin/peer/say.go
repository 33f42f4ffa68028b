package peer

import (
	"satingrid/membership"
)

// Proved hears what a host has proved to be at the handshake. Who is a client there cannot speak as
// a peer, whatever it says.
func (p *Peer) Proved(id membership.PeerID, isClient bool) {
	p.tickDue = reminder{}
	p.clients.proved(id, isClient)
}

// may tells whether the sender of a message may say it, and takes out of it what it may not.
func (k *anyKind) may(a *arrival) (ok bool) {
	if k.by&a.as == 0 {
		return false
	}
	if a.as != member && k.own != nil {
		a.message.Body, ok = k.own(a.peer, a.message.Body)
		return ok
	}
	return true
}

// ownSubmit tells whether a submission is the sender's own.
func ownSubmit(from membership.PeerID, b Submit) (Submit, bool) {
	return b, b.Submission.Submitter == from
}

// ownEnded leaves of the submissions that have ended the sender's own.
func ownEnded(from membership.PeerID, b Ended) (Ended, bool) {
	return Ended{ownEnds(from, b.Submissions)}, true
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
