package satin

import "satingrid/membership"

// farBytes is how many bytes this peer has sent to other sites. With an emulated distance the carrier counts them on its connections; else the
// loop does, before they are encrypted and framed: heartbeats, what is published, once for each far peer that is connected, and large messages.
func (l *loop) farBytes() int64 {
	if l.conf.Wan != nil {
		return l.carrier.BytesFar()
	}
	return l.far.sent
}

// farSites knows who is at another site, and counts what is sent there. The loop has it.
type farSites struct {
	sites map[membership.PeerID]membership.Site // of the members; a client has no site, and is near everybody
	sent  int64
}

// met notes where a member is.
func (f *farSites) met(m membership.Member) {
	if f.sites == nil {
		f.sites = map[membership.PeerID]membership.Site{}
	}
	f.sites[m.ID] = m.Site
}

// isFar tells whether a member is at another site.
func (l *loop) isFar(id membership.PeerID) bool {
	site := l.far.sites[id]
	return site != "" && l.conf.Site != "" && string(site) != l.conf.Site
}

// wentTo counts what was sent to a peer.
func (l *loop) wentTo(id membership.PeerID, bytes int) {
	if l.isFar(id) {
		l.far.sent += int64(bytes)
	}
}

// wentToAll counts what was published.
func (l *loop) wentToAll(bytes int) {
	if len(l.far.sites) == 0 {
		return
	}
	for _, id := range l.carrier.Peers() {
		l.wentTo(membership.PeerID(id), bytes)
	}
}
