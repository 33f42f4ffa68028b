package gridsim

import (
	"bytes"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// Link is how messages travel one way between two hosts.
type Link struct {
	Delay  time.Duration
	Jitter time.Duration // up to so much more, drawn for each message: this reorders them
	Rate   int           // bytes a second; 0: as many as you like
	Loss   float64       // the share of messages that are lost
	Double float64       // the share that arrive twice
	Late   float64       // the share that arrive up to lateMax later, when much has happened
}

// link is the state of one direction between two hosts.
type link struct {
	free time.Duration // when the last byte will have left
}

// packet is a message as it came out of the codec, and what it took on the wire.
type packet struct {
	message peer.Message
	frame   []byte
	bytes   int
}

// encode makes a message's bytes. What the codec refuses is a finding.
func (w *World) encode(from *host, m peer.Message) []byte {
	if m.Body.Kind() == membership.KindHeartbeat {
		// most messages are, and they say nothing else
		if p, ok := w.beats[[2]membership.Incarnation{m.From, m.To}]; ok {
			return p.frame
		}
	}
	data, err := w.writer.Encode(m)
	if err != nil {
		w.fail("codec", "%s: %v", from.id, err)
	}
	return bytes.Clone(data)
}

// unpack reads a frame that a host sends, at once: it would say the same on arrival, to each
// receiver. What nobody can read is a finding.
func (w *World) unpack(from *host, frame []byte) (packet, bool) {
	head, _, err := wire.Split(frame)
	switch {
	case err != nil:
		w.fail("codec", "%s sends what nobody can read: %v", from.id, err)
		return packet{}, false
	case !w.carries(head.Kind):
		return packet{}, false
	case head.Kind != membership.KindHeartbeat:
		return w.read(from, frame)
	}
	lives := [2]membership.Incarnation{head.From, head.To}
	from.takes(messageTakes)
	p, ok := w.beats[lives]
	if !ok {
		p, ok = w.read(from, frame)
		w.beats[lives] = p
	}
	return p, ok
}

func (w *World) read(from *host, frame []byte) (p packet, ok bool) {
	from.takes(messageTakes + time.Duration(min(len(frame), driver.BulkAbove))*byteTakes)
	m, err := w.readings.decode(frame)
	if err != nil {
		w.fail("codec", "%s sends what nobody can read: %v", from.id, err)
		return packet{}, false
	}
	if w.opts.CheckAll {
		w.checkCodec(from, m, frame)
	}
	return packet{m, frame, len(frame)}, true
}

// spoils has a planted defect change a message, or never send it.
func (w *World) spoils(from *host, p packet) (packet, bool) {
	if !w.spoil(&p.message) {
		return packet{}, false
	}
	return w.unpack(from, w.encode(from, p.message))
}

func (w *World) linkOf(a, b *host) Link {
	if a.site == b.site || a.client || b.client {
		return w.opts.Near
	}
	return w.opts.Far
}

// lateMax is how late a message may be that takes a way of its own: a stream that
// broke, and was begun anew.
const lateMax = 3 * time.Second

// keepersMax is how many holders of copies are remembered.
const keepersMax = 16

// send carries a frame to one host, and says when it comes there, if it does.
func (w *World) send(from, to *host, frame []byte) (in time.Duration) {
	p, ok := w.unpack(from, frame)
	if ok && w.spoil != nil {
		p, ok = w.spoils(from, p)
	}
	if ok {
		in, _ = w.carry(holding{host: from}, from, to, p)
	}
	return in
}

// carry takes what one host says from who has it, which may be another that passes it on, to a
// third; and says when it comes there, if it does.
func (w *World) carry(has holding, from, to *host, p packet) (in time.Duration, comes bool) {
	m, at, by := p.message, has.host, uint64(0)
	if at != from {
		by = uint64(at.no) + 1
	}
	l := w.linkOf(at, to)
	if w.calm {
		l.Loss, l.Double, l.Late = 0, 0, 0
	}
	w.note(from, "sends", m.Body.Kind(), uint64(to.no), by)
	switch m.Body.Kind() {
	case peer.KindSubmit:
		if from == w.asker {
			w.lastSubmit = m
		}
	case orphan.KindCopy:
		w.keepers = append(w.keepers[max(0, len(w.keepers)-keepersMax):], to)
	}
	w.report.Messages++
	if at.site != to.site {
		w.report.BytesFar += uint64(p.bytes)
	}
	copies := 1
	switch {
	case l.Loss > 0 && w.rng.Float64() < l.Loss:
		copies--
		w.report.Dropped++
	case len(w.cuts) > 0 && w.isCut(at, to):
		copies--
		w.report.Stopped++
	}
	if l.Double > 0 && w.rng.Float64() < l.Double {
		copies++
		w.report.Doubled++
	}
	for n := range copies {
		if w.mail != nil && !noise[m.Body.Kind()] {
			w.mail.put(from, to, m)
			continue
		}
		d := has.in + w.transit(at, to, l, p.bytes) + w.lateness(m.Body)
		if n == 0 || d < in {
			in = d
		}
		to.turn(d, tag("mail", uint64(m.Body.Kind())<<8|uint64(from.no)), func() { to.receive(from, m) })
	}
	return in, copies > 0
}

// transit is how long a message is on its way, behind those that were sent before it.
func (w *World) transit(from, to *host, l Link, bytes int) time.Duration {
	d := l.Delay
	if l.Jitter > 0 {
		d += time.Duration(w.rng.Int64N(int64(l.Jitter)))
	}
	if l.Late > 0 && w.rng.Float64() < l.Late {
		w.report.Late++
		d += time.Duration(w.rng.Int64N(int64(lateMax)))
	}
	if l.Rate == 0 {
		return d
	}
	pair := [2]int{from.no, to.no}
	s := w.links[pair]
	if s == nil {
		s = &link{}
		w.links[pair] = s
	}
	s.free = max(s.free, w.now) + time.Duration(bytes)*time.Second/time.Duration(l.Rate)
	return d + s.free - w.now
}

// lateness is how much later than other messages an advert comes, where the options say so; and
// what repairs adverts that were lost.
func (w *World) lateness(b membership.Body) time.Duration {
	if k := b.Kind(); w.opts.Late == 0 || k != orphan.KindAdvert && k != orphan.KindList {
		return 0
	}
	return w.opts.Late + time.Duration(w.rng.Int64N(3*int64(w.opts.Late)))
}

// isCut tells whether what one host sends another is dropped just now.
func (w *World) isCut(from, to *host) bool {
	for n := 0; n < len(w.cuts); n++ {
		if w.now >= w.cuts[n].until {
			w.cuts = slices.Delete(w.cuts, n, n+1)
			n--
		} else if c := w.cuts[n]; c.stops(from, to) {
			if !c.struck {
				c.struck = true
				w.struck(c.kind)
			}
			return true
		}
	}
	return false
}
