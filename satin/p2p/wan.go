package p2p

import (
	"sync"
	"sync/atomic"
	"time"
)

// Wan puts distance between the hosts of one machine, so that a grid of
// several sites can be tried at home: a one-way delay, a rate, and cuts, for
// each pair of sites. It sits under TLS, around the TCP connections; a host
// whose Config has no Wan has nothing of it in the path.
//
// A Wan belongs to one host, at one site. Each end of a connection says its
// site in a line of its own before anything else, so all hosts of the grid have
// a Wan or none has. Connections within a site, or to or from a host without a
// site, are left alone. Every host must be told of a change; each delays, and
// cuts, what it sends, and a cut also hides what it receives, so that the death
// of a process behind a cut is not noticed through it.
//
// A cut holds bytes back as a dead link does: TCP would send them again after
// the heal. A connection whose other end gave up meanwhile ends then.
type Wan struct {
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

// Way is a direction seen from the host whose Wan it is.
type Way int

const (
	Out  Way = 1
	In   Way = 2
	Both     = Out | In
)

// NewWan makes the Wan of a host at a site. No site, "", is near everybody.
func NewWan(site string) *Wan {
	return &Wan{site: site, links: map[string]*wire{}, gone: make(chan struct{})}
}

// Set says what lies between this site and another one, from now on; other ""
// means every other site.
func (w *Wan) Set(other string, l Link) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if other == "" {
		w.far = l
	}
	w.each(other, func(x *wire) { x.link = l })
}

// Cut stops what goes to another site, comes from it, or both; other "" means
// every other site that has been met.
func (w *Wan) Cut(other string, way Way) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.each(other, func(x *wire) { x.cut |= way })
}

// Heal ends a cut; other "" means all of them.
func (w *Wan) Heal(other string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.each(other, func(x *wire) { x.cut = 0 })
}

// each changes one wire, or all, and wakes whoever waits for it. The caller
// holds mu.
func (w *Wan) each(other string, change func(*wire)) {
	if other != "" {
		w.wire(other).change(change)
		return
	}
	for _, x := range w.links {
		x.change(change)
	}
}

// wire returns the state of the way to a site. The caller holds mu.
func (w *Wan) wire(other string) *wire {
	x := w.links[other]
	if x == nil {
		x = &wire{link: w.far, changed: make(chan struct{})}
		w.links[other] = x
	}
	return x
}

// BytesFar is how many bytes this host has sent to other sites, as they are on
// the connections: encrypted and framed, gossip and heartbeats with them. What
// a relay at a third site passes on, it has sent too. The sum over the hosts
// of a grid is what its sites have sent each other.
func (w *Wan) BytesFar() int64 { return w.sent.Load() }

// between returns what lies between this host and a site, or nil.
func (w *Wan) between(other string) *wire {
	if w.site == "" || other == "" || other == w.site {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wire(other)
}

func (w *Wan) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.gone:
	default:
		close(w.gone)
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
