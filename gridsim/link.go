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
func (w *World) spoils(from *host, p packet) (packet, bool) {
	if !w.spoil(&p.message) {
		return packet{}, false
	}
	return w.unpack(from, w.encode(from, p.message))
}

// lateMax is how late a message may be that takes a way of its own: a stream that
// broke, and was begun anew.
const lateMax = 3 * time.Second

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
		w.keeps(to)
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
