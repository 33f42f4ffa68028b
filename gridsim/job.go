package gridsim

import (
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// tickEvery is how often the workers look for unfinished jobs (docs/architecture.md, Ticks).
const tickEvery = 200 * time.Millisecond

// tick is the number of the last tick of this host's workers. Ticks are not events here: whether
// one has found a job follows from when the job started.
func (l *plane) tick() int64 {
	return int64((l.h.w.now + time.Duration(l.h.no)*tickEvery/7) / tickEvery)
}

// found tells whether a tick has found a job unfinished.
func (l *plane) found(n *planeJob) bool { return n.started > 0 && n.started < l.tick() }

// execute runs a job for as long as it costs.
func (l *plane) execute(n *planeJob) {
	w := l.h.w
	n.state, n.started, n.begun = running, l.tick(), w.now
	l.works(1)
	cost := w.work.Cost(n.args)
	if age, deadly := w.dies(n.args); deadly {
		l.h.in(age, tag("die", lead(n.args)), func() { w.kill(l.h, false) })
		return
	}
	w.report.Jobs++
	l.charge(n.run, cost)
	w.longest = max(w.longest, cost)
	l.h.in(lasts(l.h, cost), tag("job", lead(n.args)), func() {
		l.busy += cost
		n.run.spent += cost
		w.doneFor(n.run.key).spent += cost
		l.idle++
		l.works(-1)
		n.run.busy--
		n.cost += cost
		switch {
		case n.run.ended:
		case n.state == running:
			l.expand(n)
		}
		l.answer(false)
		l.assign()
	})
}

// lasts is how long a worker of this host needs for a job of some cost.
func lasts(h *host, cost time.Duration) time.Duration {
	return cost * speedOfOne / time.Duration(h.speed)
}

// expand spawns a job's children, or completes it. An orphan is told at its first spawn.
func (l *plane) expand(n *planeJob) {
	step := l.h.w.work.Expand(n.args, n.run.best)
	if s, ok := l.h.w.work.(*Search); ok && s.raises(step.Offer, n.run.best) {
		step = Step{Panic: raised}
	}
	if step.Offer != nil && l.improve(n.run, step.Offer) {
		no, best := n.run.no, steal.StampOf(step.Offer)
		l.h.post("offers", 0, func() []peer.Effect { return l.hears.Offered(l.h.w.now, no, best) })
	}
	if step.Fact != nil {
		no := n.run.no
		l.h.post("tells", 0, func() []peer.Effect { return l.hears.Told(l.h.w.now, no, step.Fact) })
	}
	switch {
	case step.Panic != "":
		l.panics(n.run, step.Panic)
	case step.Err != "":
		l.complete(n, steal.Result{Outcome: steal.Failed, Bytes: []byte(step.Err)})
	case step.Fickle:
		l.complete(n, steal.Result{Bytes: encode(1, l.h.w.rng.Uint64(), 0)})
	case len(step.Children) == 0:
		l.complete(n, steal.Result{Bytes: step.Value, Choosing: l.h.w.work.Choosing()})
	case n.orphan:
		l.tell(n)
		l.stopped(n)
	default:
		l.spawn(n, step)
	}
}

// spawn puts a job's children on the deque, in an order that may differ from one
// execution to the next.
func (l *plane) spawn(n *planeJob, step Step) {
	n.state, n.pending, n.any = waiting, len(step.Children), step.Any
	n.catches = step.Catches
	n.kids = make([]planeJob, len(step.Children))
	n.run.jobs += uint64(len(n.kids))
	l.h.w.report.Spawned += uint64(len(n.kids))
	l.h.w.doneFor(n.run.key).jobs += int64(len(n.kids))
	for place, args := range step.Children {
		n.kids[place] = planeJob{run: n.run, args: args, parent: n, verifies: n.verifies}
		n.run.deque = append(n.run.deque, &n.kids[place])
	}
	if !step.Shuffled {
		return
	}
	fresh := n.run.deque[len(n.run.deque)-len(n.kids):]
	l.h.w.rng.Shuffle(len(fresh), func(a, b int) { fresh[a], fresh[b] = fresh[b], fresh[a] })
}

// complete ends a job with its result, and with it its parent when that waited for nothing else.
func (l *plane) complete(n *planeJob, result steal.Result) {
	n.cost += time.Duration(result.Cost) * time.Millisecond
	result.Cost = uint32(n.cost / time.Millisecond)
	n.state, n.kids, n.result = done, nil, result
	if n.again != nil {
		n.redid()
	}
	if n.borrow != 0 {
		l.lentIsDone(n)
		if l.borrows[n.borrow] == n {
			delete(l.borrows, n.borrow)
			l.h.post("finishes", uint64(n.borrow), func() []peer.Effect { return l.hears.Finished(l.h.w.now, n.borrow, result) })
		}
		return
	}
	p := n.parent
	n.part = l.found(p)
	p.cost += n.cost
	p.pending--
	if result.Outcome != steal.Value {
		p.errors++
	}
	switch {
	case p.orphan:
		l.unwind(p)
	case p.state == waiting:
		l.childDone(p, n)
	}
}

// childDone lets a job go on whose child has ended. It waits for its children in the order of
// the workload, so that which error it returns is a function of its fields; then its other
// children are aborted.
func (l *plane) childDone(p, kid *planeJob) {
	if p.any != nil && kid.result.Outcome == steal.Value && len(kid.result.Bytes) > 0 {
		l.cutShort(p, steal.Result{Bytes: p.any, Choosing: true})
		return
	}
	if p.errors > 0 && !p.catches {
		for k := range p.kids {
			if k := &p.kids[k]; k.state != done {
				return
			} else if k.result.Outcome != steal.Value {
				l.cutShort(p, steal.Result{Outcome: k.result.Outcome, Bytes: k.result.Bytes})
				return
			}
		}
	}
	if p.pending > 0 {
		return
	}
	values := make([][]byte, len(p.kids))
	choosing := false
	for k := range p.kids {
		if p.kids[k].result.Outcome == steal.Value {
			values[k] = p.kids[k].result.Bytes
		}
		choosing = choosing || p.kids[k].result.Choosing
	}
	l.complete(p, steal.Result{Bytes: l.h.w.work.Combine(p.args, values), Choosing: choosing})
}

// cutShort ends a job while children of it may be unfinished: they are aborted.
func (l *plane) cutShort(p *planeJob, result steal.Result) {
	l.withdrawKids(p)
	l.complete(p, result)
}

// keyOf is a job's key, made when it is first asked for.
func (n *planeJob) keyOf() steal.Key {
	if !n.keyed {
		n.key, n.keyed = jobKey(n.run.key, n.args), true
	}
	return n.key
}
