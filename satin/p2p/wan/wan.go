// Package wan emulates distance between the hosts of one machine, so that a
// grid of several sites can be tried at home: a one-way delay, a rate, and
// cuts, for each pair of sites.
//
// An [Emulator] is one host's end of it: a carrier puts it around its TCP
// connections, under TLS. [Link] is what lies between two sites, [Way] a
// direction that can be cut. A host that is given no Emulator has nothing of
// it in the path.
//
// # Why not netem
//
// Linux's netem delays whole packets, and so is closer to a link. But it needs root, one system and
// an interface for each host: what passes the loopback interface does not tell which sites it is
// between. This needs nothing of the machine, so that `--wan` works for whoever tries it.
//
// # Costs
//
// Bytes that are delayed are copied once. Within a site nothing is.
//
// # Limitations
//
// The rate is each process's own, not shared between processes. Nothing is
// lost or changes places: it is what TCP shows of a link, not the link.
package wan

import (
	"bufio"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Emulator is the distance between one host, at one site, and all others. Each
// end of a connection says its site in a line of its own before anything else,
// so all hosts of the grid have an Emulator or none has. Connections within a
// site, or to or from a host without a site, are left alone. Every host must be
// told of a change; each delays, and cuts, what it sends, and a cut also hides
// what it receives, so that the death of a process behind a cut is not noticed
// through it.
//
// A cut holds bytes back as a dead link does: TCP would send them again after
// the heal. A connection whose other end gave up meanwhile ends then.
type Emulator struct {
	site string
	sent atomic.Int64 // bytes written to connections with other sites

	mu    sync.Mutex // protects what follows
	far   Link       // what a site starts with
	links map[string]*wire
	gone  chan struct{} // closed when the host closes
}

// Link is what lies between two sites, one way. The zero value is no distance.
type Link struct {
	Delay time.Duration
	Rate  int64 // bytes a second, for all connections of this host; 0 is no limit
}

// Way is a direction seen from the host whose Emulator it is.
type Way int

const (
	Out  Way = 1
	In   Way = 2
	Both     = Out | In
)

// New makes the Emulator of a host at a site. No site, "", is near everybody.
func New(site string) *Emulator {
	return &Emulator{site: site, links: map[string]*wire{}, gone: make(chan struct{})}
}

// Around puts the distance around a TCP connection that its host has dialled
// or accepted.
func (e *Emulator) Around(c net.Conn, dialled bool) net.Conn {
	x := &conn{Conn: c, emulator: e, dialled: dialled, in: bufio.NewReaderSize(c, 256)}
	x.line.room = make(chan struct{}, 1)
	x.line.shut = make(chan struct{})
	return x
}

// Set says what lies between this site and another one, from now on; other ""
// means every other site.
func (e *Emulator) Set(other string, l Link) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if other == "" {
		e.far = l
	}
	e.each(other, func(x *wire) { x.link = l })
}

// Cut stops what goes to another site, comes from it, or both; other "" means
// every other site that has been met.
func (e *Emulator) Cut(other string, way Way) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.each(other, func(x *wire) { x.cut |= way })
}

// Heal ends a cut; other "" means all of them.
func (e *Emulator) Heal(other string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.each(other, func(x *wire) { x.cut = 0 })
}

// each changes one wire, or all, and wakes whoever waits for it. The caller
// holds mu.
func (e *Emulator) each(other string, change func(*wire)) {
	if other != "" {
		e.wire(other).change(change)
		return
	}
	for _, x := range e.links {
		x.change(change)
	}
}

// wire returns the state of the way to a site. The caller holds mu.
func (e *Emulator) wire(other string) *wire {
	x := e.links[other]
	if x == nil {
		x = &wire{link: e.far, changed: make(chan struct{})}
		e.links[other] = x
	}
	return x
}

// BytesFar is how many bytes this host has sent to other sites, as they are on
// the connections: encrypted and framed, gossip and heartbeats with them. What
// a relay at a third site passes on, it has sent too. The sum over the hosts
// of a grid is what its sites have sent each other.
func (e *Emulator) BytesFar() int64 { return e.sent.Load() }

// between returns what lies between this host and a site, or nil.
func (e *Emulator) between(other string) *wire {
	if e.site == "" || other == "" || other == e.site {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.wire(other)
}

// Close ends what is under way. Whoever closes the host calls it.
func (e *Emulator) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	select {
	case <-e.gone:
	default:
		close(e.gone)
	}
}

// wire is the way from this host to another site, shared by its connections.
type wire struct {
	mu      sync.Mutex // protects what follows
	link    Link
	cut     Way
	changed chan struct{} // closed at every change
	free    time.Time     // when everything sent so far is on the wire
}

func (x *wire) change(f func(*wire)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f(x)
	close(x.changed)
	x.changed = make(chan struct{})
}

// isCut says whether a way is cut, and gives what is closed when that changes.
func (x *wire) isCut(way Way) (bool, <-chan struct{}) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cut&way != 0, x.changed
}

// send books n bytes and says when they arrive at the other end; instant is
// true when nothing holds them back.
func (x *wire) send(n int, now time.Time) (due time.Time, instant bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.link == (Link{}) {
		return now, x.cut&Out == 0
	}
	if x.link.Rate > 0 {
		if x.free.Before(now) {
			x.free = now
		}
		x.free = x.free.Add(time.Duration(float64(n) / float64(x.link.Rate) * float64(time.Second)))
		now = x.free
	}
	return now.Add(x.link.Delay), false
}
