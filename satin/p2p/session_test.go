package p2p

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"satingrid/satin/await"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
)

func TestFrameCaps(t *testing.T) {
	a, b := start(t), start(t)
	join(t, a, b)
	if err := a.Send(b.ID(), make([]byte, FrameMax+1)); err != ErrTooBig {
		t.Fatalf("a frame over the cap: %v", err)
	}
	if err := a.Send(b.ID(), bytes.Repeat([]byte("x"), FrameMax)); err != nil {
		t.Fatal(err)
	}
	b.saw.await(t, "frame "+a.ID()+" xxx", 1)
	if err := a.Send(b.ID(), nil); err != nil {
		t.Fatal(err)
	}
	b.saw.await(t, "frame", 2)
	if err := a.Send("nobody", nil); err != ErrNotUp {
		t.Fatalf("to nobody: %v", err)
	}
}

func TestAFrameOverTheCapEndsTheSession(t *testing.T) {
	a, b := start(t), start(t)
	join(t, a, b)
	s := a.session(b.ID())
	s.stream.Write([]byte{kindFrame, 0xff, 0xff, 0xff, 1, 2, 3})
	b.saw.await(t, "down "+a.ID()+" faulty", 1)
	a.saw.await(t, "down "+b.ID(), 1)
}

// Who is told that it has a twin hears that, and not that its session broke. To who has told it,
// another process took its place.
func TestATwinIsTold(t *testing.T) {
	a, b := start(t), start(t)
	join(t, a, b)
	a.TellTwin(b.ID())
	a.TellTwin("nobody")
	b.saw.await(t, "down "+a.ID()+" twin", 1)
	a.saw.await(t, "down "+b.ID()+" restarted", 1)
}

// Two hosts dial each other at the same moment, again and again: there is one
// session at the end, and frames flow both ways on it.
func TestSimultaneousDials(t *testing.T) {
	a, b := start(t), start(t)
	for round := range 20 {
		var both sync.WaitGroup
		for _, x := range [][2]peerHost{{a, b}, {b, a}} {
			both.Go(func() {
				if _, err := x[0].Dial(soon(t), x[1].Addrs()...); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		both.Wait()
		frame := fmt.Appendf(nil, "%d", round)
		await.Until(t, "a session", func() bool { return a.Send(b.ID(), frame) == nil && b.Send(a.ID(), frame) == nil })
		a.saw.await(t, fmt.Sprintf("frame %s %d", b.ID(), round), 1)
		b.saw.await(t, fmt.Sprintf("frame %s %d", a.ID(), round), 1)
		a.HangUp(b.ID())
		await.Until(t, "both alone", func() bool {
			a.HangUp(b.ID()) // the second connection may have brought a new session
			return len(a.Peers())+len(b.Peers())+len(a.swarm.Conns())+len(b.swarm.Conns()) == 0
		})
	}
}

// proxy stands between two hosts and can go silent, as a NAT does that forgot
// a connection: it passes nothing on, not even that an end hung up.
type proxy struct {
	addr   string
	silent chan struct{}
}

func newProxy(t *testing.T, to peerHost) *proxy {
	t.Helper()
	where, _ := ma.StringCast(to.Addrs()[0]).ValueForProtocol(ma.P_TCP)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{silent: make(chan struct{})}
	p.addr = fmt.Sprintf("/ip4/127.0.0.1/tcp/%d/p2p/%s", l.Addr().(*net.TCPAddr).Port, to.ID())
	near, far := net.Conn(nil), net.Conn(nil)
	t.Cleanup(func() {
		l.Close()
		near.Close()
		far.Close()
	})
	go func() {
		if near, err = l.Accept(); err != nil {
			return
		}
		if far, err = net.Dial("tcp", "127.0.0.1:"+where); err != nil {
			return
		}
		go p.pass(near, far)
		p.pass(far, near)
	}()
	return p
}

func (p *proxy) pass(from, to net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		select {
		case <-p.silent:
			return
		default:
		}
		if err != nil {
			return
		}
		to.Write(buf[:n])
	}
}

// A connection that one end lost and the other still believes in is given up
// when the one that lost it comes back on another.
func TestASessionThatOneEndLostComesBack(t *testing.T) {
	for range 4 { // so that, very likely, either end is the opener
		lost, kept := start(t), start(t)
		p := newProxy(t, kept)
		if _, err := lost.Dial(soon(t), p.addr); err != nil {
			t.Fatal(err)
		}
		kept.saw.await(t, "up", 1)
		close(p.silent)
		lost.session(kept.ID()).end(Reset)
		lost.saw.await(t, "down "+kept.ID()+" reset", 1)
		if _, err := lost.Dial(soon(t), kept.Addrs()...); err != nil {
			t.Fatal(err)
		}
		kept.saw.await(t, "down "+lost.ID()+" reset", 1)
		kept.saw.await(t, "up "+lost.ID(), 2)
		if err := lost.Send(kept.ID(), []byte("again")); err != nil {
			t.Fatal(err)
		}
		kept.saw.await(t, "frame "+lost.ID()+" again", 1)
	}
}

// A process that died and started again with its identity replaces itself.
func TestARestartReplacesTheOldProcess(t *testing.T) {
	dir := t.TempDir()
	old := start(t, func(c *Config) { c.Dir = dir })
	b := start(t)
	join(t, old, b)
	// The old process is stopped, not ended: its connection stays.
	old.id.hostKey.close()
	again := start(t, func(c *Config) { c.Dir = dir })
	if again.ID() != old.ID() {
		t.Fatal("the identity was not kept")
	}
	if _, err := again.Dial(soon(t), b.Addrs()...); err != nil {
		t.Fatal(err)
	}
	b.saw.await(t, "up "+old.ID(), 2)
	if err := again.Send(b.ID(), []byte("I am new")); err != nil {
		t.Fatal(err)
	}
	b.saw.await(t, "frame "+again.ID()+" I am new", 1)
}

func TestASlowReaderHoldsUpNobodyElse(t *testing.T) {
	block := make(chan struct{})
	slow := start(t, func(c *Config) { c.Events.Frame = func(string, []byte) { <-block } })
	defer close(block)
	a, b := start(t), start(t)
	join(t, a, slow)
	join(t, a, b)
	join(t, b, slow)
	full := false
	for range 100_000 {
		if err := a.Send(slow.ID(), make([]byte, 32<<10)); errors.Is(err, ErrFull) {
			full = true
			break
		}
	}
	if !full {
		t.Fatal("a peer that does not read never filled its queue")
	}
	if err := a.Send(b.ID(), []byte("quick")); err != nil {
		t.Fatal(err)
	}
	b.saw.await(t, "frame "+a.ID()+" quick", 1)
}

// streams that no session belongs to do no harm.
func TestStrayStreams(t *testing.T) {
	a, b := start(t), start(t)
	join(t, a, b)
	for _, bytes := range [][]byte{{0, 0}, {0xff, 0xff, 1}, {0, 16, 1, 2}} {
		for _, x := range [][2]peerHost{{a, b}, {b, a}} {
			for _, id := range x[1].blank.Mux().Protocols() {
				pid, _ := peer.Decode(x[1].ID())
				ctx, cancel := context.WithTimeout(network.WithNoDial(t.Context(), "stray"), patience)
				s, err := x[0].blank.NewStream(ctx, pid, id)
				cancel()
				if err != nil {
					continue // reset before it had answered
				}
				s.Write(bytes)
				s.Close()
			}
		}
	}
	if err := a.Send(b.ID(), []byte("still here")); err != nil {
		t.Fatal(err)
	}
	b.saw.await(t, "frame "+a.ID()+" still here", 1)
	if a.saw.count("down")+b.saw.count("down") != 0 {
		t.Fatal("the session ended")
	}
}
