package control

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
)

// deadCarrier finds nobody, once it is told to look.
type deadCarrier struct {
	p2p.Carrier
	look  chan struct{}
	dials *atomic.Int64
}

func (c deadCarrier) Send(string, []byte) error { return p2p.ErrNotUp }

func (c deadCarrier) Dial(context.Context, ...string) (string, error) {
	c.dials.Add(1)
	<-c.look
	return "", p2p.ErrNobody
}

// A great many messages for one that has no session are one dial, and what came of it is heard:
// after it nothing is sent or dialled before a moment has passed.
func TestManyMessagesAreOneDial(t *testing.T) {
	c := deadCarrier{look: make(chan struct{}), dials: new(atomic.Int64)}
	l := newLoop(Config{Clock: stopped{}})
	l.carrier = c
	l.machine = peer.New(peer.Config{
		Member: membership.Config{ID: "me"}, Sessions: true,
		Known: []addresses.Known{{ID: "x", Addrs: []string{"/somewhere/p2p/x"}}},
	}, rand.New(rand.NewPCG(1, 2)))
	for range 100 {
		l.sendBytes("x", nil, []byte("hello"))
	}
	if !l.machine.Book().HasSession("x") && l.dialing["x"] == nil {
		t.Error("nobody is dialled")
	}
	close(c.look)
	l.goroutines.Wait()
	l.doPosted()
	if !l.machine.Book().Tried() || len(l.dialing) != 0 {
		t.Errorf("%d dials are under way", len(l.dialing))
	}
	l.sendBytes("x", nil, []byte("hello"))
	l.goroutines.Wait()
	if n := c.dials.Load(); n != 1 {
		t.Errorf("it was dialled %d times", n)
	}
}

// briefCarrier reaches a host whose session is over before the dial has returned.
type briefCarrier struct {
	p2p.Carrier
	events p2p.Events
}

func (c *briefCarrier) Addrs() []string           { return nil }
func (c *briefCarrier) Send(string, []byte) error { return p2p.ErrNotUp }

func (c *briefCarrier) Dial(context.Context, ...string) (string, error) {
	c.events.PeerUp(p2p.Up{ID: "x"})
	c.events.PeerDown("x", p2p.Reset)
	return "x", nil
}

// A session that is over when its dial returns is not taken for one that stands: nobody would dial
// its host again.
func TestASessionMayEndBeforeItsDialReturns(t *testing.T) {
	l := newLoop(Config{Clock: stopped{}, Handshake: greeting{}})
	l.carrier = &briefCarrier{events: l.events()}
	l.machine = peer.New(peer.Config{
		Member: membership.Config{ID: "me"}, Sessions: true,
		Known: []addresses.Known{{ID: "x", Addrs: []string{"/somewhere/p2p/x"}}},
	}, rand.New(rand.NewPCG(1, 2)))
	l.do(l.machine.Reach(l.now(), "x"))
	l.goroutines.Wait()
	l.doPosted()
	if l.machine.Book().HasSession("x") {
		t.Error("a session that is over is held to stand")
	}
}
