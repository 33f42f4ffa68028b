package gridsim

import (
	"time"

	"satingrid/orphan"
	"satingrid/satin/peer"
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

// spoils has a planted defect change a message, or never send it.
func (n *network) spoils(from *host, p packet) (packet, bool) {
	if !n.spoil(&p.message) {
		return packet{}, false
	}
	return n.codec.unpack(from, n.codec.encode(from, p.message))
}

// lateMax is how late a message may be that takes a way of its own: a stream that
// broke, and was begun anew.
const lateMax = 3 * time.Second

// send carries a frame to one host, by a session if there is one, and says when it comes there, if
// it does. Of a long one over hears where nobody can say that before, and then there is no more to
// be said.
func (n *network) send(by *session, from, to *host, frame []byte, over func(up bool)) (in time.Duration, told bool) {
	p, ok := n.codec.unpack(from, frame)
	if ok && n.spoil != nil {
		p, ok = n.spoils(from, p)
	}
	if ok {
		p.over, p.by = over, by
		in, ok = n.carry(holding{host: from}, from, to, p)
	}
	return in, ok && over != nil && n.shared != nil
}

// carry takes what one host says from who has it, which may be another that passes it on, to a
// third; and says when it comes there, if it does.
func (n *network) carry(has holding, from, to *host, p packet) (in time.Duration, comes bool) {
	m, at, by := p.message, has.host, uint64(0)
	if at != from {
		by = uint64(at.no) + 1
	}
	l := n.linkOf(at, to)
	if n.calm {
		l.Loss, l.Double, l.Late = 0, 0, 0
	}
	n.note(from, "sends", m.Body.Kind(), uint64(to.no), by)
	switch m.Body.Kind() {
	case peer.KindSubmit:
		if from == n.who.asker {
			n.lastSubmit = m
		}
	case orphan.KindCopy:
		n.who.keeps(to)
	case peer.KindAccepted:
		from.w.kept.accepts(from, m.Body)
	}
	n.report.Messages++
	if n.isFar(at, to) {
		n.report.BytesFar += uint64(p.bytes)
	}
	if at.site != to.site && !at.client && !to.client {
		at.bytesFar += int64(p.bytes)
	}
	copies := 1
	switch {
	case l.Loss > 0 && n.draw.Float64() < l.Loss:
		copies--
		n.report.Dropped++
	case len(n.cuts) > 0 && n.isCut(at, to):
		copies--
		n.report.Stopped++
	}
	if l.Double > 0 && n.draw.Float64() < l.Double {
		copies++
		n.report.Doubled++
	}
	for k := range copies {
		if n.mail != nil && !noise[m.Body.Kind()] {
			n.mail.put(from, to, m)
			continue
		}
		mark := tag("mail", uint64(m.Body.Kind())<<8|uint64(from.no))
		if n.shared != nil {
			n.shared.send(at, to, shipment{p, from, mark})
			return l.Delay, true
		}
		d := has.in + n.transit(at, to, l, p.bytes) + n.lateness(m.Body)
		if k == 0 || d < in {
			in = d
		}
		to.w.put(d, dueEvent{tag: mark + uint64(to.no), do: n.oncoming(from, to, p, mark), of: to, how: beside})
	}
	return in, copies > 0
}
