package driver

import (
	"satingrid/membership"
	"satingrid/satin/peer"
)

// Bounds of the bulk messages that are under way. What is more is dropped: the machine repeats what
// matters.
const (
	// bulksMax and bulkBytesMax are of those to one peer, of which one may always be.
	bulksMax     = 64
	bulkBytesMax = 256 << 20

	// BulkBig is the length above which a message is a big one. bigsMax is of the bytes of all
	// big ones together, of which one may always be: a big root that many fetch at once.
	BulkBig = 1 << 20
	bigsMax = 512 << 20
)

// underway counts the bulk messages that are on their way.
type underway struct {
	to   map[membership.PeerID]*underwayTo
	bigs int // bytes of the big ones
}

// underwayTo is the part of it that goes to one peer.
type underwayTo struct {
	bulks, bytes int
	names        map[peer.Name]struct{}
}

// mayGo tells whether a message of n bytes may be sent to a peer: there is room, and it is not on
// its way already.
func (u *underway) mayGo(to membership.PeerID, body membership.Body, n int) bool {
	if n > BulkBig && u.bigs > 0 && u.bigs+n > bigsMax {
		return false
	}
	t := u.to[to]
	if t == nil {
		return true
	}
	if name, ok := peer.NameOf(body); ok {
		if _, there := t.names[name]; there {
			return false
		}
	}
	return t.bulks < bulksMax && t.bytes+n <= bulkBytesMax
}

// begin enters a message, until what it returns is called.
func (u *underway) begin(to membership.PeerID, body membership.Body, n int) (arrived func()) {
	if u.to == nil {
		u.to = map[membership.PeerID]*underwayTo{}
	}
	t := u.to[to]
	if t == nil {
		t = &underwayTo{names: map[peer.Name]struct{}{}}
		u.to[to] = t
	}
	name, named := peer.NameOf(body)
	if named {
		t.names[name] = struct{}{}
	}
	t.bulks, t.bytes = t.bulks+1, t.bytes+n
	if n > BulkBig {
		u.bigs += n
	}
	return func() {
		if named {
			delete(t.names, name)
		}
		if n > BulkBig {
			u.bigs -= n
		}
		if t.bulks, t.bytes = t.bulks-1, t.bytes-n; t.bulks == 0 {
			delete(u.to, to)
		}
	}
}
