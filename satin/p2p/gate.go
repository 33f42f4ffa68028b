package p2p

import (
	"fmt"
	"sync"

	"github.com/libp2p/go-libp2p/core/control"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
)

// gate knows which peer ids are let in. It is asked by the handshake, which can
// tell the refused why, by libp2p before it dials, and for authors of gossip.
type gate struct {
	self peer.ID

	mu     sync.RWMutex // protects what follows
	allow  map[peer.ID]bool
	barred map[peer.ID]bool
}

func newGate(self peer.ID, allow, barred []string) (*gate, error) {
	g := &gate{self: self, barred: map[peer.ID]bool{}}
	for _, s := range barred {
		id, err := decodeID(s)
		if err != nil {
			return nil, err
		}
		g.barred[id] = true
	}
	if allow == nil {
		return g, nil
	}
	g.allow = map[peer.ID]bool{}
	for _, s := range allow {
		id, err := decodeID(s)
		if err != nil {
			return nil, err
		}
		g.allow[id] = true
	}
	return g, nil
}

func decodeID(s string) (peer.ID, error) {
	id, err := peer.Decode(s)
	if err != nil {
		return "", fmt.Errorf("p2p: %q is not a peer id, which looks like 12D3KooW…: %w", s, err)
	}
	return id, nil
}

// refuses says why a peer is not let in, or 0.
func (g *gate) refuses(id peer.ID) Why {
	g.mu.RLock()
	defer g.mu.RUnlock()
	switch {
	case id == g.self:
		return WhySelf
	case g.barred[id]:
		return WhyBarred
	case g.allow != nil && !g.allow[id]:
		return WhyNotAllowed
	}
	return 0
}

func (g *gate) bar(id peer.ID, barred bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if barred {
		g.barred[id] = true
	} else {
		delete(g.barred, id)
	}
}

// InterceptPeerDial keeps libp2p from dialling a peer that is not let in.
func (g *gate) InterceptPeerDial(id peer.ID) bool { return g.refuses(id) == 0 }

// InterceptAddrDial has no opinion on addresses.
func (g *gate) InterceptAddrDial(peer.ID, ma.Multiaddr) bool { return true }

// InterceptAccept lets anybody begin a handshake.
func (g *gate) InterceptAccept(network.ConnMultiaddrs) bool { return true }

// InterceptSecured asks again, in case the peer was barred meanwhile.
func (g *gate) InterceptSecured(_ network.Direction, id peer.ID, _ network.ConnMultiaddrs) bool {
	return g.refuses(id) == 0
}

// InterceptUpgraded has nothing to add.
func (g *gate) InterceptUpgraded(network.Conn) (bool, control.DisconnectReason) { return true, 0 }
