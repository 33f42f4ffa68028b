package p2p

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"time"

	ma "github.com/multiformats/go-multiaddr"
)

// crowd is one whose guests are counted.
type crowd struct {
	*unproved
	now  time.Time
	came int
	gone map[netip.Addr]int // who lost their places
}

func newCrowd() *crowd {
	return &crowd{unproved: newUnproved(), now: time.Unix(1, 0), gone: map[netip.Addr]int{}}
}

func (c *crowd) come(from string) *guest {
	a := netip.MustParseAddr(from)
	c.came++
	return c.enter(fmt.Sprint(c.came), a, c.now, func() { c.gone[a]++ })
}

func (c *crowd) count(from string) int { return c.gone[netip.MustParseAddr(from)] }

func TestAdmissionIsSharedByRanges(t *testing.T) {
	c := newCrowd()
	for range strangersMax / 3 {
		c.come("10.1.1.1")
	}
	honest := []string{"10.1.1.9", "10.2.2.2", "fd00:1::1", "fd00:2:3:4::1"}
	for _, a := range honest {
		c.come(a)
	}
	for n := range 3 * strangersMax {
		// 300 a second, from all addresses of one range and from one network of another
		c.now = c.now.Add(time.Second / 300)
		if n%2 == 0 {
			c.come(fmt.Sprintf("10.1.1.%d", 20+n%200))
		} else {
			c.come(fmt.Sprintf("fd00:9:0:%x::1", n))
		}
	}
	for _, a := range honest[1:] {
		if n := c.count(a); n != 0 {
			t.Errorf("%s has lost its place to a stranger of another range", a)
		}
	}
	if n := len(c.strangers.taken); n != strangersMax {
		t.Errorf("%d places are taken of %d", n, strangersMax)
	}
	if len(c.guests) != strangersMax {
		t.Errorf("%d guests are known", len(c.guests))
	}
}

// Within a range who has one place loses it after those who have many; at one address who comes
// last stays longest.
func TestAdmissionIsSharedByAddresses(t *testing.T) {
	c := newCrowd()
	c.come("10.1.1.9")
	for range strangersMax + 100 {
		c.come("10.1.1.1")
	}
	if c.count("10.1.1.9") != 0 || c.count("10.1.1.1") != 101 {
		t.Errorf("lost their places: %v", c.gone)
	}
	last := c.come("10.1.1.1")
	for range strangersMax - 10 {
		c.come("10.1.1.1")
	}
	if taken := c.strangers.taken; c.guests[last.key] != last {
		t.Errorf("who came last of %d has lost its place already", len(taken))
	}
}

func TestAdmissionKeepsPlacesForKnownAddresses(t *testing.T) {
	c := newCrowd()
	for n := range knownMax + 10 {
		c.know(netip.AddrFrom4([4]byte{10, 9, byte(n >> 8), byte(n)}), c.now.Add(time.Duration(n)))
	}
	if len(c.known) != knownMax {
		t.Errorf("%d addresses are known", len(c.known))
	}
	member := c.come("::ffff:10.9.4.1")
	for n := range 20_000 { // more than may come, and from everywhere
		c.come(fmt.Sprintf("%d.%d.7.7", 11+n%200, n/200))
	}
	if member == nil || member.in != &c.members || c.count("::ffff:10.9.4.1") != 0 {
		t.Error("a known address has no place of its own")
	}
	if c.come("10.9.4.2") == nil {
		t.Error("a known address has to keep the strangers' pace")
	}
	if c.come("10.9.0.0") != nil {
		t.Error("the address that was unheard of longest is known still")
	}
	c.leave(member)
	c.leave(member)
	if n := len(c.members.taken); n != 1 {
		t.Errorf("%d places of known addresses are taken", n)
	}
}

func TestAdmissionBoundsThePace(t *testing.T) {
	c := newCrowd()
	let := 0
	for range 10 * rangeBurst {
		if c.come("10.1.1.1") != nil {
			let++
		}
	}
	if let != rangeBurst {
		t.Errorf("%d of one range may come at once", let)
	}
	if c.come("10.1.2.1") == nil {
		t.Error("one range has taken the pace of another")
	}
	for n := range 3 * pacesMax {
		c.come(fmt.Sprintf("12.%d.%d.1", n/256, n%256))
	}
	if len(c.paces) > pacesMax || len(c.guests) > strangersMax {
		t.Errorf("%d paces and %d guests are kept", len(c.paces), len(c.guests))
	}
}

// strangers connect so often from addresses that begin so, and says nothing.
func strangers(t *testing.T, to peerHost, from string, n int) {
	t.Helper()
	port, err := ma.StringCast(to.Addrs()[0]).ValueForProtocol(ma.P_TCP)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		stranger := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from + fmt.Sprint(1+i%250))}}
		c, err := stranger.DialContext(t.Context(), "tcp", "127.0.0.1:"+port)
		switch {
		case err == nil:
			t.Cleanup(func() { c.Close() })
		case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EMFILE):
			t.Skip("no second loopback address, or too few file descriptors: ", err)
		case !errors.Is(err, syscall.ECONNRESET):
			// who is hung up on at once has been heard, too
			t.Fatal(err)
		}
	}
}

// Strangers who connect and say nothing, from many addresses of one range, take all places at the
// handshake, and keep nobody out: nobody from elsewhere, nor who comes from one of their addresses.
func TestSilentStrangersDoNotKeepMembersOut(t *testing.T) {
	for _, from := range []string{"127.0.7.", "127.0.0."} {
		t.Run(from, func(t *testing.T) {
			a, b := start(t), start(t)
			strangers(t, b, from, strangersMax+200)
			awaitFull(t, b.handshake.admission)
			join(t, a, b)
		})
	}
}

// awaitFull waits until all places of strangers are taken, or were and are being given up.
func awaitFull(t *testing.T, p *unproved) {
	t.Helper()
	for late := time.After(patience); ; {
		p.mu.Lock()
		taken := len(p.strangers.taken)
		p.mu.Unlock()
		if taken == strangersMax {
			return
		}
		select {
		case <-late:
			t.Fatalf("they have taken %d places of %d", taken, strangersMax)
		case <-time.After(time.Millisecond):
		}
	}
}
