package gridsim

import (
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// soFar is what a job that was withdrawn returns where the planted defect lets it pass for a
// result: what it has until then.
func (l *plane) soFar(n *node) steal.Result {
	var values [][]byte
	for k := range n.kids {
		if k := &n.kids[k]; k.state == done && k.result.Outcome == steal.Value {
			values = append(values, k.result.Bytes)
		}
	}
	return steal.Result{Bytes: l.h.w.work.Combine(n.args, values), Choosing: l.h.w.work.Choosing(), Cost: uint32(n.cost / time.Millisecond)}
}

// keepWithdrawn is the planted defect that what an orphan returns when it is told
// is kept under its key.
func (l *plane) keepWithdrawn(n *node) {
	if l.h.w.opts.Plant != peer.PlantWithdrawnStored {
		return
	}
	n.result, n.state, n.part = l.soFar(n), done, true
	if n.borrow != 0 && l.borrows[n.borrow] == n {
		delete(l.borrows, n.borrow)
		l.h.post("finishes", uint64(n.borrow), func() []peer.Effect { return l.hears.Finished(l.h.w.now, n.borrow, n.result) })
	}
}

// returnsAfterAll is the same for a job that was withdrawn while it computed.
func (l *plane) returnsAfterAll(n *node) {
	if l.h.w.opts.Plant == peer.PlantWithdrawnStored {
		result := l.soFar(n)
		l.h.post("finishes", uint64(n.borrow), func() []peer.Effect { return l.hears.Finished(l.h.w.now, n.borrow, result) })
	}
}
