package p2p

import (
	"net"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin/p2p/wan"
)

func TestWanIsNotInThePathWhenOff(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn)
	go func() {
		c, _ := tcpListener{l, newUnproved(), nil}.Accept()
		accepted <- c
	}()
	a, err := tcpDialer{}.DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b := <-accepted
	if b == nil {
		t.Fatal("nobody was accepted")
	}
	defer b.Close()
	if _, ok := a.(*net.TCPConn); !ok {
		t.Fatalf("dialled a %T", a)
	}
	w, ok := b.(waiting)
	if _, plain := w.Conn.(*net.TCPConn); !ok || !plain {
		t.Fatalf("accepted a %T of a %T", b, w.Conn)
	}
}

// What goes to another site is counted once, by the one who sends it; what
// stays at a site is not.
func TestBytesFar(t *testing.T) {
	near := func(site string) func(*Config) { return func(c *Config) { c.Wan = wan.New(site) } }
	a, b, also := start(t, near("a")), start(t, near("b")), start(t, near("a"))
	join(t, also, a)
	if n := a.BytesFar() + also.BytesFar(); n != 0 {
		t.Fatalf("%d bytes went far within a site", n)
	}
	join(t, a, b)
	before, back := a.BytesFar(), b.BytesFar()
	const n = 1 << 20
	if err := a.SendBulk(soon(t), b.ID(), nil, make([]byte, n)); err != nil {
		t.Fatal(err)
	}
	there, back := a.BytesFar()-before, b.BytesFar()-back
	if there < n || there > n+n/10 || back == 0 || back > n/10 {
		t.Fatalf("%d bytes went there and %d back, with a value of %d", there, back, n)
	}
	if plain := start(t); plain.BytesFar() != 0 {
		t.Fatal("a host without a Wan counted")
	}
}

func TestHostsOverAWan(t *testing.T) {
	await.NoLeaks(t)
	wa, wb := wan.New("a"), wan.New("b")
	wa.Set("", wan.Link{Delay: 5 * time.Millisecond, Rate: 50 << 20})
	wb.Set("", wan.Link{Delay: 5 * time.Millisecond, Rate: 50 << 20})
	a := start(t, func(c *Config) { c.Wan = wa })
	b := start(t, func(c *Config) { c.Wan = wb })
	client := start(t, func(c *Config) { c.Wan = wan.New("") })
	join(t, a, b)
	join(t, client, a)
	join(t, client, b)
	if err := a.SendBulk(soon(t), b.ID(), nil, noise(1<<20)); err != nil {
		t.Fatal(err)
	}
	wa.Cut("b", wan.Both)
	wb.Cut("a", wan.Both)
	if err := a.Send(b.ID(), []byte("held")); err != nil {
		t.Fatal(err)
	}
	if err := client.Send(b.ID(), []byte("not held")); err != nil {
		t.Fatal(err)
	}
	b.saw.await(t, "frame "+client.ID()+" not held", 1)
	if b.saw.count("frame "+a.ID()) != 0 {
		t.Fatal("a frame went through a cut")
	}
	wa.Heal("")
	wb.Heal("")
	b.saw.await(t, "frame "+a.ID()+" held", 1)
	client.Close()
	a.Close()
	b.Close()
}
