package control

import (
	"satingrid/membership"
	"satingrid/satin/p2p"
)

// farSites knows who is at another site, and counts what is sent there. The loop has it. With an
// emulated distance the carrier counts that on its connections; else it is counted here, before it
// is encrypted and framed: heartbeats, what is published, once for each far peer that is connected,
// and large messages. So is what is sent within the site, whether that is emulated or not.
type farSites struct {
	site     string                                // this peer's; "" for a client
	sites    map[membership.PeerID]membership.Site // of members; a client has none, and is near
	carrier  p2p.Carrier
	emulated bool
	sent     int64
	near     int64
}

// met notes where a member is.
func (f *farSites) met(m membership.Member) { f.sites[m.ID] = m.Site }

// lost forgets a member.
func (f *farSites) lost(id membership.PeerID) { delete(f.sites, id) }

// bytes is how many this peer has sent to other sites.
func (f *farSites) bytes() int64 {
	if f.emulated {
		return f.carrier.BytesFar()
	}
	return f.sent
}

// isFar tells whether a member is at another site, as far as is known.
func (f *farSites) isFar(id membership.PeerID) bool {
	at := f.sites[id]
	return at != "" && f.site != "" && string(at) != f.site
}

// went counts what was sent to a peer.
func (f *farSites) went(to membership.PeerID, bytes int) {
	switch {
	case f.isFar(to):
		f.sent += int64(bytes)
	case f.sites[to] != "" && f.site != "":
		f.near += int64(bytes)
	}
}

// wentToAll counts what was published.
func (f *farSites) wentToAll(bytes int) {
	if len(f.sites) == 0 {
		return
	}
	for _, id := range f.carrier.Peers() {
		f.went(membership.PeerID(id), bytes)
	}
}
