package satin

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// outside is the control loop as the workers see it. Its methods are called by
// workers and return at once.
type outside interface {
	// Idle says that the number of workers without a job has changed.
	Idle()
	// Lacks says of which runs workers execute less than their part, though
	// nothing of them waits here.
	Lacks(all []*run)
	// Published says that jobs lie open while the loop wants some.
	Published()
	// Withdrawn says that a lent job is not wanted any more; orphaned, when what
	// is finished of it is.
	Withdrawn(ref steal.Ref, orphaned bool)
	// Salvaged gives out parts of jobs that were withdrawn with salvage.
	Salvaged(parts []runPart)
	// Told says that a job told a fact.
	Told(r *run, fact []byte)
	// Offered says that a better best is about to be put.
	Offered(r *run, best any)
	// Failed says why a run fails, everywhere.
	Failed(r *run, why error)
}

// nobody is outside of a peer that computes alone.
type nobody struct{}

func (nobody) Idle()                     {}
func (nobody) Lacks([]*run)              {}
func (nobody) Published()                {}
func (nobody) Withdrawn(steal.Ref, bool) {}
func (nobody) Salvaged([]runPart)        {}
func (nobody) Told(*run, []byte)         {}
func (nobody) Offered(*run, any)         {}
func (nobody) Failed(*run, error)        {}

// lentJob is a job at the moment it leaves the process.
type lentJob struct {
	Ref    steal.Ref
	Run    *run
	Key    steal.Key
	Task   string
	Fields []byte

	Verifies bool // see shared
	PassedOn bool // it came from another process itself
}

// argumentsMax bounds the encoded fields of one job that travels. What all jobs share
// belongs in the root.
const argumentsMax = 1 << 20

// ledger holds the jobs that the workers have lent.
type ledger struct {
	mu   sync.Mutex // protects what follows
	last steal.Ref
	lent map[steal.Ref]*shared
}

// lend takes up to n of the oldest jobs that wait in this process, for another one: of the run
// whose turn it is, or, when of is not nil, of the first of those that has some; not more than half
// of its jobs, and of no more than so many bytes beyond the first. When there is none, fibers are
// asked to publish, and the next that does so says Published. At the cap of fibers nothing is lent:
// whoever waits for it could not park.
func (p *pool) lend(n, bytes int, of []*run) []lentJob {
	if p.atCap() {
		return nil
	}
	var out []lentJob
	for _, r := range p.lenders(of) {
		for most := min(n, (p.waiting(r)+1)/2); len(out) < most && bytes >= 0; {
			h := p.takeOldest(r)
			if h == nil {
				break
			}
			r = h.run // where any would do, the first one settles it
			if x, ok := p.pack(h); ok {
				out = append(out, x)
				bytes -= len(x.Fields)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	for _, s := range *p.fibers.Load() {
		if of == nil || slices.Contains(of, s.serves.Load()) {
			s.ask()
		}
	}
	return nil
}

// lenders are the runs that may give jobs, the first rather than the last. The one
// nil run stands for any.
func (p *pool) lenders(of []*run) []*run {
	if of != nil {
		return of
	}
	if !p.many.Load() {
		return []*run{nil}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.turns.order)
}

// waiting is about how many jobs of a run, or of any, lie open to be taken.
func (p *pool) waiting(of *run) (n int) {
	p.mu.Lock()
	for _, h := range p.inbox {
		if of == nil || h.run == of {
			n++
		}
	}
	p.mu.Unlock()
	for _, s := range *p.fibers.Load() {
		if of == nil || s.public.of() == of {
			n += int(s.public.n.Load())
		}
	}
	return n
}

// takeOldest claims a job of a run, or of any, for another process: one that no worker has started,
// else the oldest of a public part.
func (p *pool) takeOldest(of *run) *shared {
	if h := p.takeQueued(of); h != nil {
		return h
	}
	for _, s := range *p.fibers.Load() {
		if h := s.public.lend(of); h != nil {
			return h
		}
	}
	return nil
}

// takeQueued claims the job that has waited longest for a worker. A root stays: its master watches
// over it. So does a job whose result is verified: the fields that it was spawned with are here. Of
// a run that has failed nothing is taken: nobody would say that it is not wanted.
func (p *pool) takeQueued(of *run) *shared {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, h := range p.inbox {
		if !h.isRoot && !h.stays && !h.run.isOver() && (of == nil || h.run == of) && h.lend() {
			p.inbox = slices.Delete(p.inbox, i, i+1)
			return h
		}
	}
	return nil
}

// pack encodes a job that was taken, and enters it in the ledger. A job that cannot travel fails
// its run: whether it is asked for must not decide what a run comes to.
func (p *pool) pack(h *shared) (x lentJob, ok bool) {
	key, err := h.keyOf()
	if x.Fields = h.unread; err == nil && x.Fields == nil {
		x.Fields, err = marshal(h.job.fields())
	}
	if err == nil && len(x.Fields) > argumentsMax {
		err = fmt.Errorf("they are %d bytes and %d may travel; put what jobs share into the root", len(x.Fields), argumentsMax)
	}
	if err != nil {
		h.run.failJob(h.job, fmt.Errorf("satin: the fields of a job of task %s cannot travel: %w", p.app.taskName(h.job), err))
		return x, false
	}
	p.loans.mu.Lock()
	p.loans.last++
	x.Ref = p.loans.last
	p.loans.lent[x.Ref] = h
	p.loans.mu.Unlock()
	if !h.setRef(x.Ref) {
		p.loans.drop(x.Ref) // withdrawn while it was packed
		return x, false
	}
	x.Run, x.Key, x.Task, x.Verifies, x.PassedOn = h.run, key, p.app.taskName(h.job), h.verifies, h.owner == nil
	return x, true
}

// settle ends a loan with a result. The error says that the result is not one of the job's type;
// then the loan goes on.
func (p *pool) settle(ref steal.Ref, value steal.Result) error {
	h := p.loans.get(ref)
	if h == nil {
		return nil // withdrawn meanwhile, or settled before
	}
	out, err := outcomeOf(h.job, value)
	if err != nil {
		return fmt.Errorf("satin: the result of task %s: %w", p.app.taskName(h.job), err)
	}
	key, err := h.keyOf()
	if err != nil {
		return err
	}
	if p.loans.drop(ref) == nil {
		return nil
	}
	if value.Choosing {
		h.run.choose()
	}
	h.fulfil(out, h.run.partFrom(key, value), nil)
	return nil
}

// putBack ends a loan without a result: the job is done here, again. When that is because of a
// loss, its cost is put down to that.
func (p *pool) putBack(ref steal.Ref, because workers.Loss) {
	h := p.loans.drop(ref)
	if h == nil {
		return
	}
	if because != nil {
		h.lostTo(because.Of(h.run.grid.no))
	}
	p.reopen(h)
}

// reopen lays a lent job where it can be taken again, in this process or outside: its workers may
// be busy for long, and others be waiting.
func (p *pool) reopen(h *shared) {
	switch {
	case !h.putBack():
	case h.owner == nil:
		p.submit(h)
	default:
		h.owner.public.pushFirst(h)
		p.wake(1)
		p.offerOutside()
	}
}

// borrow makes a job that came from another process. Its fields are read by the worker that
// begins it. ended is called by a worker, once, when it is done or withdrawn. The job starts
// when it is submitted.
func (p *pool) borrow(r *run, task string, fields []byte, ended func(*shared)) (*shared, error) {
	t, ok := p.app.byName[task]
	if !ok {
		return nil, fmt.Errorf("satin: this build has no task %q", task)
	}
	return &shared{job: t.make(), unread: fields, run: r, state: offered, ended: ended}, nil
}

// idleWorkers is how many workers have no job and found none.
func (p *pool) idleWorkers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asleep)
}

// recall tells the control loop that a lent job is not wanted any more, unless it was
// the loop that ended it.
func (p *pool) recall(h *shared) {
	h.mu.Lock()
	ref, orphan := h.ref, h.orphan
	h.mu.Unlock()
	if p.loans.drop(ref) != nil {
		p.outside.Withdrawn(ref, orphan)
	}
}

func (l *ledger) get(ref steal.Ref) *shared {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lent[ref]
}

func (l *ledger) drop(ref steal.Ref) *shared {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.lent[ref]
	delete(l.lent, ref)
	return h
}

// lend claims the oldest offered job for another process, if it is of that run, or of any.
func (f *publicPart) lend(of *run) *shared {
	if f.n.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.jobs) > 0 {
		h := f.jobs[0]
		if of != nil && h.run != of && h.open() {
			return nil
		}
		f.jobs[0] = nil
		f.jobs = f.jobs[1:]
		f.n.Store(int32(len(f.jobs)))
		if h.lend() {
			return h
		}
	}
	f.sweep()
	return nil
}

func (h *shared) lend() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state != offered {
		return false
	}
	h.state = lent
	return true
}

func (h *shared) setRef(ref steal.Ref) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ref, h.lentAt, h.begunAt = ref, time.Now(), time.Time{}
	return h.state == lent
}

// putBack makes a lent job one to be claimed again, and wakes its parent, who may do so.
func (h *shared) putBack() bool {
	h.mu.Lock()
	if h.state != lent {
		h.mu.Unlock()
		return false
	}
	h.state = offered
	waiter := h.waiter
	h.mu.Unlock()
	if waiter != nil {
		waiter.pool.unpark(waiter)
	}
	return true
}
