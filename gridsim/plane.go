package gridsim

import (
	"fmt"
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// plane is a data plane that keeps the contract of package peer, and computes by waiting. A job runs for its cost, then it spawns
// its children and waits for them; a worker whose job waits takes another.
type plane struct {
	h       *host
	idle    int
	told    int // the number of idle workers that was last posted
	runs    []*planeRun
	refs    map[uint64]*node
	ref     uint64
	borrows map[uint64]*node
	want    *steal.WantJobs
	busy    time.Duration // worker time spent in jobs
	jobs    int
}

// planeRun is a run here: its deque has the oldest job first.
type planeRun struct {
	no    peer.RunNo
	key   steal.Key
	best  []byte
	deque []*node
	ended bool
	seen  []byte // the best at the last look of the checker
}

type state uint8

const (
	queued state = iota
	running
	waiting
	taken
	done
	dead
)

// node is a job in this process.
type node struct {
	run     *planeRun
	state   state
	args    []byte
	borrow  uint64 // it was given by the peer
	ref     uint64 // it is in the hands of the peer
	parent  *node
	place   int // among the parent's children
	kids    []*node
	results [][]byte
	pending int
}

func newPlane(h *host, workers int) *plane {
	return &plane{h: h, idle: workers, told: workers, refs: map[uint64]*node{}, borrows: map[uint64]*node{}}
}

func (l *plane) effect(e peer.Effect) {
	switch e := e.(type) {
	case peer.StartRun:
		l.runs = append(l.runs, &planeRun{no: e.Run, key: e.Instance.Run})
	case peer.EndRun:
		l.endRun(e.Run)
	case peer.Execute:
		r := l.run(e.Run)
		if r == nil {
			l.h.w.fail("machine", "Execute for run %d, which the data plane was not told of", e.Run)
			return
		}
		n := &node{run: r, args: e.Args, borrow: e.Borrow}
		l.borrows[e.Borrow] = n
		r.deque = append(r.deque, n)
		l.assign()
	case peer.Withdraw:
		if n := l.borrows[e.Borrow]; n != nil {
			delete(l.borrows, e.Borrow)
			l.withdraw(n)
		}
	case steal.WantJobs:
		if l.want != nil {
			l.h.w.fail("machine", "a second WantJobs while one is open")
		}
		l.want = &e
		l.answer(false)
	case peer.PutBack:
		if n := l.give(e.Ref); n != nil {
			n.state = queued
			n.run.deque = slices.Insert(n.run.deque, 0, n)
			l.assign()
		}
	case peer.Settle:
		if n := l.give(e.Ref); n != nil {
			l.complete(n, e.Result.Bytes)
		}
	case peer.Improve:
		if r := l.run(e.Run); r != nil {
			l.improve(r, e.Value)
		}
	default:
		panic(fmt.Sprintf("gridsim: BUG: an effect that nobody carries out: %T", e))
	}
}

func (l *plane) run(no peer.RunNo) *planeRun {
	for _, r := range l.runs {
		if r.no == no {
			return r
		}
	}
	return nil
}

// give takes a job back from the peer.
func (l *plane) give(ref uint64) *node {
	n := l.refs[ref]
	delete(l.refs, ref)
	if n != nil {
		n.ref = 0
	}
	return n
}

func (l *plane) endRun(no peer.RunNo) {
	r := l.run(no)
	if r == nil {
		l.h.w.fail("machine", "EndRun for run %d, which the data plane was not told of", no)
		return
	}
	r.ended = true
	r.deque = nil
	l.runs = slices.DeleteFunc(l.runs, func(o *planeRun) bool { return o == r })
	for ref, n := range l.refs {
		if n.run == r {
			delete(l.refs, ref)
		}
	}
	for b, n := range l.borrows {
		if n.run == r {
			delete(l.borrows, b)
		}
	}
	l.assign()
}

// assign gives queued jobs to idle workers: the older run first, the newest job first.
func (l *plane) assign() {
	for _, r := range l.runs {
		for l.idle > 0 && len(r.deque) > 0 {
			n := r.deque[len(r.deque)-1]
			r.deque = r.deque[:len(r.deque)-1]
			if n.state != queued {
				continue
			}
			l.idle--
			l.execute(n)
		}
	}
	l.tell()
	if l.want != nil && l.idle == l.workers() {
		l.answer(true)
	}
}

func (l *plane) workers() int { return int(l.h.peer.Self().Workers) }

// tell posts the number of idle workers when it has changed.
func (l *plane) tell() {
	if l.idle == l.told {
		return
	}
	l.told = l.idle
	l.h.post("idle", uint64(l.idle), func() []peer.Effect { return l.h.peer.Idle(l.h.w.now, l.idle) })
}

// execute runs a job for as long as it costs.
func (l *plane) execute(n *node) {
	w := l.h.w
	n.state = running
	cost := w.work.Cost(n.args)
	l.jobs++
	w.report.Jobs++
	l.h.in(cost, func() {
		l.busy += cost
		l.idle++
		if n.state == running && !n.run.ended {
			l.expand(n)
		}
		l.answer(false)
		l.assign()
	})
}

// expand spawns a job's children, or completes it.
func (l *plane) expand(n *node) {
	step := l.h.w.work.Expand(n.args, n.run.best)
	if step.Offer != nil && l.improve(n.run, step.Offer) {
		no := n.run.no
		l.h.post("offers", 0, func() []peer.Effect { return l.h.peer.Offered(l.h.w.now, no, step.Offer) })
	}
	if len(step.Children) == 0 {
		l.complete(n, step.Value)
		return
	}
	n.state, n.pending = waiting, len(step.Children)
	n.results = make([][]byte, len(step.Children))
	for place, args := range step.Children {
		kid := &node{run: n.run, args: args, parent: n, place: place}
		n.kids = append(n.kids, kid)
		n.run.deque = append(n.run.deque, kid)
	}
}

// complete ends a job with its value, and with it its parent when that waited for nothing else.
func (l *plane) complete(n *node, value []byte) {
	n.state = done
	n.kids = nil
	if n.borrow != 0 {
		if l.borrows[n.borrow] == n {
			delete(l.borrows, n.borrow)
			l.finished(n, value)
		}
		return
	}
	p := n.parent
	p.results[n.place] = value
	if p.pending--; p.pending == 0 && p.state == waiting {
		l.complete(p, l.h.w.work.Combine(p.args, p.results))
	}
}

func (l *plane) finished(n *node, value []byte) {
	result := steal.Result{Bytes: value, Choosing: l.h.w.work.Choosing()}
	l.h.post("finishes", n.borrow, func() []peer.Effect { return l.h.peer.Finished(l.h.w.now, n.borrow, result) })
}

// improve keeps a better best.
func (l *plane) improve(r *planeRun, value []byte) bool {
	if r.best != nil && !l.h.w.work.Better("", value, r.best) {
		return false
	}
	r.best = value
	return true
}

// withdraw stops a job and all below it. What is lent is abandoned when a worker comes to it.
func (l *plane) withdraw(n *node) {
	var refs []uint64
	var stop func(n *node)
	stop = func(n *node) {
		if n.state == taken {
			refs = append(refs, n.ref)
			l.give(n.ref)
		}
		if n.state != done {
			n.state = dead
		}
		for _, k := range n.kids {
			stop(k)
		}
	}
	stop(n)
	n.run.deque = slices.DeleteFunc(n.run.deque, func(n *node) bool { return n.state == dead })
	if len(refs) > 0 {
		l.h.post("abandons", uint64(len(refs)), func() []peer.Effect { return l.h.peer.Abandoned(l.h.w.now, refs, false) })
	}
	l.assign()
}
