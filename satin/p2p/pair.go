package p2p

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	mstream "github.com/multiformats/go-multistream"
)

// The protocols of a pair of hosts. Of each pair the host with the smaller id
// is the opener: it alone opens control streams, so two of them never compete.
// The other asks where it has a connection and no session.
const (
	controlID protocol.ID = "/satin/control/1"
	askID     protocol.ID = "/satin/ask/1"
)

// pair is what a host knows of one other. Host.mu protects it.
type pair struct {
	session *session // nil when none is up
	told    bool     // PeerUp has returned for it
	opening bool     // the opener is opening one
	dials   int      // of it that are under way
	start   uint64   // of the other process, from the newest session
	number  uint64   // of the newest session
	since   time.Time
	veiled  bool         // it is behind a NAT
	plain   bool         // yet not from here: it was met at its own address
	refusal *DeniedError // the last that a dial from here met
	// closed when a session comes up, a dial is refused or a connection ends
	changed chan struct{}
}

// change wakes those who wait. The caller holds the host's mu.
func (p *pair) change() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// pairsKept is how many pairs without a session are remembered for every one
// that may have one. A host that forgot a pair is asked, or asks, in vain until
// the multiplexer finds the old connection dead.
const pairsKept = 4

// pair finds or makes the state of a peer. The caller holds mu.
func (h *Host) pair(id peer.ID) *pair {
	if p := h.pairs[id]; p != nil {
		return p
	}
	if len(h.pairs) >= pairsKept*h.cfg.PeersMax {
		h.forget()
	}
	p := &pair{changed: make(chan struct{}), since: time.Now()}
	h.pairs[id] = p
	return p
}

// forget drops the pair that has been without a session the longest.
func (h *Host) forget() {
	var oldest peer.ID
	for id, p := range h.pairs {
		if p.session == nil && !p.opening && p.dials == 0 && (oldest == "" || p.since.Before(h.pairs[oldest].since)) {
			oldest = id
		}
	}
	delete(h.pairs, oldest)
}

// opens says whether this host is the opener towards another.
func (h *Host) opens(other peer.ID) bool { return h.id.pid < other }

// connected is called for every new connection. It must not wait.
func (h *Host) connected(_ network.Network, conn network.Conn) {
	h.goroutines.run(func() {
		if h.opens(conn.RemotePeer()) {
			h.ensure(conn)
			return
		}
		h.ask(conn)
	})
}

// ensure opens a session on a connection, unless there is one or it is being
// opened.
func (h *Host) ensure(conn network.Conn) {
	id := conn.RemotePeer()
	h.mu.Lock()
	p := h.pair(id)
	if p.session != nil || p.opening || h.closed() {
		h.mu.Unlock()
		return
	}
	p.opening = true
	h.numbered++
	number := h.numbered
	h.mu.Unlock()

	s, err := h.open(conn, number)
	if err != nil {
		h.mu.Lock()
		p.opening = false
		h.mu.Unlock()
		h.log.Debug("no session", "peer", id, "error", err)
		conn.Close()
		h.again(id)
		return
	}
	h.run(s)
}

// again looks for another connection to a peer after a session ended or could
// not be opened.
func (h *Host) again(id peer.ID) {
	for _, c := range h.swarm.ConnsToPeer(id) {
		if !c.IsClosed() {
			h.connected(nil, c)
			return
		}
	}
}

// open opens a control stream and waits for the answer.
func (h *Host) open(conn network.Conn, number uint64) (*session, error) {
	ctx, cancel := context.WithTimeout(h.ctx, openTime)
	defer cancel()
	stream, err := conn.NewStream(ctx)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { stream.Reset() })
	defer stop()
	own := h.opening(number)
	theirs, err := exchange(stream, own)
	if err == nil && h.cfg.Accept != nil {
		err = h.cfg.Accept(conn.RemotePeer().String(), theirs.hello)
	}
	if err == nil && (theirs.number != number || !stop()) {
		err = fmt.Errorf("p2p: answer to session %d where %d was opened: %w", theirs.number, number, errShort)
	}
	if err != nil {
		stream.Reset()
		return nil, err
	}
	return newSession(h, conn, stream, own, theirs, number), nil
}

func exchange(stream network.Stream, own streamOpening) (streamOpening, error) {
	if err := stream.SetProtocol(controlID); err != nil {
		return streamOpening{}, err
	}
	lazy := mstream.NewMSSelect(stream, controlID)
	if err := writeBlock(lazy, own.append(nil)); err != nil {
		return streamOpening{}, err
	}
	b, err := readBlock(lazy, openingMax)
	if err != nil {
		return streamOpening{}, err
	}
	return decodeOpening(b)
}

func (h *Host) opening(number uint64) streamOpening {
	return streamOpening{start: h.start, number: number, hello: h.cfg.Hello(), addrs: h.Addrs()}
}

// opened handles a control stream that the opener opened.
func (h *Host) opened(stream network.Stream) {
	conn := stream.Conn()
	id := conn.RemotePeer()
	stream.SetDeadline(time.Now().Add(openTime))
	b, err := readBlock(stream, openingMax)
	if err != nil || h.opens(id) {
		stream.Reset()
		return
	}
	theirs, err := decodeOpening(b)
	if err == nil && h.cfg.Accept != nil {
		err = h.cfg.Accept(id.String(), theirs.hello)
	}
	if err != nil || !h.replaces(id, theirs) {
		stream.Reset()
		return
	}
	own := h.opening(theirs.number)
	if writeBlock(stream, own.append(nil)) != nil || stream.SetDeadline(time.Time{}) != nil {
		stream.Reset()
		return
	}
	h.run(newSession(h, conn, stream, own, theirs, theirs.number))
}

// replaces says whether an opening is newer than the session that is up, and
// ends that one. An opening that was overtaken by a later one is stale.
func (h *Host) replaces(id peer.ID, o streamOpening) bool {
	h.mu.Lock()
	p := h.pair(id)
	stale := p.start == o.start && o.number <= p.number
	old := p.session
	h.mu.Unlock()
	if stale || h.closed() {
		return false
	}
	if old != nil {
		old.end(ended(old, o.start))
		select {
		case <-old.gone:
		case <-h.ctx.Done():
			return false
		}
	}
	return true
}

// ended says how a session ended that another one takes the place of.
func ended(old *session, start uint64) SessionEnd {
	if old.theirs.start != start {
		return Restarted
	}
	return Reset
}

// run puts a session in its place and lives its life. Until then it counts as
// being opened: a second one would end it.
func (h *Host) run(s *session) {
	h.mu.Lock()
	p := h.pair(s.pid)
	for p.session != nil { // another one came up between; the newer number stays
		old := p.session
		if old.theirs.start == s.theirs.start && old.number > s.number {
			p.opening = false
			h.mu.Unlock()
			s.end(Reset)
			return
		}
		h.mu.Unlock()
		old.end(ended(old, s.theirs.start))
		<-old.gone
		h.mu.Lock()
	}
	p.opening = false
	if h.closed() || h.gate.refuses(s.pid) != 0 {
		h.mu.Unlock()
		s.end(Closed)
		return
	}
	p.session, p.start, p.number = s, s.theirs.start, s.number
	h.byID[s.id] = s
	h.mu.Unlock()
	if !h.goroutines.run(func() { h.live(s, p) }) {
		s.end(Closed)
		close(s.gone)
	}
}

// live calls PeerUp, reads until the end, and calls PeerDown.
func (h *Host) live(s *session, p *pair) {
	h.trimmer.Protect(s.pid, memberTag)
	if f := h.events.PeerUp; f != nil {
		f(Up{ID: s.id, Process: s.theirs.start, Hello: s.theirs.hello, Addrs: slices.Clone(s.theirs.addrs),
			Dialled: s.conn.Stat().Direction == network.DirOutbound})
	}
	h.mu.Lock()
	p.told = true
	p.change()
	h.mu.Unlock()
	h.introduce(s.pid)
	h.relays.met(s)
	written := make(chan struct{})
	go func() {
		defer close(written)
		s.write()
	}()
	s.read()
	<-written
	h.mu.Lock()
	p.session, p.told, p.since = nil, false, time.Now()
	delete(h.byID, s.id)
	h.mu.Unlock()
	h.relays.ended(s)
	h.trimmer.Unprotect(s.pid, memberTag)
	if f := h.events.PeerDown; f != nil {
		f(s.id, s.how)
	}
	close(s.gone)
	if !h.closed() {
		h.again(s.pid)
	}
}
