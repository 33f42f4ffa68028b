package p2p

import (
	"context"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
	mstream "github.com/multiformats/go-multistream"
)

// reachID is how a host finds out whether others can dial it: it asks each
// peer that it dialled itself to dial it back. The peer answers twice: at once
// with the address that it sees the host at, and later with how it went. The
// first answer already tells a NAT, so that a host behind one need not wait for
// packets that vanish.
const reachID protocol.ID = "/satin/reach/1"

const (
	reachTime  = 2 * time.Second // for the dial back: five round trips of a far site
	reachAgain = time.Minute     // before a contact that could not is asked again
	reachesMax = 16              // dials back at one time; who finds no place asks again
)

// askReach asks the other end of a session to dial this host back, where that
// says something: this host dialled it, directly, and not on this machine.
func (h *Host) askReach(s *session) {
	at := s.conn.RemoteMultiaddr()
	if h.cfg.Relay != RelayAuto || h.cfg.Mute || s.conn.Stat().Direction != network.DirOutbound ||
		isCircuit(at) || manet.IsIPLoopback(at) {
		return
	}
	h.goroutines.run(func() {
		for !h.tryReach(s) {
			t := time.NewTimer(reachAgain)
			select {
			case <-t.C:
			case <-s.done:
				t.Stop()
				return
			}
		}
	})
}

// tryReach says whether the other end has dialled this host back.
func (h *Host) tryReach(s *session) bool {
	ctx, cancel := context.WithTimeout(h.ctx, streamTime)
	defer cancel()
	stream, err := s.conn.NewStream(ctx)
	if err != nil {
		return false
	}
	defer stream.Reset()
	stream.SetDeadline(time.Now().Add(streamTime))
	if stream.SetProtocol(reachID) != nil {
		return false
	}
	lazy := mstream.NewMSSelect(stream, reachID)
	o := streamOpening{addrs: dialable(h.swarm)}
	if writeBlock(lazy, o.append(nil)) != nil {
		return false
	}
	seen, err := readBlock(lazy, addrMax)
	if err != nil {
		return false
	}
	if a, err := ma.NewMultiaddr(string(seen)); err == nil && !hasIP(o.addrs, a) {
		h.relays.judge(s, false)
	}
	verdict, err := readBlock(lazy, 1)
	if err != nil || len(verdict) != 1 {
		return false
	}
	h.relays.judge(s, verdict[0] == 1)
	return verdict[0] == 1
}

// judge notes whether a contact can dial this host.
func (r *relaying) judge(s *session, reachable bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, up := r.reservations[s]; !up {
		return
	}
	if reachable {
		delete(r.unreached, s.pid)
	} else {
		r.unreached[s.pid] = true
	}
	r.stir()
}

// reached handles the question.
func (h *Host) reached(stream network.Stream) {
	defer stream.Reset()
	conn := stream.Conn()
	stream.SetDeadline(time.Now().Add(streamTime))
	b, err := readBlock(stream, openingMax)
	if err != nil {
		return
	}
	o, err := decodeOpening(b)
	if err != nil || writeBlock(stream, []byte(conn.RemoteMultiaddr().String())) != nil {
		return
	}
	if h.reaches.Add(1) > reachesMax {
		h.reaches.Add(-1)
		return
	}
	defer h.reaches.Add(-1)
	verdict := []byte{0}
	if h.dialBack(conn.RemotePeer(), o.addrs) {
		verdict[0] = 1
	}
	if writeBlock(stream, verdict) == nil {
		stream.CloseWrite()
		stream.Read(verdict) // the asker resets the stream when it has the answer
	}
}

// dialBack dials a peer at addresses on the network, through the handshake, so that
// another machine with the same private address is not taken for it.
func (h *Host) dialBack(id peer.ID, addrs []string) bool {
	ctx, cancel := context.WithTimeout(h.ctx, reachTime)
	defer cancel()
	tried, met := 0, make(chan bool, AddrsMax)
	for _, s := range addrs {
		a, err := ma.NewMultiaddr(s)
		if err != nil {
			continue
		}
		a, _ = peer.SplitAddr(a)
		if a == nil || isCircuit(a) || manet.IsIPLoopback(a) || !h.tcp.CanDial(a) {
			continue
		}
		tried++
		go func() {
			c, err := h.tcp.Dial(ctx, a, id)
			if err == nil {
				c.Close()
			}
			met <- err == nil
		}()
	}
	found := false
	for range tried {
		if <-met {
			found = true
			cancel()
		}
	}
	return found
}
