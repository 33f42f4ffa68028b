package p2p

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/peerstore"
	"github.com/libp2p/go-libp2p/core/sec"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	ma "github.com/multiformats/go-multiaddr"
)

// Dial connects to the host that the addresses name; see Carrier.
func (h *Host) Dial(ctx context.Context, addrs ...string) (string, error) {
	info, err := parseAddrs(addrs)
	if err != nil {
		return "", err
	}
	if !h.goroutines.enter() {
		return "", ErrClosed
	}
	defer h.goroutines.leave()
	id := info.ID.String()
	if why := h.gate.refuses(info.ID); why != 0 {
		return id, &DeniedError{Peer: id, Why: why, Here: true}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	if h.up(info.ID) {
		return id, nil
	}
	for try := 0; ; try++ {
		err = h.connectSomehow(ctx, info)
		switch {
		case h.up(info.ID):
			return id, nil
		case errors.Is(err, ErrNobody) && h.veiled(info.ID):
			return id, fmt.Errorf("p2p: cannot reach peer %s, which is behind a NAT: no relay leads to it, and its own addresses are another machine's here", id)
		case err != nil:
			return id, err
		}
		if err = h.await(ctx, info.ID); !errors.Is(err, errHungUp) || try == redials || !pause(ctx, redialGap) {
			return id, err
		}
	}
}

// connectSomehow connects at the peer's own addresses or through relays. When
// the peer has a reservation at one, and this host is in reach, the peer can do better
// by dialling this one, as a member does that hears of another: it is given
// time for that.
func (h *Host) connectSomehow(ctx context.Context, info peer.AddrInfo) error {
	h.mu.Lock()
	before := h.pair(info.ID).refusal
	h.mu.Unlock()
	circuits := h.relays.circuits(info.ID)
	if len(circuits) > 0 && h.relays.inReach() {
		head, cancel := context.WithTimeout(ctx, circuitDelay)
		err := h.connectUnlessUp(head, info, before)
		var refused *DeniedError
		if err == nil || h.up(info.ID) || errors.As(err, &refused) {
			cancel()
			return err
		}
		up, late := h.awaitUp(head, info.ID, before)
		cancel()
		switch {
		case up:
			return nil
		case late != nil:
			return late
		}
	}
	info.Addrs = append(info.Addrs, circuits...)
	return h.connectUnlessUp(ctx, info, before)
}

// connectUnlessUp connects, and stops when the session is up by other means,
// for two hosts dial each other, and only one of the two may have a way; or
// when the peer refuses at one of its addresses, as it would at the others.
func (h *Host) connectUnlessUp(ctx context.Context, info peer.AddrInfo, before *DeniedError) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var watch sync.WaitGroup
	var up bool
	var refused *DeniedError
	watch.Go(func() {
		up, refused = h.awaitUp(ctx, info.ID, before)
		cancel()
	})
	_, err := h.connect(ctx, info)
	cancel()
	watch.Wait()
	switch {
	case up:
		return nil
	case err != nil && refused != nil:
		return refused
	}
	return err
}

// awaitUp waits until the session with a peer is up, or until one of the two
// refuses the other in some other way than before, or until ctx is over.
func (h *Host) awaitUp(ctx context.Context, id peer.ID, before *DeniedError) (up bool, _ *DeniedError) {
	for {
		h.mu.Lock()
		p := h.pair(id)
		up, refused, changed := p.session != nil && p.told, p.refusal, p.changed
		h.mu.Unlock()
		if up {
			return true, nil
		}
		if refused != before {
			return false, refused
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false, nil
		}
	}
}

// refused notes that a dial ended with a refusal, by either end.
func (h *Host) refused(id peer.ID, r *DeniedError) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pair(id)
	p.refusal = r
	p.change()
}

// disconnected wakes those who wait for a session on that connection.
func (h *Host) disconnected(_ network.Network, conn network.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.pairs[conn.RemotePeer()]; p != nil {
		p.change()
	}
}

// A process that is dying may still take a connection and reset it, so a
// reset is worth another look before the caller hears of it.
const (
	redials   = 5
	redialGap = 20 * time.Millisecond
)

// libp2p would not dial again for 5 s after a failure. When to dial is the
// caller's decision. (To clear what a swarm notes is not enough: it notes some
// time after a refusal was heard.)
func init() { swarm.BackoffBase, swarm.BackoffCoef = 0, 0 }

func (h *Host) connect(ctx context.Context, info peer.AddrInfo) (network.Conn, error) {
	defer h.aim(info)()
	for try := 0; ; try++ {
		conn, err := h.swarm.DialPeer(ctx, info.ID)
		if err == nil {
			return conn, nil
		}
		if try == redials || !brokenOff(err) {
			return nil, dialError(info.ID.String(), err)
		}
		if !pause(ctx, redialGap) {
			return nil, dialError(info.ID.String(), ctx.Err())
		}
	}
}

// pause waits, and says whether it was for the whole time.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// aim tells libp2p where to dial a peer until the dial is over. Dials of one
// peer that are under way together share their addresses: one that knows
// a dead address only must not make the others miss the peer.
func (h *Host) aim(info peer.AddrInfo) (over func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pair(info.ID)
	if p.dials == 0 {
		h.swarm.Peerstore().ClearAddrs(info.ID)
	}
	h.swarm.Peerstore().AddAddrs(info.ID, info.Addrs, peerstore.TempAddrTTL)
	p.dials++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		p.dials--
	}
}

// brokenOff says that a connection was made and then ended without a word.
func brokenOff(err error) bool {
	return errors.Is(err, errReset) || errors.Is(err, errAborted) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// up says whether the session with a peer is up and PeerUp was called.
func (h *Host) up(id peer.ID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pair(id)
	return p.session != nil && p.told
}

// errHungUp says that a connection ended before there was a session on it: it
// was broken already when it was found, or the peer is just ending.
var errHungUp = errors.New("p2p: the peer hung up")

// await waits for the session that follows a connection.
func (h *Host) await(ctx context.Context, id peer.ID) error {
	t := time.NewTimer(2 * openTime) // one that fails may be under way
	defer t.Stop()
	for {
		h.mu.Lock()
		p := h.pair(id)
		up, none, changed := p.session != nil && p.told, p.session == nil, p.changed
		h.mu.Unlock()
		if up {
			return nil
		}
		if none && len(h.swarm.ConnsToPeer(id)) == 0 {
			return fmt.Errorf("%w: %s", errHungUp, id)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
			return fmt.Errorf("p2p: peer %s let this host in but opened no session within %v", id, 2*openTime)
		}
	}
}

// awaitSession gives the session of a peer that has one or is just getting it.
func (h *Host) awaitSession(id peer.ID) *session {
	t := time.NewTimer(streamTime)
	defer t.Stop()
	for {
		h.mu.Lock()
		p := h.pair(id)
		s, changed := p.session, p.changed
		if !p.told {
			s = nil
		}
		h.mu.Unlock()
		if s != nil {
			return s
		}
		select {
		case <-changed:
		case <-t.C:
			return nil
		case <-h.ctx.Done():
			return nil
		}
	}
}

func parseAddrs(addrs []string) (peer.AddrInfo, error) {
	var info peer.AddrInfo
	if len(addrs) == 0 || len(addrs) > AddrsMax {
		return info, fmt.Errorf("p2p: dial takes 1 to %d addresses, not %d", AddrsMax, len(addrs))
	}
	for _, s := range addrs {
		a, err := ma.NewMultiaddr(s)
		if err != nil && len(addrs) > 1 {
			continue // others know better ones
		}
		if err != nil {
			return info, fmt.Errorf("p2p: %q is not a multiaddress such as /ip4/192.0.2.1/tcp/%d/p2p/12D3…: %w", s, Port, err)
		}
		one, err := peer.AddrInfoFromP2pAddr(a)
		if err != nil {
			return info, fmt.Errorf("p2p: %q does not end in /p2p/ and the peer's id: %w", s, err)
		}
		if info.ID != "" && info.ID != one.ID {
			return info, fmt.Errorf("p2p: addresses of two peers, %s and %s: dial them one by one", info.ID, one.ID)
		}
		info.ID = one.ID
		info.Addrs = append(info.Addrs, one.Addrs...)
	}
	if len(info.Addrs) == 0 {
		return info, fmt.Errorf("p2p: %q says who, but not where", addrs[0])
	}
	return info, nil
}

// dialError gives the one cause that tells the caller most: a refusal; that
// the process is gone, when every address says so; or everything.
func dialError(id string, err error) error {
	var r *DeniedError
	if errors.As(err, &r) {
		return r
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("p2p: no answer from peer %s: %w", id, err)
	}
	var all *swarm.DialError
	if !errors.As(err, &all) || len(all.DialErrors) == 0 {
		return fmt.Errorf("p2p: dial peer %s: %w", id, err)
	}
	gone, other := 0, all.Skipped
	var words []string
	var met []Met
	for _, e := range all.DialErrors {
		var another sec.ErrPeerIDMismatch
		switch {
		case errors.Is(e.Cause, swarm.ErrDialToSelf):
			// Every machine has a loopback, and most listen at the usual port:
			// that address of the peer's is this host's own.
		case isCircuit(e.Address):
			other++ // it may be the relay that is gone
		case errors.As(e.Cause, &another):
			gone++ // it is somebody else's
			met = append(met, Met{another.Actual.String(), e.Address.String() + "/p2p/" + another.Actual.String()})
		case errors.Is(e.Cause, errRefused):
			gone++ // no process listens there
		case !errors.Is(e.Cause, swarm.ErrNoTransport):
			other++
		}
		words = append(words, fmt.Sprintf("%s: %v", e.Address, e.Cause))
	}
	err = fmt.Errorf("p2p: cannot reach peer %s: %s", id, strings.Join(words, "; "))
	if gone > 0 && other == 0 {
		err = fmt.Errorf("%w: peer %s", ErrNobody, id)
	}
	if len(met) > 0 {
		err = &AnotherError{met, err}
	}
	return err
}
