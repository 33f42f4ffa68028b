package satin

import (
	"fmt"
	"slices"
	"sync"

	"satingrid/steal"
)

// outside is the control loop as the workers see it. Its methods are called by workers, hold no locks of
// theirs, and return at once.
type outside interface {
	// Idle says that a worker has nothing to do.
	Idle()
	// Withdrawn says that a lent job is not wanted any more.
	Withdrawn(loan loanNumber)
}

// nobody is outside of a peer that computes alone.
type nobody struct{}

func (nobody) Idle()                {}
func (nobody) Withdrawn(loanNumber) {}

// loanNumber tells the lent jobs of a peer apart.
type loanNumber uint64

// lentJob is a job at the moment it leaves the process.
type lentJob struct {
	Loan   loanNumber
	Key    steal.Key
	Task   string
	Fields []byte
}

// ledger holds the jobs that the workers have lent.
type ledger struct {
	mu   sync.Mutex // protects what follows
	last loanNumber
	lent map[loanNumber]*shared
}

// lend takes up to n of the oldest published jobs of a run away from the workers, for another process. When
// there are fewer, every fiber is asked to publish, so that asking again soon finds some. A job whose fields
// cannot be encoded stays here. At the cap of fibers nothing is lent: whoever waits for it could not park.
func (p *pool) lend(r *run, n int) []lentJob {
	if p.atCap() {
		return nil
	}
	var out []lentJob
	for _, s := range *p.fibers.Load() {
		for len(out) < n {
			h := s.shelf.lend(r)
			if h == nil {
				break
			}
			if x, ok := p.pack(h); ok {
				out = append(out, x)
			}
		}
	}
	if len(out) < n {
		for _, s := range *p.fibers.Load() {
			s.ask()
		}
	}
	return out
}

// pack encodes a job that was taken from a shelf, and enters it in the ledger.
func (p *pool) pack(h *shared) (x lentJob, ok bool) {
	key, err := h.keyOf()
	if err == nil {
		x.Fields, err = marshal(h.job.fields())
	}
	if err != nil {
		h.putBack()
		p.submit(h)
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
	x.Key, x.Task = key, p.app.taskName(h.job)
	return x, true
}

// settle ends a loan with a result. The error says that the result is not one of the job's type; then the
// loan goes on.
func (p *pool) settle(loan loanNumber, data []byte, failure error) error {
	h := p.loans.get(loan)
	if h == nil {
		return nil // withdrawn meanwhile, or settled before
	}
	out := h.job.refuse(failure)
	if failure == nil {
		var err error
		if out, err = h.job.decode(data); err != nil {
			return fmt.Errorf("satin: the result of task %s: %w", p.app.taskName(h.job), err)
		}
	}
	if p.loans.drop(loan) != nil {
		h.fulfil(out, nil)
	}
	return nil
}

// putBack ends a loan without a result: the job is done here, again.
func (p *pool) putBack(loan loanNumber) {
	h := p.loans.drop(loan)
	if h == nil || !h.putBack() {
		return
	}
	h.owner.shelf.pushFirst(h) // for whoever asks next, in this process or outside
	p.wake(1)
}

// borrow runs a job from another process. ended gets its result, encoded, or its error; it is called by a
// worker, once, unless the job is withdrawn.
func (p *pool) borrow(r *run, task string, fields []byte, ended func(data []byte, failure error)) (*shared, error) {
	t, ok := p.app.byName[task]
	if !ok {
		return nil, fmt.Errorf("satin: this build has no task %q", task)
	}
	j, err := t.make(fields)
	if err != nil {
		return nil, fmt.Errorf("satin: the fields of task %s: %w", task, err)
	}
	h := &shared{job: j, run: r, state: offered}
	h.ended = func(h *shared) {
		out := h.outcome()
		if out == nil {
			return // withdrawn
		}
		if err := out.failure(); err != nil {
			ended(nil, err)
			return
		}
		ended(out.encode())
	}
	p.submit(h)
	return h, nil
}

// deliver gives a value to the unfinished jobs with a key, wherever they are in this process. What runs for
// them is withdrawn.
func (p *pool) deliver(key steal.Key, data []byte) {
	for _, s := range *p.fibers.Load() {
		if s.letters.put(letter{key, data}) {
			s.mail()
		}
	}
}

// recall tells the control loop that a lent job is not wanted any more, unless it was the loop that ended it.
func (p *pool) recall(h *shared) {
	h.mu.Lock()
	loan := h.loan
	h.mu.Unlock()
	if p.loans.drop(loan) != nil {
		p.outside.Withdrawn(loan)
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

// lend claims the shelf's oldest offered job of run r for another process.
func (f *shelf) lend(r *run) *shared {
	if f.n.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, h := range f.jobs {
		if h.run == r && h.lend() {
			f.jobs = slices.Delete(f.jobs, i, i+1)
			f.n.Store(int32(len(f.jobs)))
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
	h.loan = n
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
