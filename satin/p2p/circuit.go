package p2p

import (
	"context"
	"fmt"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	blankhost "github.com/libp2p/go-libp2p/p2p/host/blank"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/client"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
	mstream "github.com/multiformats/go-multistream"
)

// circuitPart is what tells the address of a relayed connection.
const circuitPart = "/p2p-circuit"

var circuitAddr = ma.StringCast(circuitPart)

// circuitDelay is the head start of a peer's own addresses over those through
// relays. A peer that can be dialled answers its first packet within it; when
// all of its addresses have failed before, nobody waits.
const circuitDelay = 500 * time.Millisecond

// circuitTime bounds each of the two steps that a relay is waited for: to take
// the stream, and to connect it. A caller gives a dial some 3 s, and there may
// be a second relay to try.
const circuitTime = 1200 * time.Millisecond

// libp2p's bound of the second step is a variable of its package, and a minute.
func init() { client.DialTimeout = circuitTime }

// libp2p dials no more than eight addresses of a peer at once. Those that say
// nothing, of networks that are not connected to this one, must not keep it from the others.
func init() { swarm.DefaultPerPeerRateLimit = 2 * AddrsMax }

func isCircuit(a ma.Multiaddr) bool {
	_, err := a.ValueForProtocol(ma.P_CIRCUIT)
	return err == nil
}

// directFirst ranks addresses to dial.
func directFirst(addrs []ma.Multiaddr) []network.AddrDelay {
	ranked := make([]network.AddrDelay, 0, len(addrs))
	for _, a := range addrs {
		d := network.AddrDelay{Addr: a}
		if isCircuit(a) {
			d.Delay = circuitDelay
		}
		ranked = append(ranked, d)
	}
	return ranked
}

// circuits are the addresses of a peer through the relays that listed it.
func (r *relaying) circuits(id peer.ID) []ma.Multiaddr {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.client == nil {
		return nil
	}
	var all []ma.Multiaddr
	for _, s := range r.through[id] {
		if at := s.conn.RemoteMultiaddr(); !isCircuit(at) && len(all) < AddrsMax {
			a, err := ma.NewMultiaddr(fmt.Sprintf("%s/p2p/%s%s", at, s.id, circuitPart))
			if err == nil {
				all = append(all, a)
			}
		}
	}
	return all
}

// veil notes that a peer is behind a NAT: that nobody is at its addresses says
// nothing about it, for they may be another machine's here.
func (h *Host) veil(id peer.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pair(id).veiled = true
}

// veiled says whether a peer is behind a NAT and this host is not, beside it.
func (h *Host) veiled(id peer.ID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pair(id)
	return p.veiled && !p.plain
}

// meet notes where a peer was met directly. At one of its own addresses there
// is no NAT between, so that what is found there later is true of it. At
// another there is one.
func (h *Host) meet(s *session) {
	own := hasIP(s.theirs.addrs, s.conn.RemoteMultiaddr())
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.pair(s.pid); own {
		p.plain = true
	} else {
		p.veiled = true
	}
}

// hasIP says whether one of the addresses has the IP that a peer is seen at.
func hasIP(addrs []string, seen ma.Multiaddr) bool {
	ip, err := manet.ToIP(seen)
	if err != nil {
		return false
	}
	for _, s := range addrs {
		a, err := ma.NewMultiaddr(s)
		if err != nil || isCircuit(a) {
			continue
		}
		if x, err := manet.ToIP(a); err == nil && x.Equal(ip) {
			return true
		}
	}
	return false
}

// relayHost is the host as libp2p's relay client sees it. It waits for the other
// end to agree to a protocol no longer than circuitTime; the bare host would
// wait for ever.
type relayHost struct{ *blankhost.BlankHost }

// NewStream opens a stream for one of several protocols.
func (p relayHost) NewStream(ctx context.Context, id peer.ID, protos ...protocol.ID) (network.Stream, error) {
	s, err := p.Network().NewStream(ctx, id)
	if err != nil {
		return nil, err
	}
	s.SetDeadline(time.Now().Add(circuitTime))
	chosen, err := mstream.SelectOneOf(protos, s)
	if err == nil {
		err = s.SetProtocol(chosen)
	}
	if err == nil {
		err = s.SetDeadline(time.Time{})
	}
	if err != nil {
		s.Reset()
		return nil, fmt.Errorf("p2p: the relay does not answer: %w", err)
	}
	return s, nil
}
