package gridsim

import (
	"time"

	"satingrid/membership"
)

// lostWithin bounds how much later than the order to leave the destination dies: a leave
// takes a few milliseconds.
const lostWithin = 10 * time.Millisecond

// migrate starts as many peers in a new site as there are in one, and then lets that one leave.
// Where the destination is to be lost, its processes die while the others leave.
func (w *World) migrate(who []*host, f Fault) bool {
	if len(who) == 0 {
		return false
	}
	site := who[0].site + "'"
	w.join(site, len(who))
	w.after(joinTime, func() {
		for _, h := range who {
			if h.up && w.opts.Asides {
				h.isOrdered(f.For, site, true)
			} else if h.up {
				h.leaves(f.For, site)
				h.do(h.peer.Move(w.now, w.now+f.For, site))
			}
		}
	})
	if f.Kind == Migrate {
		return true
	}
	w.after(joinTime+f.For%lostWithin, func() {
		for _, h := range w.who.hosts {
			if h.site == site {
				w.kill(h, f.N > 0)
			}
		}
	})
	return false // it has happened when one stays that was to leave
}

// stays notes that a peer does not leave after all. The first of a site makes a
// migration to nobody.
func (h *host) stays() {
	if !h.w.deserted[h.bound] {
		h.w.deserted[h.bound] = true
		h.w.report.struck(MigrateLost)
	}
	h.ordered, h.leaveBy, h.bound = false, 0, ""
}

// desertedMax is how long after the last of a site has died a peer may still leave to it: a silent
// one is held to be there until it is noticed, and while links lose messages, or this peer is
// stopped, that takes longer.
const desertedMax = 2 * membership.SilenceMaxFar

// checkBound sees that a peer that may leave only while somebody is at a site does not leave when
// nobody is there any more.
func (h *host) checkBound() {
	if h.bound == "" || h.w.mayMistake() {
		return
	}
	var last time.Duration
	for _, o := range h.w.who.hosts {
		if o.site == h.bound && o.up {
			return
		} else if o.site == h.bound {
			last = max(last, o.endedAt)
		}
	}
	if h.w.now-last > desertedMax {
		h.w.fail("deserted", "%s has left to site %s, where nobody is since %v", h.id, h.bound, h.w.now-last)
	}
}
