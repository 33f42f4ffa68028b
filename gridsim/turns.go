package gridsim

import (
	"slices"
	"time"

	"satingrid/satin/peer"
)

// next is the run whose turn it is, of those of which something waits for a worker.
func (l *plane) next() (next *planeRun) {
	for _, r := range l.runs {
		if r.waiting() && (next == nil || r.credit.Before(next.credit)) {
			next = r
		}
	}
	return next
}

// waiting tells whether something of the run waits for a worker.
func (r *planeRun) waiting() bool { return !r.loading && len(r.deque) > 0 }

// wanting keeps account of who wants workers, and since when.
func (l *plane) wanting() {
	for _, r := range l.runs {
		l.fair.Want(r.credit, r.busy > 0, r.waiting())
		switch {
		case !r.waiting():
			r.waits = 0
		case r.waits == 0:
			r.waits = max(l.h.w.now, 1)
		}
	}
	l.fair.Settle()
}

// lacks says of which runs less than their part is executed here, though nothing of them waits.
func (l *plane) lacks() {
	var lacking []peer.RunNo
	for _, r := range l.runs {
		if r.loading || len(r.deque) > 0 || l.idle > 0 {
			continue
		}
		if slices.ContainsFunc(l.runs, func(o *planeRun) bool {
			return o != r && o.busy > 0 && (r.busy == 0 || r.credit.Displaces(o.credit))
		}) {
			lacking = append(lacking, r.no)
		}
	}
	if !slices.Equal(lacking, l.lacking) {
		l.lacking = lacking
		l.h.post("lacks", uint64(len(lacking)), func() []peer.Effect { return l.hears.Lacks(l.h.w.now, lacking) })
	}
}

// charge puts a job's time down to its run, as it begins: here a job cannot be parked.
func (l *plane) charge(r *planeRun, cost time.Duration) {
	r.busy++
	r.had += cost
	r.waits = 0
	l.fair.Charge(r.credit, cost)
}

// turnMax is within which time a run that wants workers has one, beside the longest jobs of the
// others: a job is not cut.
const turnMax = time.Second

// sharesApart is how many times as great as another the greatest share is that is drawn.
const sharesApart = 4

// checkTurns sees that something of each run is begun in time.
func (h *host) checkTurns() {
	most := turnMax + time.Duration(2*sharesApart*len(h.plane.runs))*h.w.longest
	for _, r := range h.plane.runs {
		if since := h.w.now - max(r.waits, h.away); r.waits > 0 && since > most {
			h.w.fail("turns", "%s: a job of run %d has waited for %v, and nothing of that run was begun", h.id, r.no, since)
		}
	}
}
