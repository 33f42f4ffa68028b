package control

import "satingrid/membership"

// farBytes is how many bytes this peer has sent to other sites. With an emulated distance the
// carrier counts them on its connections; else the loop does, before they are encrypted and framed:
// heartbeats, what is published, once for each far peer that is connected, and large messages.
func (l *Loop) farBytes() int64 {
	if l.conf.Wan != nil {
		return l.carrier.BytesFar()
	}
	return l.far.sent
}

// isFar tells whether a member is at another site.
func (l *Loop) isFar(id membership.PeerID) bool {
	site := l.far.sites[id]
	return site != "" && l.conf.Site != "" && string(site) != l.conf.Site
}

// wentTo counts what was sent to a peer.
func (l *Loop) wentTo(id membership.PeerID, bytes int) {
	if l.isFar(id) {
		l.far.sent += int64(bytes)
	}
}

// wentToAll counts what was published.
func (l *Loop) wentToAll(bytes int) {
	if len(l.far.sites) == 0 {
		return
	}
	for _, id := range l.carrier.Peers() {
		l.wentTo(membership.PeerID(id), bytes)
	}
}
