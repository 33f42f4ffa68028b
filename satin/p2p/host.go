package p2p

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/connmgr"
	"github.com/libp2p/go-libp2p/core/event"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/sec"
	"github.com/libp2p/go-libp2p/core/transport"
	blankhost "github.com/libp2p/go-libp2p/p2p/host/blank"
	"github.com/libp2p/go-libp2p/p2p/host/eventbus"
	"github.com/libp2p/go-libp2p/p2p/host/peerstore/pstoremem"
	"github.com/libp2p/go-libp2p/p2p/host/pstoremanager"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	"github.com/libp2p/go-libp2p/p2p/net/upgrader"
	"golang.org/x/time/rate"
)

// Host is one end of the network: an identity, its sessions and its topics.
// It is put together from libp2p's parts, and leaves out those that a closed
// grid does not need: identify, ping, AutoNAT, metrics.
type Host struct {
	cfg    Config
	events Events
	log    *slog.Logger
	id     hostID
	start  uint64

	gate      *gate
	handshake *handshake
	limits    network.ResourceManager
	trimmer   connmgr.ConnManager
	swarm     *swarm.Swarm
	keys      *pstoremanager.PeerstoreManager // forgets those of peers that are gone
	// upgrader makes connections of whatever carries bytes, through the handshake.
	upgrader transport.Upgrader
	blank    *blankhost.BlankHost
	tcp      *tcpTransport
	relays   *relaying
	known    event.Emitter // tells pubsub of peers whose session is up
	topics   *topics
	budget   atomic.Int64 // bytes of bulk bodies being received
	reaches  atomic.Int32 // dials back under way
	count    counters

	ctx        context.Context // ends when everybody has been told goodbye
	stop       context.CancelFunc
	once       sync.Once
	goroutines goroutines

	mu       sync.Mutex // protects what follows
	pairs    map[peer.ID]*pair
	byID     map[string]*session // the sessions that are up, for Send
	numbered uint64              // sessions opened by this host
}

// keyTime is how long the key of a peer is kept after its last connection: as long as libp2p's own
// hosts keep it. Without an end, whoever met a peer every few seconds would keep a megabyte a day.
const keyTime = time.Minute

type hostID struct {
	hostKey
	pid  peer.ID
	text string
}

// counters count what was decoded for others, for tests and Stats.
type counters struct{ frames, bulks, messages, streams atomic.Int64 }

// Open starts a host. The context bounds the start only; end it with Close.
// The error is ErrPortBusy, ErrStateBusy or ErrIdentity where that was the cause.
func Open(ctx context.Context, c Config) (*Host, error) {
	c, err := c.filled()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	own, err := newIdentity(c.Dir, c.Log.Warn)
	if err != nil {
		return nil, err
	}
	h := &Host{cfg: c, events: c.Events, log: c.Log, pairs: map[peer.ID]*pair{}, byID: map[string]*session{},
		id: hostID{own, own.id, own.id.String()}}
	h.ctx, h.stop = context.WithCancel(context.Background())
	var draw [8]byte
	rand.Read(draw[:])
	h.start = binary.BigEndian.Uint64(draw[:])
	if err := h.assemble(); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// assemble builds the host from the inside out: limits, handshake, swarm, pubsub,
// and only then listens, so that nothing arrives before there is a place for it.
func (h *Host) assemble() (err error) {
	if h.gate, err = newGate(h.id.pid, h.cfg.Allow, h.cfg.Barred); err != nil {
		return err
	}
	if h.limits, err = newLimits(h.cfg.PeersMax); err != nil {
		return err
	}
	if h.trimmer, err = newTrimmer(h.cfg.PeersMax); err != nil {
		return err
	}
	bus := eventbus.NewBus()
	if h.known, err = bus.Emitter(new(event.EvtPeerIdentificationCompleted)); err != nil {
		return fmt.Errorf("p2p: event bus: %w", err)
	}
	if err := h.newSwarm(bus); err != nil {
		return err
	}
	if h.keys, err = pstoremanager.NewPeerstoreManager(h.swarm.Peerstore(), bus, h.swarm, pstoremanager.WithGracePeriod(h.cfg.keyTime)); err != nil {
		return fmt.Errorf("p2p: peerstore: %w", err)
	}
	h.keys.Start()
	h.blank = blankhost.NewBlankHost(h.swarm, blankhost.WithEventBus(bus), blankhost.WithConnectionManager(h.trimmer))
	h.swarm.SetStreamHandler(h.accept)
	h.blank.SetStreamHandler(controlID, h.opened)
	h.blank.SetStreamHandler(askID, h.asked)
	h.blank.SetStreamHandler(bulkID, h.receive)
	if h.topics, err = newTopics(h); err != nil {
		return err
	}
	if h.relays, err = newRelaying(h); err != nil {
		return err
	}
	h.swarm.Notify(&network.NotifyBundle{ConnectedF: h.connected, DisconnectedF: h.disconnected})
	if h.cfg.Mute {
		return nil
	}
	if err := listen(h.swarm, h.cfg.Listen, h.log); err != nil {
		return err
	}
	return h.relays.listen()
}

func (h *Host) newSwarm(bus event.Bus) error {
	book, err := pstoremem.NewPeerstore()
	if err != nil {
		return fmt.Errorf("p2p: peerstore: %w", err)
	}
	err = book.AddPrivKey(h.id.pid, h.id.key)
	if err == nil {
		err = book.AddPubKey(h.id.pid, h.id.key.GetPublic())
	}
	if err == nil {
		h.swarm, err = swarm.NewSwarm(h.id.pid, book, bus,
			swarm.WithConnectionGater(h.gate), swarm.WithResourceManager(h.limits),
			swarm.WithDialRanker(directFirst),
			swarm.WithDialTimeout(acceptTime), swarm.WithDialTimeoutLocal(acceptTime),
			swarm.WithUDPBlackHoleSuccessCounter(nil), swarm.WithIPv6BlackHoleSuccessCounter(nil))
	}
	if err != nil {
		book.Close()
		return fmt.Errorf("p2p: swarm: %w", err)
	}
	muxers := []upgrader.StreamMuxer{newMuxer()}
	if h.handshake, err = newHandshake(h.cfg, h.id.key, h.id.pid, muxers, h.gate, h.refusedHere(), h.refused); err != nil {
		return err
	}
	security := []sec.SecureTransport{h.handshake}
	if h.cfg.Visit != nil {
		v, err := newVisits(h.cfg, h.id.hostKey, h.gate, h.handshake.admission, h.handshake.told)
		if err != nil {
			return err
		}
		security = append(security, v)
	}
	h.upgrader, err = upgrader.New(security, muxers, nil, h.limits, h.gate, upgrader.WithAcceptTimeout(acceptTime))
	if err != nil {
		return fmt.Errorf("p2p: upgrader: %w", err)
	}
	if h.tcp, err = newTransport(h.upgrader, h.limits, h.handshake.admission, h.cfg.Wan); err == nil {
		err = h.swarm.AddTransport(h.tcp)
	}
	if err != nil {
		return fmt.Errorf("p2p: tcp: %w", err)
	}
	return nil
}

// refusedHere passes refusals on, a few a second: a stranger must not be able
// to fill a log.
func (h *Host) refusedHere() func(*DeniedError) {
	f := h.events.Refused
	limit := rate.NewLimiter(4, 8)
	return func(r *DeniedError) {
		if f != nil && limit.Allow() {
			f(r)
		}
	}
}

// accept finds out which protocol a stream is for. libp2p's own bare host
// would wait for that without a deadline.
func (h *Host) accept(stream network.Stream) {
	if !h.goroutines.enter() {
		stream.Reset()
		return
	}
	defer h.goroutines.leave()
	h.count.streams.Add(1)
	stream.SetDeadline(time.Now().Add(streamTime))
	id, handle, err := h.blank.Mux().Negotiate(stream)
	if err == nil {
		err = stream.SetDeadline(time.Time{})
	}
	if err != nil {
		stream.Reset()
		return
	}
	handle(id, stream)
}

// introduce shows a peer to pubsub, which otherwise would learn of it from
// libp2p's identify protocol. A peer without a session is never shown.
func (h *Host) introduce(id peer.ID) {
	h.known.Emit(event.EvtPeerIdentificationCompleted{Peer: id, Protocols: h.topics.protocols})
}

// ID is this host's peer id.
func (h *Host) ID() string { return h.id.text }

// Addrs are the addresses to dial this host at: interfaces, then loopback,
// then through relays. The last come and go while the host lives.
func (h *Host) Addrs() []string {
	if h.cfg.Mute {
		return nil
	}
	direct, relayed := dialable(h.swarm), h.relays.addrs()
	slices.Sort(relayed)
	relayed = relayed[:min(len(relayed), reservationsWanted)]
	return append(direct[:min(len(direct), AddrsMax-len(relayed))], relayed...)
}

// Peers are the peers whose session is up.
func (h *Host) Peers() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(maps.Keys(h.byID))
}
