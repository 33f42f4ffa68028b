package satintest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"satingrid/satin/p2p"
)

// Network is a network in memory: hosts that are told of one another by address, with a delay
// between the sites. It satisfies what package satin asks of a carrier, without encryption:
// the secret is compared.
type Network struct {
	mu    sync.Mutex // protects what follows
	next  int
	hosts map[string]*host
	delay func(from, to string) time.Duration // between sites
	cuts  map[[2]string]bool                  // of sites, one way: what is sent is lost
}

// NewNetwork makes a network. delay says how long a message takes from one site to another, one
// way; nil is no time.
func NewNetwork(delay func(from, to string) time.Duration) *Network {
	if delay == nil {
		delay = func(string, string) time.Duration { return 0 }
	}
	return &Network{hosts: map[string]*host{}, delay: delay, cuts: map[[2]string]bool{}}
}

// Carrier is what goes into satin.Testing for a peer at a site.
func (n *Network) Carrier(site string) func(context.Context, p2p.Config) (p2p.Carrier, error) {
	return func(_ context.Context, c p2p.Config) (p2p.Carrier, error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.next++
		h := &host{net: n, id: fmt.Sprintf("memory%06d", n.next), site: site, conf: c, links: map[string]*link{}, topics: map[string]bool{}}
		h.gate.Store(openGate())
		h.gossip = &link{to: h, queue: make(chan parcel, queueMax), done: make(chan struct{})}
		h.goroutines.Go(h.gossip.pump)
		n.hosts[h.id] = h
		return h, nil
	}
}

func (n *Network) host(id string) *host {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.hosts[id]
}

// host is one end of the network.
type host struct {
	net  *Network
	id   string
	site string
	conf p2p.Config
	gate atomic.Pointer[chan struct{}] // closed while the host is not paused

	killed atomic.Bool // what it has sent does not arrive any more
	deaf   atomic.Bool // gossip does not reach it

	gossip *link // what others publish, as it reaches this host through the grid

	mu         sync.Mutex // protects what follows
	closed     bool
	links      map[string]*link // to whom a session is up
	topics     map[string]bool
	goroutines sync.WaitGroup
}

// link carries what comes from one peer to this host, in order and after the delay.
type link struct {
	to    *host
	up    chan struct{} // closed when PeerUp has been called
	queue chan parcel
	done  chan struct{}
	once  sync.Once
	how   p2p.SessionEnd
}

type parcel struct {
	at   time.Time
	from *host
	call func(p2p.Events)
}

// queueMax bounds the parcels on their way from one host to another.
const queueMax = 4096

// ID is the host's id.
func (h *host) ID() string { return h.id }

// Addrs is the host's one address.
func (h *host) Addrs() []string { return []string{"/memory/" + h.id + "/p2p/" + h.id} }

// Dial brings up the session with another host.
func (h *host) Dial(ctx context.Context, addrs ...string) (string, error) {
	if len(addrs) == 0 {
		return "", fmt.Errorf("satintest: no address to dial")
	}
	id := addrs[0][strings.LastIndex(addrs[0], "/")+1:]
	other := h.net.host(id)
	wait := time.NewTimer(2 * h.net.delay(h.site, siteOf(other)))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	switch {
	case other == nil || other.isClosed():
		return "", p2p.ErrNobody
	case h.net.isCut(h.site, other.site) || h.net.isCut(other.site, h.site) || other.isPaused() || h.isPaused():
		<-ctx.Done()
		return "", ctx.Err()
	}
	if err := h.admit(other); err != nil {
		return "", err
	}
	if l := h.connect(other); l != nil {
		<-l.up
		return id, nil
	}
	return "", p2p.ErrNobody // one of them has closed meanwhile
}

func siteOf(h *host) string {
	if h == nil {
		return ""
	}
	return h.site
}

func (h *host) isClosed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.closed
}

// admit does what the handshake does: both ends check grid, secret, and each other's hello.
func (h *host) admit(o *host) error {
	switch {
	case h.conf.Grid != o.conf.Grid:
		return &p2p.DeniedError{Peer: o.id, Why: p2p.WhyGrid}
	case !slices.Equal(h.conf.Secret, o.conf.Secret):
		return &p2p.DeniedError{Peer: o.id, Why: p2p.WhyWrongSecret}
	}
	if err := o.conf.Accept(h.id, h.conf.Hello()); err != nil {
		return &p2p.DeniedError{Peer: o.id, Why: p2p.WhyHello, Reason: err.Error()}
	}
	if err := h.conf.Accept(o.id, o.conf.Hello()); err != nil {
		return &p2p.DeniedError{Peer: o.id, Why: p2p.WhyHello, Reason: err.Error(), Here: true}
	}
	return nil
}

// connect brings up both directions of a session, once. It is nil when one of them is closed.
func (h *host) connect(o *host) *link {
	first, second := h, o
	if second.id < first.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	if !h.closed && !o.closed && h.links[o.id] == nil {
		h.open(o, true)
		o.open(h, false)
	}
	return h.links[o.id]
}

// open starts this host's end. Both mutexes are held.
func (h *host) open(from *host, dialled bool) {
	l := &link{to: h, up: make(chan struct{}), queue: make(chan parcel, queueMax), done: make(chan struct{})}
	h.links[from.id] = l
	up := p2p.Up{ID: from.id, Hello: from.conf.Hello(), Addrs: from.Addrs(), Dialled: dialled}
	h.goroutines.Go(func() {
		h.conf.Events.PeerUp(up)
		close(l.up)
		l.pump()
		h.conf.Events.PeerDown(from.id, l.how)
	})
}

// pump delivers what comes in, until the session ends.
func (l *link) pump() {
	for {
		select {
		case <-l.done:
			l.drain()
			return
		case p := <-l.queue:
			if !l.wait(p) {
				l.deliver(p)
				l.drain()
				return
			}
			l.deliver(p)
		}
	}
}

// wait waits until a parcel is there; false when the session has ended first.
func (l *link) wait(p parcel) bool {
	if wait := time.Until(p.at); wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
		case <-l.done:
			return false
		}
	}
	return (l == l.to.gossip || l.pass(p.from)) && l.pass(l.to)
}

// deliver hands over what was sent, unless the sender was killed or the sites are cut
// off from each other.
func (l *link) deliver(p parcel) {
	if !p.from.killed.Load() && !l.to.net.isCut(p.from.site, l.to.site) {
		p.call(l.to.conf.Events)
	}
}

// drain delivers what was sent before the session ended.
func (l *link) drain() {
	for {
		select {
		case p := <-l.queue:
			l.deliver(p)
		default:
			return
		}
	}
}

// end ends the session as its receiver sees it.
func (l *link) end(how p2p.SessionEnd) {
	l.once.Do(func() {
		l.how = how
		close(l.done)
	})
}

// post sends something to a peer.
func (h *host) post(id string, call func(p2p.Events)) error {
	h.mu.Lock()
	_, up := h.links[id]
	closed := h.closed
	h.mu.Unlock()
	other := h.net.host(id)
	if closed || !up || other == nil {
		return p2p.ErrNotUp
	}
	other.mu.Lock()
	l := other.links[h.id]
	other.mu.Unlock()
	if l == nil {
		return p2p.ErrNotUp
	}
	select {
	case l.queue <- parcel{time.Now().Add(h.net.delay(h.site, other.site)), h, call}:
		return nil
	default:
		return p2p.ErrFull
	}
}

// Send sends a frame.
func (h *host) Send(id string, frame []byte) error {
	if len(frame) > p2p.FrameMax {
		return p2p.ErrTooBig
	}
	return h.post(id, func(e p2p.Events) { e.Frame(h.id, frame) })
}

// SendBulk sends a header and a body, and returns when the other end has them. What they
// bring is read here, and not where frames come in: it has a stream of its own, and a
// heartbeat does not wait for it.
func (h *host) SendBulk(ctx context.Context, id string, header, body []byte) error {
	if other := h.net.host(id); other != nil && other.conf.BulkMax > 0 && int64(len(body)) > other.conf.BulkMaxFrom(h.id) {
		return p2p.ErrTooBig
	}
	arrived := make(chan p2p.Events, 1)
	if err := h.post(id, func(e p2p.Events) { arrived <- e }); err != nil {
		return err
	}
	select {
	case e := <-arrived:
		e.Bulk(h.id, header, body)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// BytesFar is 0: a network in memory has no connections whose bytes could be counted.
func (h *host) BytesFar() int64 { return 0 }

// Subscribe asks for a topic's messages.
func (h *host) Subscribe(topic string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.topics[topic] = true
	return nil
}

// Publish sends a message to all that asked for the topic and are connected to anybody:
// gossip is passed on.
func (h *host) Publish(topic string, data []byte) error {
	if h.isPaused() {
		return nil // lost, as gossip may be
	}
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	for _, o := range h.net.hosts {
		if o == h || !o.hears(topic) {
			continue
		}
		p := parcel{
			at:   time.Now().Add(h.net.delay(h.site, o.site)),
			from: h,
			call: func(e p2p.Events) { e.Message(topic, h.id, data) },
		}
		select {
		case o.gossip.queue <- p:
		default: // a full queue loses them
		}
	}
	return nil
}

func (h *host) hears(topic string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.topics[topic] && !h.closed && !h.deaf.Load() && len(h.links) > 0
}

// Peers are those to whom a session is up.
func (h *host) Peers() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var ids []string
	for id := range h.links {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// HangUp ends a session.
func (h *host) HangUp(id string) { h.disconnect(id, p2p.Closed) }

func (h *host) disconnect(id string, how p2p.SessionEnd) {
	for _, end := range [][2]*host{{h, h.net.host(id)}, {h.net.host(id), h}} {
		if end[0] == nil || end[1] == nil {
			continue
		}
		end[0].mu.Lock()
		l := end[0].links[end[1].id]
		delete(end[0].links, end[1].id)
		end[0].mu.Unlock()
		if l != nil {
			l.end(how)
		}
	}
}

// Bar, Unbar and TellTwin do nothing: a network in memory has no strangers, and no twins.
func (h *host) Bar(string)      {}
func (h *host) Unbar(string)    {}
func (h *host) TellTwin(string) {}

// Close ends the host. What it has sent still arrives.
func (h *host) Close() error {
	h.die(p2p.Closed)
	h.goroutines.Wait()
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	delete(h.net.hosts, h.id)
	return nil
}

// die ends the host: its sessions end in one way or the other, a goodbye or a broken connection.
func (h *host) die(how p2p.SessionEnd) {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	for _, id := range h.Peers() {
		h.disconnect(id, how)
	}
	h.gossip.end(p2p.Closed)
}
