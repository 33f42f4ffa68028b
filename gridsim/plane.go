package gridsim

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// plane is a data plane that keeps the contract of package peer, and computes by waiting. A
// job runs for its cost, then it spawns its children and waits for them; a worker whose job
// waits takes another. It is the driver's Workers: a method each.
type plane struct {
	h       *host
	hears   workers.Events // the host's peer
	idle    int
	told    int // the number of idle workers that was last posted
	runs    []*planeRun
	dropped []steal.Instance // runs that have ended here
	refs    map[steal.Ref]*planeJob
	ref     steal.Ref
	// that were executed, until they are finished, withdrawn or stopped
	borrows map[steal.Borrow]*planeJob
	want    *steal.WantJobs
	fair    steal.Fair    // whose turn it is
	lacking []peer.RunNo  // as it was said last
	busy    time.Duration // worker time spent in jobs

	// for who watches a rehearsal: workers that have a job, how long they had one until then,
	// and the jobs of others that were ended here last
	atWork    int
	worked    time.Duration
	workedAt  time.Duration
	loans     []Loaned
	loansDone uint64
}

// planeRun is a run here: its deque has the oldest job first.
type planeRun struct {
	no       peer.RunNo
	instance steal.Instance
	key      steal.Key
	best     []byte
	deque    []*planeJob
	credit   *steal.Credit
	had      time.Duration // of the workers
	jobs     uint64        // that were spawned here
	spent    time.Duration // worker time spent in jobs that have ended
	rooted   bool          // the root was executed here
	busy     int           // workers
	// since when something of it has waited, and nothing of it was begun; 0: nothing waits
	waits   time.Duration
	loading bool // the root is being decoded: no job can be begun
	ended   bool
	// this host had dropped it before, with all that it kept for it, and learnt it anew
	// by another submission
	again     bool
	failed    bool // a job panicked here: none is begun any more
	comparing bool // a value from outside, with the best
	redone    []peer.Redone
	seen      []byte // the best at the last look of the checker
	kept      int    // orphans' results that the peer held then
}

type jobState uint8

const (
	queued jobState = iota
	running
	waiting
	taken
	done
	dead
)

// planeJob is a job in this process.
type planeJob struct {
	run      *planeRun
	state    jobState
	part     bool // it ended when a tick had found its parent unfinished
	orphan   bool // it was withdrawn with Salvage, and has not been told
	keyed    bool
	root     bool
	verifies bool // see peer.Execute
	stays    bool // so too: it is not taken
	key      steal.Key
	args     []byte
	borrow   steal.Borrow      // it was given by the peer
	owner    membership.PeerID // whose it is; "": this one's, or a root
	begun    time.Duration
	ref      steal.Ref // it is in the hands of the peer
	parent   *planeJob
	away     away   // while it is taken
	again    *again // it was sent back by a loss, and is done again
	started  int64
	kids     []planeJob // in the order of the workload, whatever the order of spawning
	pending  int
	errors   int    // of the kids
	any      []byte // see Step
	catches  bool
	cost     time.Duration // with all that it has waited for
	result   steal.Result
}

func newPlane(h *host, n int) *plane {
	return &plane{h: h, hears: h.peer, idle: n, told: n, refs: map[steal.Ref]*planeJob{}, borrows: map[steal.Borrow]*planeJob{}}
}

// StartRun begins a run, whose root is decoded first.
func (l *plane) StartRun(e peer.StartRun) {
	r := &planeRun{
		no: e.Run, instance: e.Instance, key: e.Instance.Run,
		again: slices.Contains(l.dropped, e.Instance), loading: true, credit: l.fair.NewCredit(e.Terms.Share),
	}
	l.runs = append(l.runs, r)
	l.h.decodes(uint64(e.Run), func() { r.loading = false; l.assign() })
}

// ShareIs gives a run another share.
func (l *plane) ShareIs(e peer.ShareIs) {
	if r := l.run(e.Run); r != nil {
		l.fair.Share(r.credit, e.Share)
	}
}

// WantJobs has jobs given to the peer, as soon as there are some.
func (l *plane) WantJobs(e steal.WantJobs) {
	if l.want != nil {
		l.h.w.fail("machine", "a second WantJobs while one is open")
	}
	l.want = &e
	l.answer(false)
}

// PutBack takes a job back that is to be done here.
func (l *plane) PutBack(e peer.PutBack) {
	if n := l.give(e.Ref); n != nil {
		if e.Loss > 0 {
			n.cameBack(l.h.w.now, e.Loss)
		}
		n.state = queued
		n.run.deque = slices.Insert(n.run.deque, 0, n)
		l.assign()
	}
}

// Settle takes a job back that was done elsewhere.
func (l *plane) Settle(e peer.Settle) {
	if n := l.give(e.Ref); n != nil {
		l.complete(n, e.Result)
	}
}

// Differ compares two answers.
func (l *plane) Differ(e peer.Differ) {
	better := l.h.w.work.Better
	l.h.post("differs", 0, func() []peer.Effect {
		return l.hears.Differed(l.h.w.now, e.Nonce, better(e.Task, e.A, e.B) || better(e.Task, e.B, e.A))
	})
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

// Execute puts a job on its run's deque.
func (l *plane) Execute(e peer.Execute) {
	r := l.run(e.Run)
	if r == nil {
		l.h.w.fail("machine", "Execute for run %d, which the data plane was not told of", e.Run)
		return
	}
	n := &planeJob{run: r, args: e.Args, borrow: e.Borrow, root: e.IsRoot, owner: e.Owner, key: e.Key, keyed: true, verifies: e.Verifies, stays: e.IsRoot || e.Ref != 0}
	if e.IsRoot {
		r.rooted = true
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

// Withdraw stops a job that was executed.
func (l *plane) Withdraw(e peer.Withdraw) {
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
func (l *plane) give(ref steal.Ref) *planeJob {
	n := l.refs[ref]
	delete(l.refs, ref)
	if n != nil {
		n.ref = 0
	}
	return n
}

// EndRun drops all that there is of a run.
func (l *plane) EndRun(e peer.EndRun) {
	r := l.run(e.Run)
	if r == nil {
		l.h.w.fail("machine", "EndRun for run %d, which the data plane was not told of", e.Run)
		return
	}
	r.ended = true
	l.fair.Want(r.credit, false, false)
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

// assign gives queued jobs to idle workers: of the run whose turn it is, the newest job first.
func (l *plane) assign() {
	l.wanting()
	for l.idle > 0 {
		r := l.next()
		if r == nil {
			break
		}
		n := r.deque[len(r.deque)-1]
		r.deque = r.deque[:len(r.deque)-1]
		if n.state != queued {
			continue
		}
		l.idle--
		l.execute(n)
	}
	l.wanting()
	l.lacks()
	l.idleNow()
	if l.want != nil && l.idle == l.workers() {
		l.answer(true)
	}
}

func (l *plane) workers() int { return int(l.h.peer.Sight().Self().Workers) }

// idleNow posts the number of idle workers when it has changed.
func (l *plane) idleNow() {
	if l.idle == l.told {
		return
	}
	l.told = l.idle
	l.h.post("idle", uint64(l.idle), func() []peer.Effect { return l.hears.Idle(l.h.w.now, l.idle) })
}
