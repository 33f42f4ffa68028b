package p2p

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/await"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	"github.com/libp2p/go-libp2p/core/sec"
	blankhost "github.com/libp2p/go-libp2p/p2p/host/blank"
	"github.com/libp2p/go-libp2p/p2p/host/eventbus"
	"github.com/libp2p/go-libp2p/p2p/host/peerstore/pstoremem"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	"github.com/libp2p/go-libp2p/p2p/net/upgrader"
	libp2ptls "github.com/libp2p/go-libp2p/p2p/security/tls"
	ma "github.com/multiformats/go-multiaddr"
)

func TestRefusalsReachTheDialler(t *testing.T) {
	await.NoLeaks(t)
	allowed := start(t)
	b := start(t, func(c *Config) {
		c.Accept = func(id string, hello []byte) error {
			if string(hello) != "build 1" {
				return fmt.Errorf("build %q, here it is build 1", hello)
			}
			return nil
		}
	})
	barred := start(t, func(c *Config) { c.Hello = says("build 1") })
	b.Bar(barred.ID())
	lists := start(t, func(c *Config) { c.Allow = []string{allowed.ID()} })
	for _, x := range []struct {
		name   string
		to     peerHost
		from   peerHost
		why    Why
		reason string
	}{
		{"wrong secret", b, start(t, func(c *Config) { c.Secret = bytes.Repeat([]byte{8}, SecretSize) }), WhyWrongSecret, "satin key invite"},
		{"other grid", b, start(t, func(c *Config) { c.Grid = "farm" }), WhyGrid, `"farm"`},
		{"other wire version", b, start(t, func(c *Config) { c.Wire = 2 }), WhyVersion, "wire version 2"},
		{"other build", b, start(t, func(c *Config) { c.Hello = says("build 2") }), WhyHello, "build 1"},
		{"barred", b, barred, WhyBarred, ""},
		{"not on the list", lists, start(t), WhyNotAllowed, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := x.from.Dial(soon(t), x.to.Addrs()...)
			var r *DeniedError
			if !errors.As(err, &r) || r.Why != x.why || r.Here || r.Peer != x.to.ID() {
				t.Fatalf("Dial: %v", err)
			}
			if !strings.Contains(r.Error(), x.reason) || strings.Contains(r.Error(), "\n") {
				t.Fatalf("the words are %q", r)
			}
			if x.from.saw.count("up") != 0 || x.to.saw.count("up") != 0 {
				t.Fatal("a session came up")
			}
		})
	}
	if n := b.Stats().Streams + lists.Stats().Streams; n != 0 {
		t.Fatalf("%d streams were opened by hosts that were refused", n)
	}
	join(t, allowed, lists)
}

func TestTheDiallerRefusesToo(t *testing.T) {
	b := start(t, func(c *Config) { c.Hello = says("old") })
	a := start(t, func(c *Config) {
		c.Accept = func(string, []byte) error { return errors.New("too old") }
	})
	_, err := a.Dial(soon(t), b.Addrs()...)
	var r *DeniedError
	if !errors.As(err, &r) || r.Why != WhyHello || !r.Here {
		t.Fatalf("Dial: %v", err)
	}
	if b.saw.count("up") != 0 {
		t.Fatal("the one refused had a session")
	}
}

func TestBarEndsASessionAndIsTold(t *testing.T) {
	a, b := start(t), start(t)
	join(t, a, b)
	b.Bar(a.ID())
	a.saw.await(t, "down "+b.ID()+" barred", 1)
	b.saw.await(t, "down "+a.ID()+" barred", 1)
	var r *DeniedError
	if _, err := a.Dial(soon(t), b.Addrs()...); !errors.As(err, &r) || r.Why != WhyBarred {
		t.Fatalf("Dial after the bar: %v", err)
	}
	if _, err := b.Dial(soon(t), a.Addrs()...); !errors.As(err, &r) || r.Why != WhyBarred || !r.Here {
		t.Fatalf("dialling whom one barred: %v", err)
	}
	b.Unbar(a.ID())
	join(t, a, b)
}

func TestDialSaysWhenNobodyListens(t *testing.T) {
	a, b := start(t), start(t)
	addrs := b.Addrs()
	b.Close()
	if _, err := a.Dial(soon(t), addrs...); !errors.Is(err, ErrNobody) {
		t.Fatalf("Dial: %v", err)
	}
	c := start(t, func(c *Config) { c.Listen = []string{strings.Split(addrs[0], "/p2p/")[0]} })
	if _, err := a.Dial(soon(t), addrs...); !errors.Is(err, ErrNobody) {
		t.Fatalf("another host at the address: %v", err)
	}
	join(t, a, c) // at once, whatever failed before
	for _, bad := range []string{"", "nonsense", "/ip4/127.0.0.1/tcp/1", "/p2p/" + b.ID()} {
		if _, err := a.Dial(soon(t), bad); err == nil {
			t.Errorf("Dial(%q) succeeded", bad)
		}
	}
}

// A host whose clock is ahead shows a certificate that is not valid yet.
func TestACertificateOfTheFutureIsAboutTheClock(t *testing.T) {
	a := start(t)
	ahead, err := volatileIdentity()
	if err != nil {
		t.Fatal(err)
	}
	cert := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(time.Hour), NotAfter: time.Now().Add(2 * time.Hour)}
	id, err := libp2ptls.NewIdentity(ahead.key, libp2ptls.WithCertTemplate(cert))
	if err != nil {
		t.Fatal(err)
	}
	var other sync.WaitGroup
	defer other.Wait()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	other.Go(func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		conf, _ := id.ConfigForPeer("")
		tls.Server(c, conf).HandshakeContext(t.Context())
	})
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.handshake.SecureOutbound(soon(t), c, ahead.id); err == nil || !strings.Contains(err.Error(), "set whichever is wrong") {
		t.Fatalf("SecureOutbound: %v", err)
	}
}

// hostile is a libp2p host that has no secret and uses a security transport of
// its own under the handshake's name.
func hostile(t *testing.T, id protocol.ID, skip func(net.Conn) error) *blankhost.BlankHost {
	t.Helper()
	own, err := volatileIdentity()
	if err != nil {
		t.Fatal(err)
	}
	book, _ := pstoremem.NewPeerstore()
	book.AddPrivKey(own.id, own.key)
	book.AddPubKey(own.id, own.key.GetPublic())
	bus := eventbus.NewBus()
	sw, err := swarm.NewSwarm(own.id, book, bus)
	if err != nil {
		t.Fatal(err)
	}
	muxers := []upgrader.StreamMuxer{newMuxer()}
	tls, err := libp2ptls.New(id, own.key, muxers)
	if err != nil {
		t.Fatal(err)
	}
	up, err := upgrader.New([]sec.SecureTransport{intruder{tls, skip}}, muxers, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newTransport(up, nil, newUnproved(), nil)
	if err != nil {
		t.Fatal(err)
	}
	sw.AddTransport(tr)
	h := blankhost.NewBlankHost(sw, blankhost.WithEventBus(bus))
	t.Cleanup(func() { h.Close(); book.Close() })
	return h
}

// intruder does TLS properly and then what skip does in place of the proof.
type intruder struct {
	*libp2ptls.Transport
	skip func(net.Conn) error
}

func (i intruder) SecureOutbound(ctx context.Context, c net.Conn, p peer.ID) (sec.SecureConn, error) {
	conn, err := i.Transport.SecureOutbound(ctx, c, p)
	if err == nil {
		err = i.skip(conn)
	}
	return conn, err
}

func TestHostileHostsAreNotDecoded(t *testing.T) {
	greet := func(c net.Conn) error {
		d := handshake{grid: "lab", wire: 1}
		if err := writeHandshake(c, kindGreeting, d.greet().append(nil)); err != nil {
			return err
		}
		_, _, err := readHandshake(c)
		return err
	}
	wants := func(why Why) func(net.Conn) error {
		return func(c net.Conn) error {
			kind, payload, err := readHandshake(c)
			if err != nil || kind != kindVerdict {
				return fmt.Errorf("no verdict but kind %d, %v", kind, err)
			}
			if v, err := decodeDecision(payload); err != nil || v.why != why {
				return fmt.Errorf("told %d, %v", v.why, err)
			}
			return io.EOF // done: it was told why
		}
	}
	proving := func(mac []byte) func(net.Conn) error {
		return func(c net.Conn) error {
			if err := greet(c); err != nil {
				return err
			}
			return writeHandshake(c, kindProof, proof{mac: mac, hello: []byte("let me in")}.append(nil))
		}
	}
	then := func(first, second func(net.Conn) error) func(net.Conn) error {
		return func(c net.Conn) error {
			if err := first(c); err != nil {
				return err
			}
			return second(c)
		}
	}
	nothing := func(net.Conn) error { return nil }
	for _, x := range []struct {
		name string
		id   protocol.ID
		skip func(net.Conn) error
		why  Why // what the victim must have refused it for; 0: libp2p did
	}{
		{"stock TLS", libp2ptls.ID, nothing, 0},
		{"no proof at all, straight to streams", handshakeID, nothing, WhyGarbled},
		{"greets, then streams", handshakeID, greet, WhyGarbled},
		{"an empty proof", handshakeID, then(proving(nil), wants(WhyNoSecret)), WhyNoSecret},
		{"a made-up proof", handshakeID, then(proving(make([]byte, macSize)), wants(WhyWrongSecret)), WhyWrongSecret},
		{"a made-up proof, then streams", handshakeID, proving(make([]byte, macSize)), WhyWrongSecret},
		{"an endless message", handshakeID, func(c net.Conn) error {
			_, err := c.Write([]byte(handshakeMagic + "\x01\xff\xff"))
			return err
		}, WhyGarbled},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := start(t, func(c *Config) {
				c.Accept = func(string, []byte) error { t.Error("its hello was shown to the caller"); return nil }
			})
			if err := b.Subscribe("/satin/best"); err != nil {
				t.Fatal(err)
			}
			attack(t, hostile(t, x.id, x.skip), b)
			if x.why != 0 {
				b.saw.await(t, fmt.Sprintf("refused %d", x.why), 1)
			}
			if s := b.Stats(); s.Proved+s.Streams+s.Frames+s.Bulks+s.Messages != 0 {
				t.Errorf("something of it was decoded: %+v", s)
			}
			if n := len(b.topics.ps.ListPeers("/satin/best")); n != 0 {
				t.Error("pubsub has seen it")
			}
			if b.saw.count("up") != 0 || len(b.swarm.Conns()) != 0 {
				t.Error("it is connected")
			}
		})
	}
}

// attack opens every protocol that the victim speaks, with real-looking bytes.
func attack(t *testing.T, evil *blankhost.BlankHost, victim peerHost) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	addr := ma.StringCast(victim.Addrs()[0])
	info, _ := peer.AddrInfoFromP2pAddr(addr)
	if evil.Connect(ctx, *info) != nil {
		return // told at once
	}
	for _, p := range victim.blank.Mux().Protocols() {
		s, err := evil.Network().NewStream(network.WithNoDial(ctx, "attack"), info.ID)
		if err != nil {
			return
		}
		s.SetDeadline(time.Now().Add(time.Second))
		fmt.Fprintf(s, "\x13/multistream/1.0.0\n%c%s\n", len(p)+1, p)
		s.Write(bytes.Repeat([]byte{0, 1}, 100))
		if n, _ := s.Read(make([]byte, 1)); n > 0 {
			t.Errorf("the victim answered on %s", p)
		}
	}
}

func TestProofsAreBoundToTheirConnection(t *testing.T) {
	g := challenge{wire: 1, grid: "lab"}
	base := transcript{dialler: "A", listener: "B", greetings: [2]challenge{g, g}, hellos: [2][]byte{[]byte("a"), []byte("b")}}
	change := map[string]func(*transcript){
		"dialler":   func(t *transcript) { t.dialler = "C" },
		"listener":  func(t *transcript) { t.listener = "C" },
		"swapped":   func(t *transcript) { t.dialler, t.listener = t.listener, t.dialler },
		"ids merge": func(t *transcript) { t.dialler, t.listener = "AB", "" },
		"nonce":     func(t *transcript) { t.greetings[0].nonce[31]++ },
		"nonce two": func(t *transcript) { t.greetings[1].nonce[0]++ },
		"grid":      func(t *transcript) { t.greetings[0].grid = "lab2" },
		"wire":      func(t *transcript) { t.greetings[1].wire = 2 },
		"hello":     func(t *transcript) { t.hellos[0] = []byte("A") },
	}
	for side := range 2 {
		mac := base.mac(secret, side)
		if !base.proves(secret, side, mac) || base.proves(secret, 1-side, mac) {
			t.Fatal("a proof fits its own side only")
		}
		if base.proves(bytes.Repeat([]byte{1}, SecretSize), side, mac) {
			t.Fatal("a proof fits another secret")
		}
		for what, f := range change {
			other := base
			f(&other)
			if other.proves(secret, side, mac) {
				t.Errorf("side %d: the proof still fits with another %s", side, what)
			}
		}
	}
}

// says is a Config.Hello.
func says(words string) func() []byte { return func() []byte { return []byte(words) } }

func TestLongHelloIsRefused(t *testing.T) {
	a, b := start(t, func(c *Config) { c.Hello = says(strings.Repeat("x", HelloMax+1)) }), start(t)
	if _, err := a.Dial(soon(t), b.Addrs()...); err == nil || !strings.Contains(err.Error(), "the hello has 4097 bytes") {
		t.Fatalf("Dial: %v", err)
	}
}
