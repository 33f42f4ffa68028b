package gridsim

import (
	"slices"
	"time"

	"satingrid/satin/control/driver"
	"satingrid/satin/control/statistics"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// What programs hear of a host: what became of what they asked it for, and of itself.

// readMax is how long reading an answer takes at the most.
const readMax = 20 * time.Millisecond

// Read reads an answer, beside the loop.
func (o ofDriver) Read(n steal.Nonce, _ steal.Result, over func()) {
	h := o.host
	takes := time.Duration(mix(uint64(n)) % uint64(readMax))
	h.in(takes, tag("reads", uint64(n)), func() {
		h.read[n] = true
		over()
	})
}

// Ended sees that what was asked for ends once, and is handed on when it has come and was read.
func (o ofDriver) Ended(n steal.Nonce, e driver.End) {
	h, w := o.host, o.w
	if h.ended[n]++; h.ended[n] > 1 {
		w.fail("once", "a submission of %s has ended twice", h.id)
	}
	asked := slices.Contains(h.asked, n)
	switch e.How {
	case driver.Answered:
		if !h.read[n] || h.delivered[n] != 1 || !asked {
			w.fail("once", "an answer is handed on at %s that was not read, has not come, or was cancelled", h.id)
		}
		h.checkStatistics(n, e.Statistics)
	case driver.Bereft:
		w.report.Bereft++
		w.left--
		h.asked = slices.DeleteFunc(h.asked, func(o steal.Nonce) bool { return o == n })
	case driver.NotOn:
		w.kept.notOn(h, n)
	default:
		if asked {
			w.fail("once", "a submission of %s has ended that nobody has withdrawn", h.id)
		}
	}
}

// demandEnded plays until each answer that has come was handed on. What a process was to do while
// it was stopped it does when it was to go on, though it was woken before.
func (w *World) demandEnded() {
	from := w.now
	for _, h := range w.who.hosts {
		if h.up {
			from = max(from, h.away)
		}
	}
	w.play(from+statsPatience+readMax, func() bool { return w.who.unread() == nil })
	if h := w.who.unread(); h != nil {
		w.fail("once", "an answer has come to %s, and is not handed on", h.id)
	}
}

// unread is a host to which an answer has come that was not handed on, or nil.
func (p *population) unread() *host {
	for _, h := range p.hosts {
		for _, n := range h.asked {
			if h.up && h.delivered[n] > 0 && h.ended[n] == 0 {
				return h
			}
		}
	}
	return nil
}

// Followed hears what came of an order that this host has given.
func (o ofDriver) Followed(e peer.OrderDone) {
	if o.followed[e.Order] {
		o.w.fail("once", "%s hears twice what came of order %d", o.id, e.Order)
	}
	o.followed[e.Order] = true
}

// Ends ends the process, as its loop would.
func (o ofDriver) Ends(why peer.Effect) {
	h, w := o.host, o.w
	if h.says {
		w.fail("once", "%s ends twice", h.id)
	}
	h.says = true
	switch why.(type) {
	case peer.Left:
		h.closes()
	case peer.Stranded:
		h.strands()
		return
	case driver.Twin:
		w.hearsOfTwin(h)
	}
	w.after(0, func() { w.end(h, false) })
}

// doneFor is what was done for a root, in all runs of it.
type doneFor struct {
	jobs  int64         // that were spawned
	spent time.Duration // worker time
}

func (w *World) doneFor(run steal.Key) *doneFor {
	s := w.done[run]
	if s == nil {
		s = new(doneFor)
		w.done[run] = s
	}
	return s
}

// again is how many jobs were put back, wherever, and roots may have started again.
func (w *World) again() int {
	n := w.takeovers
	for _, h := range w.who.hosts {
		n += int(h.peer.Sight().Stats().Again)
	}
	return n
}

// checkStatistics compares what a submitter knows of a run with what was done for it. What lost
// peers did since they told last, nobody knows.
func (h *host) checkStatistics(n steal.Nonce, s statistics.Stats) {
	a := h.answers[n]
	if a == nil {
		return
	}
	var jobs int64
	var busy, redone float64
	untold, again := time.Duration(0), 0
	for _, p := range s.Peers {
		jobs += p.Jobs
		busy += p.Busy
		untold += peer.ReportEvery * time.Duration(p.Workers)
	}
	for _, x := range s.Losses {
		if x.RedoneSeconds < 0 || x.SavedSeconds < 0 || x.Restarted < 0 {
			h.w.fail("statistics", "%s is told of a loss that has cost less than nothing: %+v", h.id, x)
		}
		redone += x.RedoneSeconds
		again += x.Restarted
	}
	did := h.w.doneFor(steal.KeyOf(h.w.work.Root()))
	if jobs > did.jobs || busy > did.spent.Seconds()+0.001 || again > h.w.again() {
		h.w.fail("statistics", "%s is told of %d jobs, %.3f s and %d put back, and %+v was done, and %d put back", h.id, jobs, busy, again, *did, h.w.again())
	}
	known := a.cost // of what was spent it was not done again
	if a.late {
		known = 0
	}
	if most := max(0, did.spent+untold-known).Seconds() + 0.001; redone > most {
		h.w.fail("statistics", "%s is told that losses have cost %.3f s, and %.3f s at most were done again", h.id, redone, most)
	}
}
