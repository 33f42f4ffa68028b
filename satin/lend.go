package satin

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"satingrid/steal"
)

// outside is the control loop as the workers see it. Its methods are called by workers and return at once.
type outside interface {
	// Idle says that the number of workers without a job has changed.
	Idle()
	// Published says that jobs lie open while the loop wants some.
	Published()
	// Withdrawn says that a lent job is not wanted any more; orphaned, when what is finished of it is.
	Withdrawn(loan loanNumber, orphaned bool)
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

func (nobody) Idle()                      {}
func (nobody) Published()                 {}
func (nobody) Withdrawn(loanNumber, bool) {}
func (nobody) Salvaged([]runPart)         {}
func (nobody) Told(*run, []byte)          {}
func (nobody) Offered(*run, any)          {}
func (nobody) Failed(*run, error)         {}

// loanNumber tells the lent jobs of a peer apart.
type loanNumber uint64

// lentJob is a job at the moment it leaves the process.
type lentJob struct {
	Loan   loanNumber
	Run    *run
	Key    steal.Key
	Task   string
	Fields []byte
}

// argumentsMax bounds the encoded fields of one job that travels. What all jobs share belongs in the root.
const argumentsMax = 1 << 20

// ledger holds the jobs that the workers have lent.
type ledger struct {
	mu   sync.Mutex // protects what follows
	last loanNumber
	lent map[loanNumber]*shared
}

// lend takes up to n of the oldest jobs that wait in this process, for another one: not more than half of
// them, and of no more than so many bytes beyond the first. When there is none, every fiber is asked to
// publish, and the next that does so says Published. At the cap of fibers nothing is lent: whoever waits for
// it could not park.
func (p *pool) lend(n, bytes int) []lentJob {
	if p.atCap() {
		return nil
	}
	n = min(n, (p.waiting()+1)/2)
	var out []lentJob
	for len(out) < n && bytes >= 0 {
		h := p.takeOldest()
		if h == nil {
			break
		}
		if x, ok := p.pack(h); ok {
			out = append(out, x)
			bytes -= len(x.Fields)
		}
	}
	if len(out) == 0 {
		for _, s := range *p.fibers.Load() {
			s.ask()
		}
	}
	return out
}

// waiting is about how many jobs lie open to be taken.
func (p *pool) waiting() int {
	p.mu.Lock()
	n := len(p.inbox)
	p.mu.Unlock()
	for _, s := range *p.fibers.Load() {
		n += int(s.shelf.n.Load())
	}
	return n
}

// takeOldest claims a job for another process: one that no worker has started, else the oldest of a shelf.
func (p *pool) takeOldest() *shared {
	if h := p.takeQueued(); h != nil {
		return h
	}
	for _, s := range *p.fibers.Load() {
		if h := s.shelf.lend(); h != nil {
			return h
		}
	}
	return nil
}

// takeQueued claims the job that has waited longest for a worker. A root stays: its master watches over it.
func (p *pool) takeQueued() *shared {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, h := range p.inbox {
		if !h.isRoot && h.lend() {
			p.inbox = slices.Delete(p.inbox, i, i+1)
			return h
		}
	}
	return nil
}

// pack encodes a job that was taken, and enters it in the ledger. A job that cannot travel fails its run:
// whether it is asked for must not decide what a run comes to.
func (p *pool) pack(h *shared) (x lentJob, ok bool) {
	key, err := h.keyOf()
	if err == nil {
		x.Fields, err = marshal(h.job.fields())
	}
	if err == nil && len(x.Fields) > argumentsMax {
		err = fmt.Errorf("they are %d bytes and %d may travel; put what jobs share into the root", len(x.Fields), argumentsMax)
	}
	if err != nil {
		h.run.failWith(fmt.Errorf("satin: the fields of a job of task %s cannot travel: %w", p.app.taskName(h.job), err))
		return x, false
	}
	p.loans.mu.Lock()
	p.loans.last++
	x.Loan = p.loans.last
	p.loans.lent[x.Loan] = h
	p.loans.mu.Unlock()
	if !h.setLoan(x.Loan) {
		p.loans.drop(x.Loan) // withdrawn while it was packed
		return x, false
	}
	x.Run, x.Key, x.Task = h.run, key, p.app.taskName(h.job)
	return x, true
}

// settle ends a loan with a result. The error says that the result is not one of the job's type; then the
// loan goes on.
func (p *pool) settle(loan loanNumber, value steal.Result) error {
	h := p.loans.get(loan)
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
	if p.loans.drop(loan) == nil {
		return nil
	}
	if value.Choosing {
		h.run.choose()
	}
	h.fulfil(out, h.run.partFrom(key, value), nil)
	return nil
}

// putBack ends a loan without a result: the job is done here, again. When that is because of a loss, its cost is
// put down to that.
func (p *pool) putBack(loan loanNumber, because *redone) {
	h := p.loans.drop(loan)
	if h == nil {
		return
	}
	if because != nil {
		because.add(h.lostTo(because))
	}
	p.reopen(h)
}

// lostTo notes the loss because of which a job is done again, and tells how long the lost peer had it.
func (h *shared) lostTo(because *redone) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	gone := time.Since(h.lentAt)
	h.again = &repeat{loss: because, done: math.Float64frombits(h.progress.Load()), gone: gone}
	h.progress.Store(0)
	return gone
}

// reopen lays a lent job where it can be taken again, in this process or outside: its workers may be busy for long, and others be waiting.
func (p *pool) reopen(h *shared) {
	switch {
	case !h.putBack():
	case h.owner == nil:
		p.submit(h)
	default:
		h.owner.shelf.pushFirst(h)
		p.wake(1)
		p.offerOutside()
	}
}

// borrow makes a job that came from another process. ended is called by a worker, once, when it is done or
// withdrawn. The job starts when it is submitted.
func (p *pool) borrow(r *run, task string, fields []byte, ended func(*shared)) (*shared, error) {
	t, ok := p.app.byName[task]
	if !ok {
		return nil, fmt.Errorf("satin: this build has no task %q", task)
	}
	j, err := t.make(fields)
	if err != nil {
		return nil, fmt.Errorf("satin: the fields of task %s: %w", task, err)
	}
	return &shared{job: j, run: r, state: offered, ended: ended}, nil
}

// idleWorkers is how many workers have no job and found none.
func (p *pool) idleWorkers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asleep)
}

// recall tells the control loop that a lent job is not wanted any more, unless it was the loop that ended it.
func (p *pool) recall(h *shared) {
	h.mu.Lock()
	loan, orphan := h.loan, h.orphan
	h.mu.Unlock()
	if p.loans.drop(loan) != nil {
		p.outside.Withdrawn(loan, orphan)
	}
}

func (l *ledger) get(loan loanNumber) *shared {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lent[loan]
}

func (l *ledger) drop(loan loanNumber) *shared {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.lent[loan]
	delete(l.lent, loan)
	return h
}

// lend claims the shelf's oldest offered job for another process.
func (f *shelf) lend() *shared {
	if f.n.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.jobs) > 0 {
		h := f.jobs[0]
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

func (h *shared) setLoan(n loanNumber) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.loan, h.lentAt = n, time.Now()
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
