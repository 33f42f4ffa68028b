package p2p

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
)

// at is the address of a host, as that of another peer.
func at(h peerHost, id string) string {
	return strings.Split(h.Addrs()[0], "/p2p/")[0] + "/p2p/" + id
}

// silentAt is an address that takes connections and says nothing.
func silentAt(t *testing.T, id string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return fmt.Sprintf("/ip4/127.0.0.1/tcp/%d/p2p/%s", l.Addr().(*net.TCPAddr).Port, id)
}

// brief is as long as the members of a grid give a dial. Nothing here takes a
// hundredth of it, but what waits for a silent address.
func brief(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), acceptTime-time.Second)
	t.Cleanup(cancel)
	return ctx
}

// A peer is dialled at several addresses at the same moment, each by itself, as
// a ticket's are. Nobody listens at some of them: the others lead to it.
func TestDialsOfOnePeerAtOnce(t *testing.T) {
	a, b := start(t), start(t)
	gone := start(t)
	dead := at(gone, b.ID())
	gone.Close()
	for round := range 100 {
		var all sync.WaitGroup
		for _, addr := range []string{dead, b.Addrs()[0], dead, dead} {
			all.Go(func() {
				if _, err := a.Dial(soon(t), addr); err != nil && addr != dead {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		all.Wait()
		if t.Failed() {
			return
		}
		a.HangUp(b.ID())
		a.saw.await(t, "down "+b.ID(), round+1)
		b.saw.await(t, "down "+a.ID(), round+1)
	}
}

// Of a peer's addresses one refuses and another says nothing. The refusal is
// heard at once, and by somebody where each is dialled by itself.
func TestARefusalIsHeardBesideASilentAddress(t *testing.T) {
	a := start(t)
	b := start(t, func(c *Config) { c.Secret = make([]byte, SecretSize) })
	silent := silentAt(t, b.ID())
	refused := func(err error) bool {
		var r *DeniedError
		return errors.As(err, &r) && r.Why == WhyWrongSecret
	}
	for range 5 {
		if _, err := a.Dial(brief(t), silent, b.Addrs()[0]); !refused(err) {
			t.Errorf("both: %v", err)
		}
		ctx, cancel := context.WithCancel(brief(t))
		heard := make(chan error, 2)
		for _, addr := range []string{silent, b.Addrs()[0]} {
			go func() {
				_, err := a.Dial(ctx, addr)
				heard <- err
			}()
		}
		one := <-heard
		cancel()
		if other := <-heard; !refused(one) && !refused(other) {
			t.Errorf("each by itself: %v, %v", one, other)
		}
	}
}

// A peer of many addresses, all but one of them silent, is reached.
func TestManySilentAddresses(t *testing.T) {
	for range 5 {
		a, b := start(t), start(t)
		addrs := []string{b.Addrs()[0]}
		for len(addrs) < AddrsMax {
			addrs = append(addrs, silentAt(t, b.ID()))
		}
		if _, err := a.Dial(brief(t), addrs...); err != nil {
			t.Error(err)
		}
	}
}

// A connection ends before there is a session on it. Dial does not wait for one
// in vain, but dials again.
func TestAConnectionThatEndsAtOnce(t *testing.T) {
	for range 4 { // as their ids are, either of the two opens the session
		a, b := start(t), start(t)
		var first sync.Once
		b.swarm.Notify(&network.NotifyBundle{ConnectedF: func(_ network.Network, c network.Conn) {
			first.Do(func() { go c.Close() })
		}})
		if _, err := a.Dial(brief(t), b.Addrs()...); err != nil {
			t.Error(err)
		}
	}
}

// A peer that has died is gone though one of its addresses is this host's too,
// as loopback at the usual port is.
func TestNobodyListensAndAnAddressIsOurs(t *testing.T) {
	a, b := start(t), start(t)
	dead := b.Addrs()[0]
	b.Close()
	if _, err := a.Dial(soon(t), dead, at(a, b.ID())); !errors.Is(err, ErrNobody) {
		t.Errorf("Dial: %v", err)
	}
	if _, err := a.Dial(soon(t), at(a, b.ID())); err == nil || errors.Is(err, ErrNobody) {
		t.Errorf("an address of this host's: %v", err)
	}
}

// A peer was seen at an address that is none of its own, so that there is a NAT
// between: that its own refuse, here, says nothing about it.
func TestWhoIsSeenElsewhereIsBehindANAT(t *testing.T) {
	a, b := start(t), start(t, six(t))
	addrs := b.Addrs()
	join(t, b, a)
	b.Close()
	a.saw.await(t, "down "+b.ID(), 1)
	if _, err := a.Dial(soon(t), addrs...); err == nil || errors.Is(err, ErrNobody) || !strings.Contains(err.Error(), "NAT") {
		t.Errorf("Dial: %v", err)
	}
}
