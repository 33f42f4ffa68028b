package satin

import (
	"math"
	"sync/atomic"
	"time"
)

// Scope is what a running job sees of the run it belongs to, and where its children wait. It
// belongs to the goroutine that runs the job: do not keep it, do not hand it to another goroutine.
//
// A Scope is a fiber: a goroutine with a deque of its own. A worker runs one fiber at a time.
//
// The deque is one array that is also the stack of running jobs. A job keeps its slot while it runs
// in its parent's Wait, so the running slots, from the bottom up, are the chain of unfinished
// ancestors, and the slots between two running ones are the children of the lower. Only the owner
// touches the array; what thieves may take is made public.
type Scope struct {
	slots []slot
	top   int // first free slot

	// floor is the highest slot whose Wait must take the slow path. It is math.MaxInt while the
	// current job itself is special: every Wait of such a job is slow.
	floor int
	jobs  int64 // jobs started since the last count

	high    int        // every slot with a shared part, or tracked, is at or below high
	low     int        // every plain waiting slot is at or above low
	tracked []*tracked // what is known of special running jobs, by slot, ascending
	dead    int        // slot of the lowest withdrawn running job, or noSlot
	// orphans is the slot of the lowest of these that was told with salvage, or noSlot: what is
	// given up above is an orphan.
	orphans int
	frames  []*frame // jobs on this stack that came from another deque
	groups  []*group // the First calls in progress on this stack
	spare   []slot   // job objects of types that do not fit the slot they were in

	pool     *pool
	run      *run // nil while it has no job
	lastRun  uint64
	nextTick time.Time // earlier ticks are left out
	// of clock: without a worker or at work for others, less what others did for this fiber
	away   time.Duration
	worker *worker
	resume chan *worker // hands a worker to this fiber; nil ends it

	state    fiberState // guarded by pool.mu
	notified bool       // guarded by pool.mu: unparked while it was not parked
	// guarded by pool.mu: asked to give up its worker for another run
	displaced bool
	serves    atomic.Pointer[run] // run, for others to read
	pending   atomic.Bool         // parked with waiting jobs that publish has not made public

	letters    letters
	checkpoint checkpoint
	_          [64]byte
	wire       uint32 // the trip wire: tripAsk and so on; read by every Spawn and Wait
	_          [60]byte
	public     publicPart
}

// The bits of the trip wire.
const (
	tripAsk    = 1 << iota // a thief found nothing: publish
	tripTick               // mark unfinished jobs
	tripMail               // something was withdrawn, or a value has arrived
	tripYield              // a ready fiber waits for a worker
	tripStrict             // every Spawn and Wait is slow, for ever
	tripDead               // a job on this stack is withdrawn; set and cleared by the owner
)

const (
	noSlot   = math.MaxInt
	slotsMin = 64 // a fresh deque, small because fibers come and go
	// pending spawns of one fiber; beyond it the program spawns without bound
	slotsMax = 1 << 24
	// job objects kept aside; more types than that at one depth are not worth keeping
	sparesMax = 32
)

func newScope(p *pool) *Scope {
	s := &Scope{
		slots:   make([]slot, slotsMin),
		floor:   noIndex,
		high:    noIndex,
		dead:    noSlot,
		orphans: noSlot,
		pool:    p,
		resume:  make(chan *worker, 1),
	}
	if p.strict {
		s.wire = tripStrict
	}
	return s
}

// trip sets bits of the wire; the owner sees them at its next Spawn or Wait.
func (s *Scope) trip(bits uint32) {
	if atomic.LoadUint32(&s.wire)&bits != bits {
		atomic.OrUint32(&s.wire, bits)
	}
}

// serve does what the trip wire asks for, in the context of the running job.
func (s *Scope) serve() {
	s.attend()
	if atomic.LoadUint32(&s.wire)&tripYield != 0 {
		atomic.AndUint32(&s.wire, ^uint32(tripYield))
		s.yield()
	}
}

// attend does what the trip wire asks for, but keeps the worker: another fiber would find in its
// Local what the running job is working on.
func (s *Scope) attend() {
	const kept = tripDead | tripStrict | tripYield
	bits := atomic.LoadUint32(&s.wire)
	if bits&^kept == 0 {
		return
	}
	atomic.AndUint32(&s.wire, ^(bits &^ kept))
	if bits&tripMail != 0 {
		s.readMail()
	}
	if bits&tripTick != 0 {
		s.tick()
	}
	if bits&tripAsk != 0 {
		s.publish()
	}
}

// current is the slot of the running job.
func (s *Scope) current() int {
	for k := s.top - 1; k >= 0; k-- {
		if s.slots[k].head().word == running {
			return k
		}
	}
	panic("satin: BUG: no job is running in this scope")
}

// special tells whether the current job's every Wait takes the slow path.
func (s *Scope) special() bool { return s.floor == math.MaxInt }

// refloor sets the floor for the current job.
//
// Besides what is special it covers all below low: a plain return never lets the top sink below
// low, where publish would not look for the jobs that are spawned next. Each slot that was below
// low when a thief was answered so costs one slow return.
func (s *Scope) refloor(special bool) {
	s.floor = max(s.high, s.low-1)
	if special || s.dead != noSlot {
		s.floor = math.MaxInt
	}
}

// cut takes the slots from base up out of use.
func (s *Scope) cut(base int) {
	s.top = base
	s.low = min(s.low, base)
	s.high = min(s.high, base-1)
}
