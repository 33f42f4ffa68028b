package p2p

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/client"
)

// reservation is this host's place at a relay, or its attempts to have one. It lives
// as long as the session with the relay.
type reservation struct {
	asking bool
	held   bool
	until  time.Time // when it ends, unless renewed
	next   time.Time // when to renew it, or to ask again after a refusal
}

const (
	// reservationAgain is how long whoever refused a reservation is left alone; it may be
	// behind a NAT itself and not know it yet. A host without any reservation asks
	// sooner.
	reservationAgain     = time.Minute
	reservationAgainNone = 5 * time.Second
	reservationAskTime   = 5 * time.Second        // for one answer
	listAgain            = 250 * time.Millisecond // after a full queue
	// looks for reservations that ended here without a word
	keepEvery = time.Minute
)

// keep lists this host's guests and holds its own reservations until the host closes.
// It never waits for the network: asking is done beside it.
func (r *relaying) keep() {
	for {
		wait := keepEvery
		if r.list() {
			wait = listAgain
		}
		if next := r.seek(); next < wait {
			wait = next
		}
		t := time.NewTimer(max(wait, time.Millisecond))
		select {
		case <-r.wake:
		case <-t.C:
		case <-r.h.ctx.Done():
			t.Stop()
			return
		}
		t.Stop()
	}
}

// seek renews reservations and asks for as many as are wanted, and says when there is
// something to do again.
func (r *relaying) seek() (wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wait = keepEvery
	have, now := 0, time.Now()
	var free []*session
	for s, x := range r.reservations {
		if x.held && x.until.Before(now) {
			x.held = false
		}
		switch {
		case x.held || x.asking:
			have++
		case r.through[s.pid] != nil: // behind a NAT like this host
			continue
		}
		switch due := x.next.Sub(now); {
		case x.asking:
		case due > 0:
			wait = min(wait, due)
		case x.held:
			r.ask(s, x)
		default:
			free = append(free, s)
		}
	}
	if !r.wants() {
		return wait
	}
	rand.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	for _, s := range free[:min(len(free), max(reservationsWanted-have, 0))] {
		r.ask(s, r.reservations[s])
	}
	return wait
}

// wants says whether this host should be reachable through others. The caller
// holds mu.
func (r *relaying) wants() bool { return r.h.cfg.Relay == RelayAuto && len(r.unreached) > 0 }

// ask asks for a reservation in the background. The caller holds mu.
func (r *relaying) ask(s *session, x *reservation) {
	x.asking = r.h.goroutines.run(func() {
		ctx, cancel := context.WithTimeout(network.WithNoDial(r.h.ctx, "reservation"), reservationAskTime)
		defer cancel()
		_, err := client.Reserve(ctx, relayHost{r.h.blank}, peer.AddrInfo{ID: s.pid})
		now := time.Now()
		r.mu.Lock()
		defer r.mu.Unlock()
		x.asking = false
		if err == nil {
			x.held, x.until, x.next = true, now.Add(r.h.cfg.reservationTime), now.Add(r.h.cfg.reservationTime/2)
		} else {
			r.h.log.Debug("no reservation", "relay", s.id, "error", err)
			x.next = now.Add(reservationAgain)
			if x.held || !r.holds() {
				x.next = now.Add(min(reservationAgainNone, r.h.cfg.reservationTime/4))
			}
		}
		r.stir()
	})
}

// holds says whether this host has a reservation. The caller holds mu.
func (r *relaying) holds() bool {
	for _, x := range r.reservations {
		if x.held {
			return true
		}
	}
	return false
}

// addrs are the addresses of this host through its relays: where it reached
// them itself, or where they say they are.
func (r *relaying) addrs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for s, x := range r.reservations {
		if !x.held {
			continue
		}
		at := ""
		for _, a := range s.theirs.addrs {
			if !strings.Contains(a, circuitPart) {
				at = a
				break
			}
		}
		if s.conn.Stat().Direction == network.DirOutbound {
			at = s.conn.RemoteMultiaddr().String() + "/p2p/" + s.id
		}
		if a := at + circuitPart + "/p2p/" + r.h.id.text; at != "" && len(a) <= addrMax {
			all = append(all, a)
		}
	}
	return all
}
