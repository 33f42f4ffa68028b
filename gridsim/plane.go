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
	dropped []steal.Instance // runs that have ended here
	refs    map[uint64]*node
	ref     uint64
	borrows map[uint64]*node // that were executed, until they are finished, withdrawn or stopped
	want    *steal.WantJobs
	busy    time.Duration // worker time spent in jobs
	jobs    int
}

// planeRun is a run here: its deque has the oldest job first.
type planeRun struct {
	no       peer.RunNo
	instance steal.Instance
	key      steal.Key
	best     []byte
	deque    []*node
	ended    bool
	again    bool   // this host had dropped it before, with all that it kept for it, and learnt it anew by another submission
	failed   bool   // a job panicked here: none is begun any more
	byPath   bool   // a planted defect: the key of a job is its place in the tree
	seen     []byte // the best at the last look of the checker
	kept     int    // orphans' results that the peer held then
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
	part    bool // it ended when a tick had found its parent unfinished
	orphan  bool // it was withdrawn with Salvage, and has not been told
	keyed   bool
	root    bool
	key     steal.Key
	args    []byte
	borrow  uint64 // it was given by the peer
	ref     uint64 // it is in the hands of the peer
	parent  *node
	spawned int // which of the parent's children it was to be spawned
	started int64
	kids    []node // in the order of the workload, whatever the order of spawning
	pending int
	errors  int    // of the kids
	any     []byte // see Step
	catches bool
	cost    time.Duration // with all that it has waited for
	result  steal.Result
}

func newPlane(h *host, workers int) *plane {
	return &plane{h: h, idle: workers, told: workers, refs: map[uint64]*node{}, borrows: map[uint64]*node{}}
}

func (l *plane) effect(e peer.Effect) {
	switch e := e.(type) {
	case peer.StartRun:
		l.runs = append(l.runs, &planeRun{
			no: e.Run, instance: e.Instance, key: e.Instance.Run, byPath: l.h.w.opts.Plant == peer.PlantPathIdentity,
			again: slices.Contains(l.dropped, e.Instance),
		})
	case peer.EndRun:
		l.endRun(e.Run)
	case peer.Execute:
		l.executed(e)
	case peer.Withdraw:
		l.withdrawn(e)
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
			l.complete(n, e.Result)
		}
	case peer.Improve:
		if r := l.run(e.Run); r != nil {
			l.improve(r, e.Value)
		}
	case peer.WantParts:
		l.gather()
	case peer.WantKeys:
		l.listKeys(e.Run)
	case peer.Use:
		l.use(e)
	case peer.Hear:
		l.hear(e)
	default:
		panic(fmt.Sprintf("gridsim: BUG: an effect that nobody carries out: %T", e))
	}
}

// roots is how many roots are executed here that somebody waits for.
func (l *plane) roots() (n int) {
	for _, b := range l.borrows {
		if b.root && !b.orphan {
			n++
		}
	}
	return n
}

func (l *plane) executed(e peer.Execute) {
	r := l.run(e.Run)
	if r == nil {
		l.h.w.fail("machine", "Execute for run %d, which the data plane was not told of", e.Run)
		return
	}
	n := &node{run: r, args: e.Args, borrow: e.Borrow, root: e.IsRoot, key: e.Key, keyed: true}
	if e.IsRoot {
		l.h.w.rooted(l.h)
	}
	l.borrows[e.Borrow] = n
	if r.failed {
		n.state = dead
		return
	}
	r.deque = append(r.deque, n)
	l.assign()
}

func (l *plane) withdrawn(e peer.Withdraw) {
	n := l.borrows[e.Borrow]
	switch {
	case n == nil:
	case n.run.failed && e.Salvage: // it has stopped without a word
	case e.Salvage:
		l.orphan(n)
	default:
		delete(l.borrows, e.Borrow)
		l.withdraw(n)
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
	l.dropped = append(l.dropped, r.instance)
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
	l.idleNow()
	if l.want != nil && l.idle == l.workers() {
		l.answer(true)
	}
}

func (l *plane) workers() int { return int(l.h.peer.Self().Workers) }

// idleNow posts the number of idle workers when it has changed.
func (l *plane) idleNow() {
	if l.idle == l.told {
		return
	}
	l.told = l.idle
	l.h.post("idle", uint64(l.idle), func() []peer.Effect { return l.h.peer.Idle(l.h.w.now, l.idle) })
}

// improve keeps a better best.
func (l *plane) improve(r *planeRun, value []byte) bool {
	if r.best != nil && !l.h.w.work.Better("", value, r.best) {
		return false
	}
	r.best = value
	return true
}
