package gridsim

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/satin/peer"
	"satingrid/steal"
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

// headBytes is what a message takes besides the bytes that jobs, results and bests bring.
const headBytes = 60

// size estimates what a message takes on the wire.
func size(b membership.Body) int {
	n := headBytes
	switch b := b.(type) {
	case steal.Lend:
		n += len(b.Best.Value)
		for _, j := range b.Jobs {
			n += headBytes + len(j.Args)
		}
	case steal.Return:
		n += len(b.Best.Value) + len(b.Result.Bytes)
	case peer.Snapshot:
		n += headBytes * (len(b.Members) + len(b.Heads) + len(b.Ended))
	case peer.Record:
		n += len(b.Root) + len(b.Best.Value)
	case peer.Answer:
		n += len(b.Result.Bytes) + len(b.Best.Value)
	case peer.BestIs:
		n += len(b.Best.Value)
	case steal.Probe:
		n += 4 * len(b.Numbers)
	}
	return n
}

func (w *World) linkOf(a, b *host) Link {
	if a.site == b.site || a.client || b.client {
		return w.opts.Near
	}
	return w.opts.Far
}

// lateMax is how late a message may be that takes a way of its own: a stream that broke, and was begun anew.
const lateMax = 3 * time.Second

// keepersMax is how many holders of copies are remembered.
const keepersMax = 16

// carry takes a message from one host to another.
func (w *World) carry(from, to *host, m peer.Message) {
	l := w.linkOf(from, to)
	if w.calm {
		l.Loss, l.Double, l.Late = 0, 0, 0
	}
	if w.spoil != nil && !w.spoil(&m) {
		return
	}
	w.note(from, "sends", m.Body.Kind(), uint64(to.no), 0)
	switch m.Body.Kind() {
	case peer.KindSubmit:
		if from == w.asker {
			w.lastSubmit = m
		}
	case orphan.KindCopy:
		w.keepers = append(w.keepers[max(0, len(w.keepers)-keepersMax):], to)
	}
	w.report.Messages++
	if from.site != to.site {
		w.report.BytesFar += uint64(size(m.Body))
	}
	copies := 1
	switch {
	case l.Loss > 0 && w.rng.Float64() < l.Loss:
		copies--
		w.report.Dropped++
	case len(w.cuts) > 0 && w.isCut(from, to):
		copies--
		w.report.Stopped++
	}
	if l.Double > 0 && w.rng.Float64() < l.Double {
		copies++
		w.report.Doubled++
	}
	for range copies {
		if w.mail != nil && !noise[m.Body.Kind()] {
			w.mail.put(from, to, m)
			continue
		}
		to.in(w.transit(from, to, l, size(m.Body))+w.lateness(m.Body), tag("mail", uint64(m.Body.Kind())<<8|uint64(from.no)), func() { to.receive(from.id, m) })
	}
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

// lateness is how much later than other messages an advert comes, where the options say so; and what repairs adverts that were lost.
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
