package p2p

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/client"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/relay"
	ma "github.com/multiformats/go-multiaddr"
)

// Relaying says whether a host relays between others, and lets itself be
// reached through others.
type Relaying int

const (
	// RelayAuto: a host that others can dial relays for those that they
	// cannot; one that they cannot dial has reservations at such hosts.
	RelayAuto Relaying = iota
	// RelayOn: relay, whatever the host finds out about itself.
	RelayOn
	// RelayOff: neither relay nor be relayed.
	RelayOff
)

// Limits of relaying. libp2p's own are for strangers: a connection is reset
// after 128 KiB or 2 minutes, and 8 hosts behind one address have a reservation. Here
// everybody is a member, a site is behind one address, a result is as long as
// Config.BulkMax, and a session lasts as long as the grid. So neither bytes nor
// time of a connection are limited, but how many there are and what each can
// make the relay hold.
const (
	// reservationTime is how long a reservation lasts unless it is renewed, which is done at
	// half of it. It ends at once when the connection to the relay does, so it
	// need not be short.
	reservationTime = 10 * time.Minute
	// reservationsWanted is how many relays a host that nobody can dial has a reservation
	// at: when one dies, the others can be dialled through the next at once.
	reservationsWanted = 2
	// guestsMax is the most reservations of one relay: their list fits in a frame.
	guestsMax = 1024
	// circuitsPerPeer is how many relayed connections one peer may have at one
	// relay: as many as members keep to each other, from both sides.
	circuitsPerPeer = 64
	// relayBuffer is held for each direction of a relayed connection, beside
	// the multiplexer's windows. It is the multiplexer's longest message.
	relayBuffer = 16 << 10
)

// guestsMax is the most reservations that a host gives.
func (c Config) guestsMax() int { return min(c.PeersMax, guestsMax) }

// relaying is what a host knows and does about relays, its own service to
// others included. Bytes and reservations are libp2p's circuit relay, at both ends.
//
// Who needs a relay, who is one, and where it is announced, is decided here.
// libp2p has parts for that, too, which see the public Internet only, and a
// grid's machines are mostly on private networks. Of private addresses, in v0.51.0,
//
//   - AutoNAT dials none back (autonat/dialpolicy.go; autonatv2/server.go, but
//     for tests);
//   - autorelay announces a relay at none (autorelay/addrsplosion.go);
//   - hole punching tries none (holepunch/holepuncher.go).
type relaying struct {
	h       *Host
	client  *client.Client // dials and accepts through relays; nil when off
	service *relay.Relay   // nil when off
	wake    chan struct{}  // keep has something to do

	mu           sync.Mutex                // protects what follows
	unreached    map[peer.ID]bool          // contacts that cannot dial this host
	guests       map[peer.ID]time.Time     // who has a reservation here, and until when
	listing      uint64                    // counts changes of guests
	reservations map[*session]*reservation // this host's reservations at others
	through      map[peer.ID][]*session    // at which relays others have reservations
}

// newRelaying makes the parts that relay. Everything they carry comes through
// the handshake twice: the connection to the relay, without which it decodes
// nothing, and the relayed connection, which the same upgrader secures between
// its two ends, so that a relay sees neither more nor less than a router would.
func newRelaying(h *Host) (*relaying, error) {
	r := &relaying{h: h, wake: make(chan struct{}, 1), unreached: map[peer.ID]bool{}, guests: map[peer.ID]time.Time{},
		reservations: map[*session]*reservation{}, through: map[peer.ID][]*session{}}
	if h.cfg.Relay == RelayOff {
		return r, nil
	}
	var err error
	if r.client, err = client.New(relayHost{h.blank}, h.upgrader); err == nil {
		err = h.swarm.AddTransport(r.client)
	}
	if err != nil {
		return r, fmt.Errorf("p2p: relayed connections: %w", err)
	}
	if h.cfg.Mute {
		return r, nil // it is nobody's relay, and nobody dials it
	}
	guests := h.cfg.guestsMax()
	r.service, err = relay.New(h.blank, relay.WithACL(r), relay.WithResources(relay.Resources{
		ReservationTTL:  h.cfg.reservationTime,
		MaxReservations: guests, MaxReservationsPerIP: guests, MaxReservationsPerASN: guests,
		MaxCircuits: circuitsPerPeer, BufferSize: relayBuffer,
		// members tell addresses themselves
	}), relay.WithReservationAddressFilter(func(ma.Multiaddr) bool { return false }))
	if err != nil {
		return r, fmt.Errorf("p2p: relay: %w", err)
	}
	h.blank.SetStreamHandler(reachID, h.reached)
	return r, nil
}

// listen accepts what comes through relays, once the host listens elsewhere.
func (r *relaying) listen() error {
	if r.client == nil || r.h.cfg.Mute {
		return nil
	}
	if err := r.h.swarm.AddListenAddr(circuitAddr); err != nil {
		return fmt.Errorf("p2p: listen through relays: %w", err)
	}
	r.client.Start()
	r.h.goroutines.run(r.keep)
	return nil
}

func (r *relaying) close() {
	if r.service != nil {
		r.service.Close()
	}
}

// serves says whether this host relays for others. The caller holds mu.
func (r *relaying) serves() bool {
	return r.h.cfg.Relay == RelayOn || r.h.cfg.Relay == RelayAuto && len(r.unreached) == 0
}

// inReach says whether others can dial this host, as far as it knows.
func (r *relaying) inReach() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.h.cfg.Mute && (r.h.cfg.Relay == RelayOn || len(r.unreached) == 0)
}

// AllowReserve gives a member a reservation. Whoever asks has proved the secret to
// get as far as this; the lists are asked again, in case they changed.
func (r *relaying) AllowReserve(id peer.ID, _ ma.Multiaddr) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, renewed := r.guests[id]
	if !r.serves() || r.h.gate.refuses(id) != 0 || !renewed && len(r.guests) >= r.h.cfg.guestsMax() {
		return false
	}
	r.guests[id] = time.Now().Add(r.h.cfg.reservationTime)
	if !renewed {
		r.listing++
		r.stir()
	}
	r.h.veil(id)
	return true
}

// AllowConnect lets one member reach another through this host.
func (r *relaying) AllowConnect(from peer.ID, _ ma.Multiaddr, to peer.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.serves() && r.h.gate.refuses(from) == 0 && r.h.gate.refuses(to) == 0
}

// stir makes keep look again.
func (r *relaying) stir() {
	select {
	case r.wake <- struct{}{}:
	default: // it is about to look already
	}
}

// met is called when a session is up, ended when it is over.
func (r *relaying) met(s *session) {
	if isCircuit(s.conn.RemoteMultiaddr()) {
		if s.conn.Stat().Direction == network.DirOutbound {
			r.h.veil(s.pid)
		}
		r.h.goroutines.run(func() { r.shorten(s) })
		return
	}
	r.mu.Lock()
	r.reservations[s] = &reservation{}
	r.mu.Unlock()
	r.h.meet(s)
	r.h.askReach(s)
	r.stir()
}

// shorten moves a session that came through a relay to a connection of its
// own, where only this end can make one: it is hidden and the other is not.
func (r *relaying) shorten(s *session) {
	r.mu.Lock()
	hidden := r.wants() && r.through[s.pid] == nil
	r.mu.Unlock()
	var addrs []string
	for _, a := range s.theirs.addrs {
		if !strings.Contains(a, circuitPart) {
			addrs = append(addrs, a)
		}
	}
	info, err := parseAddrs(addrs)
	if !hidden || err != nil || info.ID != s.pid {
		return
	}
	ctx, cancel := context.WithTimeout(network.WithForceDirectDial(r.h.ctx, "shorten"), acceptTime)
	defer cancel()
	if _, err := r.h.connect(ctx, info); err == nil {
		s.end(Reset) // the next one takes the new connection
	}
}

func (r *relaying) ended(s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.reservations, s)
	delete(r.unreached, s.pid)
	if _, guest := r.guests[s.pid]; guest {
		delete(r.guests, s.pid)
		r.listing++
	}
	r.unlist(s)
	r.stir()
}

// unlist forgets who has a reservation at the other end. The caller holds mu.
func (r *relaying) unlist(s *session) {
	for id, at := range r.through {
		if at = slices.DeleteFunc(at, func(x *session) bool { return x == s }); len(at) == 0 {
			delete(r.through, id)
		} else {
			r.through[id] = at
		}
	}
}

// listed takes a relay's list of those who have a reservation there: all of them
// each time, so that none need be taken back.
func (r *relaying) listed(s *session, payload []byte) error {
	ids, err := decodeGuests(payload)
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.unlist(s)
	for _, id := range ids {
		if id != r.h.id.pid {
			r.through[id] = append(r.through[id], s)
		}
	}
	r.mu.Unlock()
	for _, id := range ids {
		r.h.veil(id)
	}
	return nil
}

// list tells every peer who has a reservation here, where it has not heard of the
// last change, and says whether somebody's queue was full.
func (r *relaying) list() (owing bool) {
	r.mu.Lock()
	now := time.Now()
	var ids []peer.ID
	for id, until := range r.guests {
		if until.Before(now) {
			delete(r.guests, id)
			r.listing++
			continue
		}
		ids = append(ids, id)
	}
	listing := r.listing
	r.mu.Unlock()
	slices.Sort(ids)
	payload := appendGuests(nil, ids)
	for _, s := range r.h.sessions() {
		if s.listing == listing {
			continue
		}
		if s.send(kindGuests, payload) == nil {
			s.listing = listing
		} else {
			owing = true
		}
	}
	return owing
}

// appendGuests writes what decodeGuests reads: ids, in order, each once.
func appendGuests(b []byte, ids []peer.ID) []byte {
	for _, id := range ids {
		b = appendBlock(b, string(id))
	}
	return b
}

const idMax = 48 // bytes of a peer id; the longest in use, Ed25519's, have 38

func decodeGuests(b []byte) ([]peer.ID, error) {
	c := cursor{rest: b}
	var ids []peer.ID
	for len(c.rest) > 0 && !c.bad {
		ids = append(ids, peer.ID(c.block(idMax)))
		if n := len(ids); n > guestsMax || n > 1 && ids[n-2] >= ids[n-1] {
			return nil, errShort
		}
	}
	return ids, c.end()
}
