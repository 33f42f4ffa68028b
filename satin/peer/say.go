package peer

import "satingrid/membership"

// role is what a host is to this peer. That it has the grid's secret says who may come in, not
// whose word holds.
type role uint8

// The roles. A host that is not known may be a peer whose greeting was lost: it is asked who it is.
const (
	stranger role = 1 << iota // has the secret, and no more is known
	// submits runs: so it has proved at the handshake, or says so itself
	client

	// member is known by its Hello or another member's word, in that life or one before. Dead
	// ones are heard, too: they may be dead to one side of a cut.
	member
	anybody = stranger | client | member

	// living is a member that is present, in the life that it is in now.
	living = member | 1<<3
)

// clientsMax bounds the clients that are known as such. One beyond is a client by its own word.
const clientsMax = 1024

// clients are those that have proved to be some, on their sessions.
type clients map[membership.PeerID]struct{}

func (c clients) has(id membership.PeerID) bool {
	_, is := c[id]
	return is
}

// proved hears what a host has proved to be at the handshake.
func (c clients) proved(id membership.PeerID, isClient bool) {
	if !isClient {
		delete(c, id)
	} else if len(c) < clientsMax {
		c[id] = struct{}{}
	}
}

// Proved hears what a host has proved to be at the handshake. Who is a client there cannot speak as
// a peer, whatever it says.
func (p *Peer) Proved(id membership.PeerID, isClient bool) { p.clients.proved(id, isClient) }

// may tells whether the sender of a message may say it, and takes out of it what it may not.
func (k *row) may(a *arrival) (ok bool) {
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
