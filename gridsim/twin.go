package gridsim

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/satin/control/driver"
	"satingrid/steal"
)

// drawTwins draws a peer whose folder is copied, key and all. It has a source of its own, as
// drawMore has.
func (o *Options) drawTwins(r *rand.Rand) {
	if r.IntN(8) == 0 {
		o.add(Fault{Kind: Twin, At: o.begin() + time.Duration(r.Int64N(int64(3*time.Second)))})
		o.sortFaults()
	}
}

// twins starts another process from a copy of a peer's folder. It counts when both are told.
func (w *World) twins(f Fault) {
	who := w.who.victims(f)
	if len(who) == 0 || who[0].twin != nil {
		return
	}
	h := who[0]
	copied := h.folder
	copied.book, copied.barred = slices.Clone(copied.book), slices.Clone(copied.barred)
	copied.disk = copied.disk.copied(rand.New(rand.NewPCG(w.opts.Seed, 0x7477696e+uint64(w.who.started))))
	h.twin = w.startAs(h.id, h.site, 1, false, place(w.who.started), copied)
	h.twin.twin = h
}

// copied is a disk with the same on it.
func (d *disk) copied(rng *rand.Rand) *disk {
	if d == nil {
		return nil
	}
	c := *d
	c.rng, c.orders, c.lives, c.runs = rng, nil, nil, map[steal.Key]*diskRun{}
	if c.cached != nil {
		c.cached = newCache()
	}
	for k, x := range d.runs {
		c.runs[k] = x.clone()
	}
	return &c
}

// yields ends a session, as this end sees it, in whose place one with another process comes. When
// the former lives, as its twin, it finds that its connection is broken.
func (s *session) yields(h, to *host) {
	h.disconnect(s, driver.Broken)
	if o := s.other(h); o != to && o.up {
		o.turn(h.w.net.linkOf(h, o).Delay, tag("yields", uint64(h.no)), func() { o.disconnect(s, driver.Broken) })
	}
}

// hearsOfTwin hears that a host was told that it has a twin.
func (w *World) hearsOfTwin(h *host) {
	switch h.aware = true; {
	case h.twin == nil:
		w.fail("twin", "%s is told that another process has its identity, and none ever had", h.id)
	case h.twin.aware:
		w.report.struck(Twin)
	}
}

// unaware tells whether a host lives that should be told of its twin: that one lives, too, or was
// told by somebody who lives. Nobody else has ever met both.
func unaware(h *host) bool {
	if !h.up || h.twin == nil {
		return false
	}
	return h.twin.up || h.twin.aware && slices.ContainsFunc(h.twin.tellers, func(o *host) bool { return o.up })
}

// demandTold plays until each of two twins was told. All can reach each other now.
func (w *World) demandTold() {
	first := func() int { return slices.IndexFunc(w.who.hosts, unaware) }
	if first() >= 0 {
		w.play(w.now+wholeWithin, func() bool { return first() < 0 })
	}
	if at := first(); w.err == nil && at >= 0 {
		w.fail("twin", "%v after all could reach each other %s is not told that it has a twin", wholeWithin, w.who.hosts[at].id)
	}
}
