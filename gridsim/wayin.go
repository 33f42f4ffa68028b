package gridsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// wayMax is how long the way in may take. Whoever comes to nobody ends sooner.
const wayMax = 30 * time.Second

// drawOldTicket draws somebody who comes by an old ticket. It has a source of its own, as drawMore
// has.
func (o *Options) drawOldTicket(r *rand.Rand) {
	if r.IntN(8) == 0 {
		at := o.begin() + time.Duration(r.Int64N(int64(3*time.Second)))
		o.add(Fault{Kind: OldTicket, At: at, N: 4 + r.IntN(4*oldHostsMax)})
		o.sortFaults()
	}
}

// oldHostsMax is how many hosts an old ticket may name that are gone: with a member as many as a
// ticket may name addresses.
const oldHostsMax = 31

// comesByOldTicket starts a host by a ticket that names machines which are gone.
func comesByOldTicket(w *World, f Fault) bool {
	site := w.who.siteOf(f)
	var old folder
	for n := range f.N / 4 {
		gone := &host{w: w, no: w.who.started, id: membership.PeerID(fmt.Sprintf("gone/%d/%d", w.who.started, n)), site: site, machine: true}
		w.net.settleAt(gone, fmt.Sprintf("/sim/gone/%d/%d", w.who.started, n))
		old.ticket = append(old.ticket, addresses.Known{ID: gone.id, Age: -1, Addrs: []string{gone.addr()}})
	}
	if f.N&1 > 0 {
		old.ticket = append(old.ticket, w.who.ticket(w.who.contact(nil))...)
	}
	client := f.N&2 > 0
	workers := 1
	if client {
		site, workers = "", 0
	}
	w.startAs(w.who.name(site), site, workers, client, w.net.drawPlace(), old)
	return true
}

// onWayIn tells whether a host is neither in nor at its end.
func onWayIn(h *host) bool { return h.up && !h.entered }

// checkWayIn sees that nobody is on its way in for ever.
func checkWayIn(h *host) {
	h.came = max(h.came, min(h.asleep, h.w.now), min(h.away, h.w.now))
	if took := h.w.now - h.came; onWayIn(h) && took > wayMax {
		h.w.fail("way in", "%s came %v ago, and is neither in nor at its end", h.id, took)
	}
}

// passedBy is a member that a host, which says that it reaches nobody, could have come to: it was
// told where that one is, which was in the grid all the time and could be reached. Nil: there is
// none, or who is to judge does not know.
func passedBy(h *host) *host {
	w := h.w
	refused := slices.ContainsFunc(w.who.hosts, func(o *host) bool { return o.refuses[h.id] || h.refuses[o.id] })
	if h.barred || refused || h.twin != nil || stoodStill(h, h.came) || w.net.moves > 0 {
		return nil
	}
	for _, m := range w.who.hosts {
		if m.remains() && m.entered && m.enteredAt < h.came && m.twin == nil && !m.natted &&
			knowsWay(h, m) && !stoodStill(m, h.came) && !w.net.wereApart(h, m, h.came) {
			return m
		}
	}
	return nil
}

// knowsWay tells whether a host came with the address at which another listens.
func knowsWay(h, m *host) bool {
	names := func(k addresses.Known) bool { return slices.Contains(k.Addrs, m.addr()) }
	return slices.ContainsFunc(h.folder.ticket, names) || slices.ContainsFunc(h.folder.book, names)
}

// stoodStill tells whether a process did nothing at some time since then.
func stoodStill(h *host, since time.Duration) bool { return max(h.asleep, h.away) > since }

// wereApart tells whether something has cut two hosts off from each other at some time since then.
func (n *network) wereApart(a, b *host, since time.Duration) bool {
	return slices.ContainsFunc(n.everCut, func(c *cut) bool {
		return c.until > since && (c.stops(a, b) || c.stops(b, a))
	})
}

// demandWayIn plays until nobody is on its way in.
func demandWayIn(w *World) {
	first := func() int { return slices.IndexFunc(w.who.hosts, onWayIn) }
	if first() >= 0 {
		w.play(w.now+2*wayMax, func() bool { return first() < 0 })
	}
	if at := first(); w.err == nil && at >= 0 {
		w.fail("way in", "%s is neither in nor at its end when all is over", w.who.hosts[at].id)
	}
}
