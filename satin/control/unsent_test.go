package control

import (
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/membership"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
)

// quietCarrier sends to whoever is up, and notes it.
type quietCarrier struct {
	p2p.Carrier
	up   bool
	sent []string
}

func (c *quietCarrier) Send(_ string, frame []byte) error {
	if !c.up {
		return p2p.ErrNotUp
	}
	c.sent = append(c.sent, string(frame))
	return nil
}

// TestUnsentWaitsForTheDial: what is said to a peer that is being dialled goes out first when it is
// up, as much as there is room for. What is said to one that nobody dials is lost.
func TestUnsentWaitsForTheDial(t *testing.T) {
	c := new(quietCarrier)
	l := &Loop{
		conf:    Config{Clock: stopped{}},
		carrier: c, dialing: map[membership.PeerID]*attempt{"x": {}},
		machine: peer.New(peer.Config{Member: membership.Config{ID: "me"}}, rand.New(rand.NewPCG(1, 2))),
	}
	l.sendBytes("x", nil, []byte("hello"))
	l.sendBytes("y", nil, []byte("nobody"))
	l.sendBytes("x", nil, []byte("ask"))
	for range 2 * unsentMax / bulkAbove {
		l.sendBytes("x", nil, make([]byte, bulkAbove))
	}
	if held := l.dialing["x"].bytes; held > unsentMax || held < unsentMax-bulkAbove {
		t.Errorf("%d bytes wait", held)
	}
	c.up = true
	l.sendUnsent("x")
	l.sendUnsent("y")
	l.sendBytes("x", nil, []byte("later"))
	if n := len(c.sent); n < 4 || !slices.Equal(c.sent[:2], []string{"hello", "ask"}) || c.sent[n-1] != "later" {
		t.Errorf("%d frames were sent: %.20q", n, c.sent)
	}
	if a := l.dialing["x"]; len(a.unsent) > 0 || a.bytes != 0 {
		t.Error("what was sent is kept")
	}
}

// greeting lets everybody in, as members.
type greeting struct{ Handshake }

func (greeting) IsClient([]byte) bool { return false }

func (c *quietCarrier) Addrs() []string { return nil }

// TestUnsentFollowsTheGreeting: to whom a member has never spoken it is a stranger, whose requests
// are not heard before it has greeted.
func TestUnsentFollowsTheGreeting(t *testing.T) {
	c := new(quietCarrier)
	l := newLoop(Config{Clock: stopped{}, Handshake: greeting{}})
	l.carrier = c
	l.machine = peer.New(peer.Config{Member: membership.Config{ID: "me"}}, rand.New(rand.NewPCG(1, 2)))
	l.machine.Found(l.now())
	l.dialing["x"] = new(attempt)
	l.sendBytes("x", nil, []byte("ask"))
	c.up = true
	l.events().PeerUp(p2p.Up{ID: "x"})
	l.doPosted()
	if len(c.sent) != 2 || c.sent[1] != "ask" {
		t.Fatalf("%d frames were sent, want a greeting and what waited: %.20q", len(c.sent), c.sent)
	}
	if m, err := messages.Decode([]byte(c.sent[0])); err != nil || m.Body.Kind() != membership.KindHello {
		t.Errorf("%T was said first (%v), want a greeting", m.Body, err)
	}
}
