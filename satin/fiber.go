package satin

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"
)

// fiber is a goroutine with a deque of its own, as others know it: who steals from it, who brings
// it a result, and the pool. A worker runs one fiber at a time.
type fiber struct {
	pool *pool
	// its own; others touch it while the fiber sleeps without a job, under pool.mu
	stack *deque
	// nil while it has no job; its own, but while it is ready, when pool.mu guards it
	run    *run
	serves atomic.Pointer[run] // run, for others to read
	worker *worker
	resume chan *worker // hands a worker to this fiber; nil ends it

	state    fiberState // guarded by pool.mu
	notified bool       // guarded by pool.mu: unparked while it was not parked
	// guarded by pool.mu: asked to give up its worker for another run
	displaced bool
	pending   atomic.Bool // parked with waiting jobs that publish has not made public

	letters    letters
	checkpoint checkpoint
	_          [64]byte
	wire       uint32 // the trip wire: tripAsk and so on; read by every Spawn and Wait
	_          [60]byte
	public     publicPart

	lastRun   uint64 // of which job objects may be left
	goroutine int64  // the number of its own; only Strict looks
}

// fiberState says where a fiber is; pool.mu guards it.
type fiberState uint8

const (
	fiberActive fiberState = iota // has a worker
	fiberParked                   // waits for a child that somebody else has
	fiberReady                    // could go on, waits for a worker
	fiberIdle                     // has no job and no worker
)

// The bits of the trip wire.
const (
	tripAsk    = 1 << iota // a thief found nothing: publish
	tripTick               // mark unfinished jobs
	tripMail               // something was withdrawn, or a value has arrived
	tripYield              // a ready fiber waits for a worker
	tripStrict             // every Spawn and Wait is slow, for ever
	tripDead               // a job on this stack is withdrawn; set and cleared by the owner
	tripIdle               // no job is on this stack; set and cleared by the owner
)

// trip sets bits of the wire; the fiber sees them at its next Spawn or Wait.
func (f *fiber) trip(bits uint32) {
	if atomic.LoadUint32(&f.wire)&bits != bits {
		atomic.OrUint32(&f.wire, bits)
	}
}

// ask asks a fiber for work. A parked one that could not publish all it has is woken for it.
func (f *fiber) ask() {
	f.trip(tripAsk)
	if f.pending.Load() && f.pool.isParked(f) {
		f.unpark()
	}
}

// mail tells the fiber to look at what was withdrawn, also when it is parked.
func (f *fiber) mail() {
	f.trip(tripMail)
	f.unpark()
}

// unpark makes the fiber ready if it is parked. One that is not parked will not park before
// it has looked again.
func (f *fiber) unpark() { f.pool.unpark(f) }

// worker is one core of the peer. The fiber that has it runs.
type worker struct {
	id    int
	fiber *fiber // that sleeps with it; the pool's mu guards this
	wake  chan struct{}
	since time.Time  // when its fiber began, or went on with, a run
	rand  *rand.Rand // whom to steal from
}

func newWorker(id int) *worker {
	return &worker{
		id: id, wake: make(chan struct{}, 1), rand: rand.New(rand.NewPCG(uint64(id), 0x5a71)),
	}
}

// enters and leaves count the time that a worker spends in a run.
func (w *worker) enters()       { w.since = time.Now() }
func (w *worker) leaves(r *run) { r.busy.Add(int64(time.Since(w.since))) }

// fiberList is all fibers that may have published something. Any goroutine may go through it;
// pool.mu guards its changes.
type fiberList struct{ list atomic.Pointer[[]*fiber] }

func (l *fiberList) all() []*fiber {
	if list := l.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (l *fiberList) add(f *fiber) {
	all := l.all()
	more := append(all[:len(all):len(all)], f)
	l.list.Store(&more)
}

func (l *fiberList) drop(f *fiber) {
	less := slices.DeleteFunc(slices.Clone(l.all()), func(x *fiber) bool { return x == f })
	l.list.Store(&less)
}

// trip sets bits of the wires of all of them.
func (l *fiberList) trip(bits uint32) {
	for _, f := range l.all() {
		f.trip(bits)
	}
}

// mail tells all of them to look at what was withdrawn.
func (l *fiberList) mail() {
	for _, f := range l.all() {
		f.mail()
	}
}

// parts are all finished children of the unfinished jobs in this process. Any goroutine may ask.
func (l *fiberList) parts() (all []runPart) {
	for _, f := range l.all() {
		all = append(all, f.checkpoint.parts()...)
	}
	return all
}
