package p2p

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/sec"
	"github.com/libp2p/go-libp2p/p2p/net/upgrader"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/client"
	ma "github.com/multiformats/go-multiaddr"
)

// hide makes a host believe that a contact cannot dial it, as a NAT would, and
// waits until it has a reservation there.
func hide(t testing.TB, x, contact peerHost) {
	t.Helper()
	await.Until(t, "a reservation", func() bool {
		x.relays.judge(x.session(contact.ID()), false)
		return relayedBy(x, contact) != ""
	})
}

// relayedBy is the address of a host through a relay, if it has one.
func relayedBy(x, contact peerHost) string {
	for _, a := range x.Addrs() {
		if strings.Contains(a, "/p2p/"+contact.ID()+circuitPart) {
			return a
		}
	}
	return ""
}

// nowhere is an address of a host at which nobody listens.
func nowhere(x peerHost) string { return "/ip4/127.0.0.1/tcp/1/p2p/" + x.ID() }

// listedAt waits until a host knows that another has a reservation at a relay.
func listedAt(t testing.TB, h, x peerHost, n int) {
	t.Helper()
	await.Until(t, "the list", func() bool { return len(h.relays.circuits(x.Host.id.pid)) == n })
}

func TestRelayedSessionsCarryEverything(t *testing.T) {
	await.NoLeaks(t)
	r, x, y := start(t), start(t), start(t)
	z := start(t, func(c *Config) { c.Mute = true })
	for _, h := range []peerHost{r, x, y} {
		if err := h.Subscribe(bestTopic); err != nil {
			t.Fatal(err)
		}
	}
	join(t, x, r)
	join(t, y, r)
	hide(t, x, r)
	hide(t, y, r)
	listedAt(t, y, x, 1)
	listedAt(t, x, y, 1)
	// y knows no address of x that is any good, and r told it the way.
	if _, err := y.Dial(soon(t), nowhere(x)); err != nil {
		t.Fatal(err)
	}
	x.saw.await(t, "up "+y.ID(), 1)
	if at := y.session(x.ID()).conn.RemoteMultiaddr(); !isCircuit(at) {
		t.Fatalf("y reached x at %s", at)
	}
	if r.count.frames.Load() != 0 {
		t.Fatal("the relay saw a frame")
	}
	body := noise(BulkMax)
	ctx, cancel := context.WithTimeout(t.Context(), largest)
	defer cancel()
	if err := x.SendBulk(ctx, y.ID(), []byte("largest"), body); err != nil {
		t.Fatal(err)
	}
	y.saw.await(t, "bulk "+x.ID()+" largest", 1)
	if !bytes.Equal(y.saw.bodies["largest"], body) {
		t.Fatal("the body changed")
	}
	if err := y.Send(x.ID(), []byte("thanks")); err != nil {
		t.Fatal(err)
	}
	x.saw.await(t, "frame "+y.ID()+" thanks", 1)
	heard(t, y, x)
	// z knows nothing but the address that x announces, as from a ticket.
	if _, err := z.Dial(soon(t), relayedBy(x, r)); err != nil {
		t.Fatal(err)
	}
	if !isCircuit(z.session(x.ID()).conn.RemoteMultiaddr()) {
		t.Fatal("z did not come through the relay")
	}
	z.saw.await(t, "up "+r.ID(), 1)
}

func TestASlotIsRenewed(t *testing.T) {
	// a reservation's end has whole seconds
	brief := func(c *Config) { c.reservationTime = 2 * time.Second }
	r, x := start(t, brief), start(t, brief)
	join(t, x, r)
	hide(t, x, r)
	ends := func() time.Time {
		r.relays.mu.Lock()
		defer r.relays.mu.Unlock()
		return r.relays.guests[x.Host.id.pid]
	}
	first := ends()
	await.Until(t, "renewed", func() bool { return ends().After(first) && relayedBy(x, r) != "" })
}

// A relay that is full refuses, and its list has only those who have a reservation.
func TestReservationsAreLimited(t *testing.T) {
	r := start(t, func(c *Config) { c.PeersMax = 2 })
	var hidden [3]peerHost
	for i := range hidden {
		hidden[i] = start(t)
		join(t, hidden[i], r)
	}
	refused := func(h peerHost) bool {
		h.relays.judge(h.session(r.ID()), false)
		h.relays.mu.Lock()
		defer h.relays.mu.Unlock()
		x := h.relays.reservations[h.session(r.ID())]
		return x != nil && !x.held && !x.next.IsZero()
	}
	await.Until(t, "two reservations and a refusal", func() bool {
		reservations, refusals := 0, 0
		for _, h := range hidden {
			switch {
			case relayedBy(h, r) != "":
				reservations++
			case refused(h):
				refusals++
			}
		}
		return reservations == 2 && refusals == 1
	})
	for _, h := range hidden {
		want := 2
		if relayedBy(h, r) != "" {
			want = 1 // the other
		}
		await.Until(t, "the list", func() bool {
			h.relays.mu.Lock()
			defer h.relays.mu.Unlock()
			return len(h.relays.through) == want
		})
	}
}

func TestWhenARelayDiesTheOtherLeadsOn(t *testing.T) {
	await.NoLeaks(t)
	r1, r2, x, y := start(t), start(t), start(t), start(t)
	for _, h := range []peerHost{x, y} {
		join(t, h, r1)
		join(t, h, r2)
	}
	hide(t, x, r1)
	hide(t, y, r1)
	await.Until(t, "two reservations", func() bool { return relayedBy(x, r2) != "" && relayedBy(y, r2) != "" })
	listedAt(t, y, x, 2)
	listedAt(t, x, y, 2)
	for i := range 2 {
		if _, err := y.Dial(soon(t), nowhere(x)); err != nil {
			t.Fatal(err)
		}
		x.saw.await(t, "up "+y.ID(), i+1)
		if i == 1 {
			break
		}
		dies := r1
		if strings.Contains(y.session(x.ID()).conn.RemoteMultiaddr().String(), r2.ID()) {
			dies = r2
		}
		dies.Close()
		x.saw.await(t, "down "+y.ID()+" reset", 1)
		y.saw.await(t, "down "+x.ID()+" reset", 1)
		await.Until(t, "forgotten", func() bool { return relayedBy(x, dies) == "" })
	}
	r1.Close()
	r2.Close()
	y.saw.await(t, "down "+x.ID(), 2)
	// Without a relay x is out of reach, which does not mean that it is gone.
	if _, err := y.Dial(soon(t), nowhere(x)); err == nil || errors.Is(err, ErrNobody) {
		t.Fatalf("without a relay: %v", err)
	}
}

// y is in reach and dials x through a relay, because x does not dial it. Then x
// does, and needs no relay.
func TestASessionWithAHostInReachDoesNotStayRelayed(t *testing.T) {
	r, x, y := start(t), start(t), start(t)
	join(t, x, r)
	join(t, y, r)
	hide(t, x, r)
	listedAt(t, y, x, 1)
	if _, err := y.Dial(soon(t), nowhere(x)); err != nil {
		t.Fatal(err)
	}
	// x may be so quick that y's end of the relayed session never comes up.
	for _, pair := range [][2]peerHost{{x, y}, {y, x}} {
		await.Until(t, "a session without a relay", func() bool {
			s := pair[0].session(pair[1].ID())
			return s != nil && !isCircuit(s.conn.RemoteMultiaddr())
		})
	}
}

// Neighbours behind one NAT notice at once when one of them is gone, though it
// has a reservation at a relay.
func TestAHiddenNeighbourThatIsGoneIsGone(t *testing.T) {
	r, x, y := start(t), start(t), start(t)
	join(t, x, r)
	join(t, y, r)
	hide(t, x, r)
	listedAt(t, y, x, 1)
	join(t, x, y) // as neighbours do, and y has not dialled x
	y.saw.await(t, "up "+x.ID(), 1)
	addrs := x.Addrs()
	x.Close()
	y.saw.await(t, "down "+x.ID(), 1)
	listedAt(t, y, x, 0)
	if _, err := y.Dial(soon(t), addrs[0]); !errors.Is(err, ErrNobody) {
		t.Errorf("Dial: %v", err)
	}
}

func TestARelayedConnectionIsProvedToo(t *testing.T) {
	r, y := start(t), start(t, func(c *Config) { c.Mute = true })
	x := start(t, func(c *Config) { c.Allow = []string{r.ID(), y.ID()} })
	join(t, x, r)
	join(t, y, r)
	hide(t, x, r)
	at := relayedBy(x, r)
	if _, err := y.Dial(soon(t), at); err != nil {
		t.Fatal("one on the list: ", err)
	}
	for _, c := range []struct {
		name string
		from peerHost
		by   peerHost // who refuses
		why  Why
	}{
		{"without the secret, at the relay", start(t, func(c *Config) { c.Secret = bytes.Repeat([]byte{8}, SecretSize) }), r, WhyWrongSecret},
		{"with it, but not on the list of the one dialled", start(t), x, WhyNotAllowed},
		{"of another grid, at the relay", start(t, func(c *Config) { c.Grid = "farm" }), r, WhyGrid},
	} {
		_, err := c.from.Dial(soon(t), at)
		var refused *DeniedError
		if !errors.As(err, &refused) || refused.Why != c.why || refused.Peer != c.by.ID() || refused.Here {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.from.saw.count("up "+x.ID()) != 0 || x.saw.count("up "+c.from.ID()) != 0 {
			t.Errorf("%s: a session came up", c.name)
		}
	}
	x.Bar(y.ID())
	y.saw.await(t, "down "+x.ID()+" barred", 1)
	var refused *DeniedError
	if _, err := y.Dial(soon(t), at); !errors.As(err, &refused) || refused.Why != WhyBarred {
		t.Errorf("barred: %v", err)
	}
}

// A host that skips the handshake gets neither a reservation nor a connection.
func TestARelayServesMembersOnly(t *testing.T) {
	lists := start(t)
	member := start(t)
	r := start(t, func(c *Config) { c.Allow = []string{lists.ID(), member.ID()} })
	join(t, lists, r)
	for _, h := range []peerHost{lists, r} {
		if err := h.Subscribe(bestTopic); err != nil {
			t.Fatal(err)
		}
	}
	heard(t, lists, r)
	heard(t, r, lists) // and so no stream of theirs is still to come
	hide(t, lists, r)
	before := r.Stats().Streams
	try := func(name string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%s succeeded", name)
		}
	}
	info, _ := peer.AddrInfoFromP2pAddr(ma.StringCast(r.Addrs()[0]))
	// goes straight to streams
	evil := hostile(t, handshakeID, func(net.Conn) error { return nil })
	_, err := client.Reserve(soon(t), evil, *info)
	try("a reservation without a proof", err)
	evilUpgrader, err := upgrader.New([]sec.SecureTransport{start(t).handshake}, []upgrader.StreamMuxer{newMuxer()}, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	through, err := client.New(evil, evilUpgrader)
	if err != nil {
		t.Fatal(err)
	}
	_, err = through.Dial(soon(t), ma.StringCast(strings.TrimSuffix(relayedBy(lists, r), "/p2p/"+lists.ID())), lists.Host.id.pid)
	try("a connection without a proof", err)
	// With the secret, and not on the list.
	other := start(t)
	_, err = other.Dial(soon(t), r.Addrs()...)
	var refused *DeniedError
	if !errors.As(err, &refused) || refused.Why != WhyNotAllowed {
		t.Errorf("not on the list: %v", err)
	}
	_, err = client.Reserve(soon(t), relayHost{other.blank}, *info)
	try("a reservation for one not on the list", err)
	_, err = other.Dial(soon(t), relayedBy(lists, r))
	try("a connection for one not on the list", err)
	if n := r.Stats().Streams; n != before {
		t.Errorf("%d streams of theirs were opened", n-before)
	}
	if lists.saw.count("up") != 1 {
		t.Error("somebody came through")
	}
}

func TestWhoIsOutOfReachDoesNotRelayAndWhoIsToldOffNeither(t *testing.T) {
	r, off, x := start(t), start(t, func(c *Config) { c.Relay = RelayOff }), start(t)
	forced := start(t, func(c *Config) { c.Relay = RelayOn })
	for _, h := range []peerHost{r, off, forced} {
		join(t, x, h)
		join(t, h, start(t))
	}
	for _, h := range []peerHost{r, off, forced} { // each has a contact that cannot dial it
		await.Until(t, "told", func() bool {
			for _, id := range h.Peers() {
				if id != x.ID() {
					h.relays.judge(h.session(id), false)
				}
			}
			h.relays.mu.Lock()
			defer h.relays.mu.Unlock()
			return len(h.relays.unreached) > 0
		})
	}
	hide(t, x, forced)
	if relayedBy(x, r) != "" || relayedBy(x, off) != "" {
		t.Errorf("x has reservations at %v", x.Addrs())
	}
	fresh := start(t, func(c *Config) { c.Relay = RelayOff })
	if _, err := fresh.Dial(soon(t), relayedBy(x, forced)); err == nil {
		t.Error("a host that is not to be relayed dialled through a relay")
	}
}
