package peer

import (
	"satingrid/membership"
)

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

// clients are those that have proved to be some, on their sessions. What one publishes counts as a
// member's where it has no session and says that it is one: whoever has the secret may join as
// well.
type clients map[membership.PeerID]struct{}

// clientsMax bounds the clients that are known as such. One beyond is a client by its own word.
const clientsMax = 1024

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
