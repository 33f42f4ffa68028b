package gridsim

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// withdraw stops a job and all below it. What is lent is abandoned when a worker comes to it.
func (l *plane) withdraw(n *planeJob) {
	l.drop([]*planeJob{n})
}

// withdrawKids stops all below a job.
func (l *plane) withdrawKids(n *planeJob) {
	kids := make([]*planeJob, len(n.kids))
	for k := range n.kids {
		kids[k] = &n.kids[k]
	}
	l.drop(kids)
}

func (l *plane) drop(all []*planeJob) {
	var refs []steal.Ref
	var stop func(n *planeJob)
	stop = func(n *planeJob) {
		if n.state == taken {
			refs = append(refs, n.ref)
			l.give(n.ref)
		}
		if n.state != done {
			n.state = dead
		}
		for k := range n.kids {
			stop(&n.kids[k])
		}
	}
	for _, n := range all {
		stop(n)
	}
	l.abandon(all[0].run, refs, false)
}

// abandon tells the peer which of its jobs nobody waits for any more, and sweeps the deque.
func (l *plane) abandon(r *planeRun, refs []steal.Ref, orphaned bool) {
	r.deque = slices.DeleteFunc(r.deque, func(n *planeJob) bool { return n.state == dead || n.state == done })
	if len(refs) > 0 {
		l.h.post("abandons", uint64(len(refs)), func() []peer.Effect { return l.hears.Abandoned(l.h.w.now, refs, orphaned) })
	}
	l.assign()
}

// orphan withdraws a job so that what is finished below it is kept: what has not started never
// will, what is lent is let go, and what computes is told at its next spawn.
func (l *plane) orphan(n *planeJob) {
	var refs []steal.Ref
	var mark func(n *planeJob)
	mark = func(n *planeJob) {
		switch n.state {
		case taken:
			refs = append(refs, n.ref)
			l.give(n.ref)
			n.state = dead
		case queued:
			n.state = dead
		case running, waiting:
			n.orphan = true
		}
		for k := range n.kids {
			mark(&n.kids[k])
		}
	}
	mark(n)
	l.abandon(n.run, refs, true)
	var parts []peer.Part
	l.tellBelow(n, &parts)
	l.salvaged(parts)
	if n.state == dead {
		l.stoppedTop(n)
	}
}

// tellBelow tells the orphans at and below a job that wait, when nothing computes below them: a
// stack is told from its top.
func (l *plane) tellBelow(n *planeJob, parts *[]peer.Part) {
	if n.state != waiting {
		return
	}
	for k := range n.kids {
		l.tellBelow(&n.kids[k], parts)
	}
	if !n.computing() {
		l.partsOf(n, parts)
		l.tell(n)
	}
}

// tell lets an orphan know that nobody waits for it: it is no more.
func (l *plane) tell(n *planeJob) {
	n.state, n.orphan = dead, false
}

// computing tells whether a child of a job has not come to its end yet.
func (n *planeJob) computing() bool {
	return slices.ContainsFunc(n.kids, func(k planeJob) bool { return k.state == running || k.state == waiting })
}

// partsOf lists a job's own parts.
func (l *plane) partsOf(n *planeJob, parts *[]peer.Part) {
	for k := range n.kids {
		if k := &n.kids[k]; k.state == done && k.part {
			*parts = append(*parts, peer.Part{Run: k.run.no, Key: k.keyOf(), Result: k.result})
		}
	}
}

// stopped ends those above an orphan that was told, which waited for nothing else.
func (l *plane) stopped(n *planeJob) {
	if n.parent != nil && n.borrow == 0 {
		l.unwind(n.parent)
		return
	}
	l.stoppedTop(n)
}

// unwind tells an orphan that waits, and those above it, once nothing computes below it.
func (l *plane) unwind(n *planeJob) {
	if n.computing() || n.state != waiting {
		return
	}
	var parts []peer.Part
	l.partsOf(n, &parts)
	l.salvaged(parts)
	l.tell(n)
	l.stopped(n)
}

func (l *plane) salvaged(parts []peer.Part) {
	if len(parts) > 0 {
		l.h.post("salvages", uint64(len(parts)), func() []peer.Effect { return l.hears.Salvaged(l.h.w.now, parts) })
	}
}

func (l *plane) stoppedTop(n *planeJob) {
	if l.borrows[n.borrow] == n && n.state == dead {
		delete(l.borrows, n.borrow)
		l.h.post("stops", uint64(n.borrow), func() []peer.Effect { return l.hears.Stopped(l.h.w.now, n.borrow) })
	}
}

// walk visits the unfinished jobs of this process, in an order that is the same every time, each
// before those below it.
func (l *plane) walk(visit func(n *planeJob)) {
	var down func(n *planeJob)
	down = func(n *planeJob) {
		if n.state == done || n.state == dead {
			return
		}
		visit(n)
		for k := range n.kids {
			down(&n.kids[k])
		}
	}
	for _, n := range l.tops() {
		down(n)
	}
}

// tops are the jobs that were executed, the first one first.
func (l *plane) tops() []*planeJob {
	return slices.SortedFunc(maps.Values(l.borrows), func(a, b *planeJob) int { return cmp.Compare(a.borrow, b.borrow) })
}

// WantParts lists the parts.
func (l *plane) WantParts(peer.WantParts) {
	var parts []peer.Part
	l.walk(func(n *planeJob) { l.partsOf(n, &parts) })
	l.h.post("gathers", uint64(len(parts)), func() []peer.Effect { return l.hears.Gathered(l.h.w.now, parts) })
}

// WantKeys lists the keys of a run's unfinished jobs that ticks have found, and of the oldest
// that wait to be started.
func (l *plane) WantKeys(e peer.WantKeys) {
	no := e.Run
	var keys []steal.Key
	add := func(n *planeJob) {
		if len(keys) < peer.KeysMax {
			keys = append(keys, n.keyOf())
		}
	}
	if r := l.run(no); r != nil {
		l.walk(func(n *planeJob) {
			if n.run == r && (n.state == running || n.state == waiting) && !n.orphan && l.found(n) {
				add(n)
			}
		})
		for _, n := range r.deque[:min(len(r.deque), oldestKeys)] {
			add(n)
		}
	}
	l.h.post("lists", uint64(len(keys)), func() []peer.Effect { return l.hears.Unfinished(l.h.w.now, no, keys) })
}

// oldestKeys is how many of the jobs that wait to be started are looked up. The older a job, the
// more of it may be there.
const oldestKeys = 64

// Use gives a value to all that wait for it.
func (l *plane) Use(e peer.Use) {
	r := l.run(e.Run)
	if r == nil {
		return
	}
	var hits []*planeJob
	l.walk(func(n *planeJob) {
		if n.run == r && !n.orphan && n.keyOf() == e.Key {
			hits = append(hits, n)
		}
	})
	for _, n := range hits {
		if n.state == done || n.state == dead {
			continue // what it hung on is done
		}
		l.h.w.report.Used++
		if l.h.w.fromDisk[e.Key] {
			l.h.w.report.Stored++
		}
		l.h.w.report.Saved += time.Duration(e.Result.Cost) * time.Millisecond
		var refs []steal.Ref
		if n.state == taken {
			refs = append(refs, n.ref)
			l.give(n.ref)
		}
		if len(n.kids) > 0 {
			l.withdrawKids(n)
		}
		result := e.Result
		n.cost = 0
		l.complete(n, result)
		l.abandon(r, refs, false)
	}
}
