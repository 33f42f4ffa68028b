package gridsim

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/membership"
)

// netOf is a network of hosts without machines, of which the last is a client.
func netOf(o Options, hosts int) (*network, []*host) {
	n := &network{
		time: &timeline{}, who: &population{}, opts: &o, draw: rand.New(rand.NewPCG(1, 2)), report: &Report{},
		places: map[string]*host{}, links: map[[2]int]*link{},
	}
	for k := range hosts {
		h := &host{
			no: k, up: true, id: membership.PeerID(fmt.Sprint("h", k)), site: membership.Site(fmt.Sprint(k / 2)),
			client: k == hosts-1, sessions: map[membership.PeerID]*session{},
		}
		n.who.hosts = append(n.who.hosts, h)
		n.settleAt(h, place(k))
	}
	n.who.started = hosts
	return n, n.who.hosts
}

// meets makes a session between two hosts of which both have heard.
func (n *network) meets(a, b *host) *session {
	s := &session{ends: [2]*host{a, b}, told: [2]bool{true, true}}
	a.sessions[b.id], b.sessions[a.id] = s, s
	n.graph++
	return s
}

// TestPlacesAreTakenAnew: a host listens where it was settled, and one that comes may take the
// place of one that is gone.
func TestPlacesAreTakenAnew(t *testing.T) {
	n, h := netOf(Options{}, 3)
	if n.at(h[1].addr()) != h[1] || n.at("/nowhere/p2p/x") != nil {
		t.Error("a host is not found at its address, or at another")
	}
	if len(n.freePlaces()) > 0 {
		t.Error("a place is free at which somebody listens")
	}
	h[1].up = false
	taken := 0
	for range 100 {
		switch at := n.drawPlace(); at {
		case h[1].place:
			taken++
		case place(3):
		default:
			t.Fatalf("one that comes listens at %s", at)
		}
	}
	if taken == 0 || taken == 100 {
		t.Errorf("of 100 that come %d take the place of one that is gone", taken)
	}
	n.settleAt(&host{up: true}, h[1].place)
	if len(n.freePlaces()) > 0 {
		t.Error("a place that was taken is free")
	}
}

// TestLinksTakeTime: what is sent waits behind what was sent before it, one way.
func TestLinksTakeTime(t *testing.T) {
	far := Link{Delay: time.Second, Rate: 1000}
	n, h := netOf(Options{Near: Link{Delay: time.Millisecond}, Far: far}, 5)
	for _, x := range []struct {
		from, to int
		bytes    int
		want     time.Duration
	}{
		{0, 1, 1 << 20, time.Millisecond}, // one site
		{0, 4, 1 << 20, time.Millisecond}, // a client is near
		{0, 2, 1000, 2 * time.Second},
		{0, 2, 500, 2500 * time.Millisecond},
		{2, 0, 500, 1500 * time.Millisecond},
		{0, 3, 500, 1500 * time.Millisecond},
	} {
		if d := n.transit(h[x.from], h[x.to], n.linkOf(h[x.from], h[x.to]), x.bytes); d != x.want {
			t.Errorf("%d bytes from %d to %d take %v, want %v", x.bytes, x.from, x.to, d, x.want)
		}
	}
	if d := n.roundTrip(h[0], membership.Dial{Addrs: []string{h[1].addr(), h[2].addr()}}); d != 2*time.Second {
		t.Errorf("the farthest of two answers after %v", d)
	}
}

// TestCutsEnd, and a cut counts once, when it has stopped something.
func TestCutsEnd(t *testing.T) {
	n, h := netOf(Options{}, 4)
	n.cuts = []*cut{
		{kind: CutOneWay, until: time.Second, oneWay: true, side: func(h *host) bool { return h.no == 0 }},
		{kind: DeadLink, until: 2 * time.Second, pair: [2]*host{h[1], h[2]}},
	}
	for range 2 {
		if !n.isCut(h[0], h[1]) || n.isCut(h[1], h[0]) || !n.isCut(h[2], h[1]) || n.isCut(h[2], h[3]) {
			t.Error("the wrong messages are stopped")
		}
	}
	if n.report.Fired[CutOneWay] != 1 || n.report.Fired[DeadLink] != 1 {
		t.Errorf("cuts have struck %v", n.report.Fired)
	}
	if n.time.now = time.Second; n.isCut(h[0], h[1]) || !n.isCut(h[1], h[2]) || len(n.cuts) != 1 {
		t.Errorf("the first cut is over, and there are %d", len(n.cuts))
	}
	n.losers = 2
	if n.loseGossip(); n.report.Fired[LostGossip] != 2 || n.losers != 0 {
		t.Errorf("%d faults have lost gossip", n.report.Fired[LostGossip])
	}
	if n.heals(); n.isCut(h[1], h[2]) {
		t.Error("something is cut after all was healed")
	}
}

// TestGossipGoesByMembers: to all whom sessions join by way of members. Clients pass nothing on.
func TestGossipGoesByMembers(t *testing.T) {
	n, h := netOf(Options{}, 5)
	n.meets(h[0], h[1])
	broken := n.meets(h[1], h[2])
	n.meets(h[4], h[0])
	n.meets(h[4], h[3])
	n.divide()
	if !n.joined(h[0], h[2]) || n.joined(h[0], h[3]) || !n.joined(h[4], h[2]) || !n.joined(h[3], h[4]) {
		t.Error("the wrong hosts hear each other")
	}
	if all := n.all(func(*session) bool { return true }); len(all) != 4 {
		t.Errorf("%d sessions stand", len(all))
	}
	broken.over = true
	n.graph++
	if n.divide(); n.joined(h[0], h[2]) {
		t.Error("a session that is over joins two")
	}
	h[3].natted = true
	if n.relayFor(h[0], h[1]) != nil || n.relayFor(h[2], h[3]) != nil {
		t.Error("somebody passes on what needs nobody, or nobody can")
	}
	n.meets(h[1], h[3])
	if n.relayFor(h[2], h[3]) != h[1] {
		t.Error("a member that has a session does not pass on")
	}
}
