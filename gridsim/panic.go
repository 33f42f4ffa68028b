package gridsim

import (
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// panics fails a run because a job of it panicked, as package satin does. The peer hears of that
// first, then what it had for jobs that are stopped now. All jobs of the run that are here are
// stopped, and what the peer gives to the workers afterwards, until it ends the run, is not begun.
// They are not heard of again, except for orphans, which say that they have stopped.
func (l *plane) panics(r *planeRun, text string) {
	if text != raised { // which each worker may come upon
		l.h.w.report.Panics++
	}
	r.failed = true
	l.h.post("panics", uint64(r.no), func() []peer.Effect {
		return l.hears.Panicked(l.h.w.now, r.no, steal.Result{Outcome: steal.Panicked, Bytes: []byte(text)})
	})
	tops := slices.DeleteFunc(l.tops(), func(n *planeJob) bool { return n.run != r })
	l.drop(tops)
	for _, n := range tops {
		if n.orphan {
			l.stoppedTop(n)
		}
	}
}
