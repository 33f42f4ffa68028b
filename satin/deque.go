package satin

import (
	"fmt"
	"math"
	"reflect"
)

// deque is what a fiber has spawned, and the stack of its running jobs, in one array. A job keeps
// its slot while it runs in its parent's Wait, so the running slots, from the bottom up, are the
// chain of unfinished ancestors, and the slots between two running ones are the children of the
// lower. Only its fiber touches it; what thieves may take is made public.
type deque struct {
	slots []slot
	top   int // first free slot

	// floor is the highest slot whose Wait must take the slow path. It is math.MaxInt while the
	// current job itself is special: every Wait of such a job is slow.
	floor int
	jobs  int64 // jobs spawned since the last count

	high int // every slot with a shared part, or tracked, is at or below high
	low  int // every plain waiting slot is at or above low
	dead int // slot of the lowest withdrawn running job, or noSlot
	// orphans is the slot of the lowest of these that was told with salvage, or noSlot: what is
	// given up above is an orphan.
	orphans int
	frames  []*frame // jobs on this stack that came from another deque
	spare   []slot   // job objects of types that do not fit the slot they were in
	groups  []*group // the First calls in progress on this stack
}

// group is a call of First in progress: its children are in slots from base up.
type group struct {
	base     int
	accepted func() bool
}

// frame is the slot of a job that runs on this stack and was spawned on another.
type frame struct {
	jobHeader
	of *shared
}

func (f *frame) head() *jobHeader                    { return &f.jobHeader }
func (f *frame) execute(s *Scope) result             { return f.of.job.execute(s) }
func (f *frame) refuse(err error) result             { return f.of.job.refuse(err) }
func (f *frame) fields() any                         { return f.of.job.fields() }
func (f *frame) types() (reflect.Type, reflect.Type) { return f.of.job.types() }
func (f *frame) decode(data []byte) (result, error)  { return f.of.job.decode(data) }
func (f *frame) load(fields []byte) error            { return f.of.job.load(fields) }
func (f *frame) renew() error                        { return f.of.job.renew() }
func (f *frame) twin() slot                          { return f.of.job.twin() }

const (
	noSlot   = math.MaxInt
	slotsMin = 64 // a fresh deque, small because fibers come and go
	// pending spawns of one fiber; beyond it the program spawns without bound
	slotsMax = 1 << 24
	// job objects kept aside; more types than that at one depth are not worth keeping
	sparesMax = 32
)

func newDeque() deque {
	return deque{
		slots: make([]slot, slotsMin), floor: noIndex, high: noIndex, dead: noSlot, orphans: noSlot,
	}
}

// current is the slot of the running job.
func (d *deque) current() int {
	for k := d.top - 1; k >= 0; k-- {
		if d.slots[k].head().word == running {
			return k
		}
	}
	panic("satin: BUG: no job is running in this scope")
}

// special tells whether the current job's every Wait takes the slow path.
func (d *deque) special() bool { return d.floor == math.MaxInt }

// refloor sets the floor for the current job.
//
// Besides what is special it covers all below low: a plain return never lets the top sink below
// low, where publish would not look for the jobs that are spawned next. Each slot that was below
// low when a thief was answered so costs one slow return.
func (d *deque) refloor(special bool) {
	d.floor = max(d.high, d.low-1)
	if special || d.dead != noSlot {
		d.floor = math.MaxInt
	}
}

// grow makes room for one more slot.
func (d *deque) grow() {
	if d.top < len(d.slots) {
		return
	}
	if d.top >= slotsMax {
		panic(fmt.Sprintf("satin: a job has more than %d pending spawns: wait for some before spawning more", slotsMax))
	}
	more := make([]slot, 2*len(d.slots))
	copy(more, d.slots)
	d.slots = more
}

// trim drops the job objects far above the top, and what their tasks hold on to.
func (d *deque) trim() {
	const slack = 1024
	if len(d.slots) <= 4*slack || d.top+slack > len(d.slots)/4 {
		return
	}
	less := make([]slot, len(d.slots)/2)
	copy(less, d.slots[:d.top])
	d.slots = less
}

// forget drops all job objects, of a fiber without a job: their fields may hold on to the root of
// the run that they were of.
func (d *deque) forget() {
	d.slots = make([]slot, slotsMin)
	clear(d.spare[:cap(d.spare)])
	d.spare = d.spare[:0]
	clear(d.frames[:cap(d.frames)])
}

// cut takes the slots from base up out of use.
func (d *deque) cut(base int) {
	d.top = base
	d.low = min(d.low, base)
	d.high = min(d.high, base-1)
}

// raise swaps the child in slot i with the one in the top slot, so that whatever is waited for is
// at the top. Both are children of the current job, whose order decides only what is stolen first.
func (d *deque) raise(i int) {
	last := d.top - 1
	if i == last {
		return
	}
	a, b := d.slots[i], d.slots[last]
	if b.head().word == running {
		panic(fmt.Sprintf("satin: a future of %s was waited for by a job that did not spawn it", typeName(a)))
	}
	d.slots[i], d.slots[last] = b, a
	a.head().index, b.head().index = last, i
	if a.head().sh != nil {
		d.high = max(d.high, last)
	}
	if b.head().sh == nil {
		d.low = min(d.low, i)
	}
}

// verifies tells whether the job in slot k descends from one that verifies a result.
func (d *deque) verifies(k int) bool {
	for n := len(d.frames) - 1; n >= 0; n-- {
		if f := d.frames[n]; f.index <= k {
			return f.of.verifies
		}
	}
	return false
}

// more tells whether waiting jobs are left that publish would make public.
func (d *deque) more() bool {
	for k := d.low; k < d.top; k++ {
		if d.isPrivate(k) {
			return true
		}
	}
	return false
}

// isPrivate tells whether a slot holds a job that waits, and that only its owner may start.
func (d *deque) isPrivate(k int) bool {
	h := d.slots[k].head()
	return h.word == waiting && (h.sh == nil || h.sh.private())
}
