package p2p

import (
	"fmt"

	"github.com/libp2p/go-libp2p/core/connmgr"
	"github.com/libp2p/go-libp2p/core/network"
	rcmgr "github.com/libp2p/go-libp2p/p2p/host/resource-manager"
	cm "github.com/libp2p/go-libp2p/p2p/net/connmgr"
	"github.com/libp2p/go-libp2p/x/rate"
)

const (
	// connsPerPeer allows for both ends dialling each other at all of their
	// addresses, and those through relays, at the same moment.
	connsPerPeer = 3 * AddrsMax
	// streamsPerPeer: one control stream, two of pubsub, the transfers both
	// ways, and as many again while they open and close; and, at a relay, its
	// relayed connections, which are streams there.
	streamsPerPeer = 64 + circuitsPerPeer
	// handshakesMax is how many connections may be in a handshake at one time, dialled ones
	// too. Admission keeps to fewer: who has lost a place there is counted until the connection
	// has ended.
	handshakesMax = 2 * (strangersMax + membersMax)
)

// newLimits sets libp2p's limits for the grid's size. Its defaults are for the
// open internet: 8 connections from an IPv4 address, 0.2 new ones a second. How
// many may come, and wait for their handshake, is for admission to say.
func newLimits(peersMax int) (network.ResourceManager, error) {
	conns := rcmgr.LimitVal(2*peersMax + handshakesMax)
	streams := rcmgr.LimitVal(peersMax * streamsPerPeer / 2)
	all := rcmgr.ResourceLimits{
		Conns: conns, ConnsInbound: conns, ConnsOutbound: conns, FD: conns,
		Streams: streams, StreamsInbound: streams, StreamsOutbound: streams,
		Memory: 1 << 30,
	}
	strangers := all
	strangers.Conns, strangers.FD = handshakesMax, handshakesMax
	strangers.ConnsInbound, strangers.ConnsOutbound = handshakesMax, handshakesMax
	peer := rcmgr.ResourceLimits{
		Conns: connsPerPeer, ConnsInbound: connsPerPeer, ConnsOutbound: connsPerPeer, FD: connsPerPeer,
		Streams: 2 * streamsPerPeer, StreamsInbound: streamsPerPeer, StreamsOutbound: streamsPerPeer,
		Memory: 128 << 20,
	}
	limits := rcmgr.PartialLimitConfig{
		System: all, Transient: strangers,
		ServiceDefault: all, ProtocolDefault: all,
		ServicePeerDefault: peer, ProtocolPeerDefault: peer, PeerDefault: peer,
		Conn:   rcmgr.ResourceLimits{Conns: 1, ConnsInbound: 1, ConnsOutbound: 1, FD: 1, Memory: 128 << 20},
		Stream: rcmgr.ResourceLimits{Streams: 1, StreamsInbound: 1, StreamsOutbound: 1, Memory: 64 << 20},
	}
	perAddress := int(conns)
	m, err := rcmgr.NewResourceManager(
		rcmgr.NewFixedLimiter(limits.Build(rcmgr.InfiniteLimits)),
		rcmgr.WithMetricsDisabled(),
		rcmgr.WithLimitPerSubnet(
			[]rcmgr.ConnLimitPerSubnet{{PrefixLength: 32, ConnCount: perAddress}},
			[]rcmgr.ConnLimitPerSubnet{{PrefixLength: 56, ConnCount: perAddress}}),
		rcmgr.WithConnRateLimiters(&rate.Limiter{}), // none: admission has them, by range
	)
	if err != nil {
		return nil, fmt.Errorf("p2p: limits: %w", err)
	}
	return m, nil
}

// newTrimmer closes connections of hosts that proved the secret and have no
// session when there are too many; members are protected.
func newTrimmer(peersMax int) (connmgr.ConnManager, error) {
	m, err := cm.NewConnManager(peersMax, peersMax+peersMax/4, cm.WithGracePeriod(2*openTime))
	if err != nil {
		return nil, fmt.Errorf("p2p: connection manager: %w", err)
	}
	return m, nil
}

// memberTag protects the connections of peers whose session is up.
const memberTag = "member"
