package gridsim

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Net is a network of which people ask: sites are as far from each other as they say, and what
// passes at a time shares the bandwidth that there is. Of a [Link] here Double and Late say
// nothing, and Loss is of packets, which are sent again.
type Net struct {
	Near Link // between two hosts of a site
	Far  Link // from one site to another of which Ways says nothing
	// from the first site to the second; all that goes this way at a time shares the rate
	Ways map[[2]membership.Site]Link
	// bytes a second into a site and as many out of it, for all its hosts; 0: as many as you
	// like
	Uplinks map[membership.Site]int64
	Lines   map[membership.Site]int64 // so too, of each host of a site for itself
}

// way is what lies between two sites.
func (n *Net) way(from, to membership.Site) Link {
	if from == to {
		return n.Near
	}
	if l, ok := n.Ways[[2]membership.Site{from, to}]; ok {
		return l
	}
	return n.Far
}

// sharing is a Net with what is on its way there.
//
// What a host says to another by their session goes one after another, as in one stream, and so
// does what it has published. A long message goes beside these. Streams that go the same way at a
// time share it fairly: see fairly. A queue for each link that serves whoever came first would be
// simpler, but a copy of megabytes would hold up the heartbeats of its whole site for seconds,
// where TCP holds up nothing for longer than a packet takes, and the machines would hold the living
// dead.
type sharing struct {
	n      *network
	net    *Net
	home   membership.Site // of clients, which are near its hosts
	flows  fairly
	trains map[trainName]*train
	of     map[*haul]*train
	lines  map[lineName]*pipe
	ways   map[wayName]*pipe
	delays map[wayName]time.Duration // where they are others now than those of the net
	armed  time.Duration             // when the first flow is looked for that is through
}

// trainName is from whom to whom a stream goes, and whether it is of what is published.
type trainName struct {
	from, to  int
	published bool
}

// lineName is a host's own line, one way.
type lineName struct {
	host int
	out  bool
}

// wayName is a way that hosts share: from one site to another, or, where one is not named, to or
// from any.
type wayName struct{ from, to membership.Site }

// train is frames that go one after another from one host to another.
type train struct {
	from, to *host
	link     Link
	pipes    []*pipe
	tcp      *pipe // of these, that of its connection; nil: it has none
	flow     *haul // nil: nothing is on its way
	first    shipment
	waiting  []shipment
	bytes    int           // of those that wait
	last     time.Duration // when the last one comes: none overtakes it
}

// shipment is a message that goes by a train.
type shipment struct {
	packet
	by   *host // who says it
	mark uint64
}

func newSharing(n *network, net *Net) *sharing {
	return &sharing{
		n: n, net: net, home: n.opts.Sites[0].Name, trains: map[trainName]*train{}, of: map[*haul]*train{},
		lines: map[lineName]*pipe{}, ways: map[wayName]*pipe{}, delays: map[wayName]time.Duration{}, armed: steal.Never,
	}
}

// siteOf is where a host is. Clients are at the first site.
func (s *sharing) siteOf(h *host) membership.Site {
	if h.client {
		return s.home
	}
	return h.site
}

// link is what lies between two hosts, but for what is shared.
func (s *sharing) link(from, to *host) Link {
	l := s.between(s.siteOf(from), s.siteOf(to))
	return Link{Delay: l.Delay, Jitter: l.Jitter}
}

// isFar tells whether two hosts are of different sites.
func (s *sharing) isFar(a, b *host) bool { return s.siteOf(a) != s.siteOf(b) }

// send has a message go from who has it to another.
func (s *sharing) send(from, to *host, x shipment) {
	if x.over != nil { // it is long
		s.begin(s.train(from, to), x)
		return
	}
	name := trainName{from.no, to.no, x.published}
	t := s.trains[name]
	if t == nil {
		t = s.train(from, to)
		s.trains[name] = t
	}
	if t.flow != nil {
		t.waiting = append(t.waiting, x)
		t.bytes += x.packet.bytes
		return
	}
	s.begin(t, x)
}

// has tells whether one more frame may wait to be sent from one host to another.
func (s *sharing) has(from, to *host, most, bytes int) bool {
	t := s.trains[trainName{from.no, to.no, false}]
	return t == nil || len(t.waiting) < most && t.bytes+bytes <= queueBytes
}

// train is a new one between two hosts.
func (s *sharing) train(from, to *host) *train {
	a, b := s.siteOf(from), s.siteOf(to)
	t := &train{from: from, to: to, link: s.between(a, b)}
	t.pipes = append(t.pipes, s.line(from, true))
	if a != b {
		t.pipes = append(t.pipes, s.way(wayName{from: a}, s.net.Uplinks[a]), s.way(wayName{a, b}, int64(t.link.Rate)), s.way(wayName{to: b}, s.net.Uplinks[b]))
	}
	t.tcp = ofTCP(t.link)
	t.pipes = append(t.pipes, s.line(to, false), t.tcp)
	t.pipes = slices.DeleteFunc(t.pipes, func(p *pipe) bool { return p == nil })
	return t
}

func (s *sharing) line(h *host, out bool) *pipe {
	rate := s.net.Lines[s.siteOf(h)]
	if rate == 0 {
		return nil
	}
	name := lineName{h.no, out}
	if s.lines[name] == nil {
		s.lines[name] = &pipe{rate: rate}
	}
	return s.lines[name]
}

func (s *sharing) way(name wayName, rate int64) *pipe {
	if rate == 0 {
		return nil
	}
	if s.ways[name] == nil {
		s.ways[name] = &pipe{rate: rate}
	}
	return s.ways[name]
}

// begin has a train carry a message, which is its first now.
func (s *sharing) begin(t *train, x shipment) {
	now := s.n.time.now
	switch t.first = x; {
	case len(t.pipes) == 0:
		s.arrives(t, x)
	case t.flow != nil:
		t.flow.again(now, x.packet.bytes, func() { s.through(t) })
	default:
		t.flow = s.flows.begin(now, t.pipes, x.packet.bytes, func() { s.through(t) })
		s.of[t.flow] = t
	}
}

// through goes on when the last byte of a message has left: that one comes, and the next is begun.
func (s *sharing) through(t *train) {
	s.arrives(t, t.first)
	for len(t.waiting) > 0 {
		x := t.waiting[0]
		t.waiting = t.waiting[1:]
		t.bytes -= x.packet.bytes
		if len(s.n.cuts) == 0 || !s.n.isCut(t.from, t.to) {
			s.begin(t, x)
			return
		}
		s.n.report.Stopped++
	}
	s.drop(t)
}

// drop ends what is on its way in a train.
func (s *sharing) drop(t *train) {
	s.flows.end(t.flow)
	delete(s.of, t.flow)
	t.flow, t.waiting, t.bytes = nil, nil, 0
}

// arrives has a message come to its receiver after the delay.
func (s *sharing) arrives(t *train, x shipment) {
	now, d := s.n.time.now, t.link.Delay
	if t.link.Jitter > 0 {
		d += time.Duration(s.n.draw.Int64N(int64(t.link.Jitter)))
	}
	d += s.repeats(t.link, x.packet.bytes)
	t.last = max(t.last, now+d)
	d = t.last - now
	to := t.to
	to.w.put(d, dueEvent{tag: x.mark + uint64(to.no), do: s.n.oncoming(x.by, to, x.packet, x.mark), of: to, how: beside})
	if x.over != nil {
		t.from.turn(d, tag("bulk", uint64(t.from.no)), func() { x.over(true) })
	}
}

// hostEnds drops what was on its way from or to a process that is gone.
func (s *sharing) hostEnds(h *host) {
	for _, x := range slices.Clone(s.flows.flows) {
		t := s.of[x]
		if t.from != h && t.to != h {
			continue
		}
		s.drop(t)
		if over := t.first.over; over != nil {
			t.from.turn(0, tag("bulk", uint64(t.from.no)), func() { over(false) })
		}
	}
}

// settle shares anew after an event, and has the flow looked for that is through first.
func (s *sharing) settle() {
	now := s.n.time.now
	s.flows.settle(now)
	first := s.flows.next()
	if first == nil || first.ends >= s.armed {
		return
	}
	at := first.ends
	s.armed = at
	s.n.time.tagged(at-now, tag("through", 0), func() {
		if s.armed == at {
			s.armed = steal.Never
		}
		for first := s.flows.next(); first != nil && first.ends <= s.n.time.now; first = s.flows.next() {
			first.over()
		}
	})
}
