package p2p

import (
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// unproved is where connections wait that were accepted and have proved nothing yet. Its places
// are shared by ranges of addresses: when they are all taken, who comes takes the place of who has
// waited longest at the address, in the range, that has most of them. So whoever fills it hurts
// those who come from nearby, and even they have the time that it takes him to fill it anew.
// Addresses at which somebody has proved the secret have places of their own.
//
// It knows no clock and closes nothing itself while it is locked.
type unproved struct {
	mu        sync.Mutex // protects what follows
	strangers places
	members   places
	known     map[netip.Prefix]time.Time // when somebody there last proved the secret
	paces     map[netip.Prefix]*rate.Limiter
	pace      *rate.Limiter // of all strangers
	guests    map[string]*guest
}

const (
	// strangersMax is how many connections from unknown addresses may be in a handshake at one
	// time. At 300 new ones a second each has 2.5 s, which is ten round trips of the farthest
	// site.
	strangersMax = 768
	// membersMax is how many from known ones: as many as a large grid has that all come back at
	// once.
	membersMax = 512
	// knownMax bounds the addresses that are known; the one longest unheard of is forgotten.
	knownMax = 1024
	// A silent connection costs about 0.1 ms. So many a second may come from one range, and in
	// one go, and from all together: the rest is hung up on at once.
	rangePerSecond     = 512
	rangeBurst         = 1024
	strangersPerSecond = 1024
	strangersBurst     = 2048
	// pacesMax bounds the ranges whose pace is kept. When there are more all begin anew, and
	// the pace of all holds.
	pacesMax = 1024
)

func newUnproved() *unproved {
	return &unproved{
		strangers: places{most: strangersMax}, members: places{most: membersMax},
		known: map[netip.Prefix]time.Time{}, paces: map[netip.Prefix]*rate.Limiter{},
		pace: rate.NewLimiter(strangersPerSecond, strangersBurst), guests: map[string]*guest{},
	}
}

// guest is a connection that waits.
type guest struct {
	key    string
	at     netip.Prefix // its address, as far as it counts as one
	within netip.Prefix // the range
	in     *places
	shut   func()
}

// places are taken in the order of arrival.
type places struct {
	most  int
	taken []*guest
}

// worst is whose place is given to the next: of the address with most places, in the range with
// most, the first.
func (p *places) worst() *guest {
	ranges, addresses := map[netip.Prefix]int{}, map[netip.Prefix]int{}
	for _, g := range p.taken {
		ranges[g.within]++
		addresses[g.at]++
	}
	worst := p.taken[0]
	for _, g := range p.taken {
		more, same := ranges[g.within]-ranges[worst.within], g.within == worst.within
		if more > 0 || same && addresses[g.at] > addresses[worst.at] {
			worst = g
		}
	}
	return worst
}

// rangesOf are the prefixes in which an address counts: a host has a whole /64 of IPv6, and a
// customer a /48.
func rangesOf(a netip.Addr) (at, within netip.Prefix) {
	a = a.Unmap().WithZone("")
	one, many := 32, 24
	if a.Is6() {
		one, many = 64, 48
	}
	at, _ = a.Prefix(one)
	within, _ = a.Prefix(many)
	return at, within
}

// enter gives a connection a place, perhaps somebody else's, whose shut is called. It is nil when
// too many come.
func (p *unproved) enter(key string, from netip.Addr, now time.Time, shut func()) *guest {
	g := &guest{key: key, in: &p.strangers, shut: shut}
	g.at, g.within = rangesOf(from)
	p.mu.Lock()
	if _, ok := p.known[g.at]; ok {
		g.in = &p.members
	} else if !p.mayCome(g.within, now) {
		p.mu.Unlock()
		return nil
	}
	p.guests[key] = g
	g.in.taken = append(g.in.taken, g)
	var goes *guest
	if len(g.in.taken) > g.in.most {
		goes = g.in.worst()
		p.drop(goes)
	}
	p.mu.Unlock()
	if goes != nil {
		goes.shut()
	}
	return g
}

// mayCome keeps the pace of a range and of all strangers. The caller holds p.mu.
func (p *unproved) mayCome(within netip.Prefix, now time.Time) bool {
	l := p.paces[within]
	if l == nil {
		if len(p.paces) >= pacesMax {
			clear(p.paces)
		}
		l = rate.NewLimiter(rangePerSecond, rangeBurst)
		p.paces[within] = l
	}
	return l.AllowN(now, 1) && p.pace.AllowN(now, 1)
}

// drop takes a guest's place away. The caller holds p.mu.
func (p *unproved) drop(g *guest) {
	if p.guests[g.key] == g {
		delete(p.guests, g.key)
	}
	if i := slices.Index(g.in.taken, g); i >= 0 {
		g.in.taken = slices.Delete(g.in.taken, i, i+1)
	}
}

// leave frees the place of a connection that has ended, if it still has one.
func (p *unproved) leave(g *guest) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(g)
}

// know notes an address at which somebody has proved the secret.
func (p *unproved) know(a netip.Addr, now time.Time) {
	at, _ := rangesOf(a)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.known[at]; !ok && len(p.known) >= knownMax {
		oldest := at
		for k, when := range p.known {
			if oldest == at || when.Before(p.known[oldest]) {
				oldest = k
			}
		}
		delete(p.known, oldest)
	}
	p.known[at] = now
}

// admit lets in whoever has proved the secret at the other end of a connection, whichever end
// dialled.
func (p *unproved) admit(c net.Conn) {
	p.mu.Lock()
	if g := p.guests[keyOf(c)]; g != nil {
		p.drop(g)
	}
	p.mu.Unlock()
	if a, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil {
		p.know(a.Addr(), time.Now())
	}
}

// keyOf tells the connections of this host apart.
func keyOf(c net.Conn) string { return c.RemoteAddr().String() + " " + c.LocalAddr().String() }

// waiting is an accepted connection, whose place is free when it is closed.
type waiting struct {
	net.Conn
	guest     *guest
	admission *unproved
}

// Close frees the place.
func (w waiting) Close() error {
	w.admission.leave(w.guest)
	return w.Conn.Close()
}

// receive gives an accepted connection a place; nil when too many come.
func (p *unproved) receive(c net.Conn) net.Conn {
	from, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil {
		return c // no address that could be counted
	}
	g := p.enter(keyOf(c), from.Addr(), time.Now(), func() { c.Close() })
	if g == nil {
		c.Close()
		return nil
	}
	return waiting{c, g, p}
}
