package satin

import (
	"fmt"
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

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

// lend takes up to n of the oldest jobs of a run that wait in this process, for another one:
//
//   - at most half of its jobs;
//   - of no more than so many bytes beyond the first.
//
// Which run gives is what giver tells. At the cap of fibers nothing is lent: whoever waits for it
// could not park.
func (p *pool) lend(n, bytes int, r *run) (out []lentJob) {
	if p.atCap() {
		return nil
	}
	for most := min(n, (p.waiting(r)+1)/2); len(out) < most && bytes >= 0; {
		h := p.takeOldest(r)
		if h == nil {
			break
		}
		if x, ok := p.pack(h); ok {
			out = append(out, x)
			bytes -= len(x.Fields)
		}
	}
	return out
}

// giver is the run of which jobs are to be lent, except some: the one whose turn it is, or, when of
// is not nil, the first of those that has some. When there is none, fibers are asked to publish,
// and the next that does so says Published. None of the program's code is called.
func (p *pool) giver(of, but []*run) *run {
	if p.atCap() {
		return nil
	}
	isAny := of == nil
	if isAny {
		p.mu.Lock()
		of = slices.Clone(p.turns.order)
		p.mu.Unlock()
	}
	of = slices.DeleteFunc(slices.Clone(of), func(r *run) bool { return slices.Contains(but, r) })
	for _, r := range of {
		if p.mayGive(r) {
			return r
		}
	}
	for _, f := range p.fibers.all() {
		// one that serves none now may begin a job of any next
		if r := f.serves.Load(); isAny && !slices.Contains(but, r) || slices.Contains(of, r) {
			f.ask()
		}
	}
	return nil
}

// askForMany asks fibers to publish where half of what lies open is less than is wanted, and that
// is more than a request asks for where jobs last. It tells whether somebody was asked.
func (p *pool) askForMany(n int) (asked bool) {
	if n <= steal.JobsFar || p.waiting(nil) >= 2*n {
		return false
	}
	for _, f := range p.fibers.all() {
		if f.serves.Load() != nil {
			f.ask()
			asked = true
		}
	}
	return asked
}

// mayGive tells whether a job of a run lies open to be lent.
func (p *pool) mayGive(r *run) bool {
	p.mu.Lock()
	lies := p.backlog.mayLend(r)
	p.mu.Unlock()
	return lies || slices.ContainsFunc(p.fibers.all(), func(f *fiber) bool { return f.public.of() == r })
}

// waiting is about how many jobs of a run, or of any, lie open to be taken.
func (p *pool) waiting(of *run) int {
	p.mu.Lock()
	n := p.backlog.jobs(of)
	p.mu.Unlock()
	for _, f := range p.fibers.all() {
		if of == nil || f.public.of() == of {
			n += int(f.public.n.Load())
		}
	}
	return n
}

// takeOldest claims a job of a run for another process: one that no worker has started, else the
// oldest of a public part.
func (p *pool) takeOldest(r *run) *shared {
	p.mu.Lock()
	h := p.backlog.lend(r)
	p.mu.Unlock()
	if h != nil {
		return h
	}
	for _, f := range p.fibers.all() {
		if h := f.public.lend(r); h != nil {
			return h
		}
	}
	return nil
}

// pack encodes a job that was taken, and enters it in the ledger. A job that cannot travel fails
// its run: whether it is asked for must not decide what a run comes to.
func (p *pool) pack(h *shared) (x lentJob, ok bool) {
	key, err := h.keyOf()
	if x.Fields = h.unread; x.Fields == nil {
		x.Fields = h.packed
	}
	if err == nil && x.Fields == nil {
		x.Fields, err = marshal(h.job.fields())
	}
	if err == nil {
		err = argumentsFit(len(x.Fields))
	}
	if err != nil {
		h.run.unfit(h.job, "fields", err)
		return x, false
	}
	if x.Ref, ok = p.loans.enter(h); !ok {
		return x, false // withdrawn while it was packed
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

// salvageLate gives out a result that was not used because its job was withdrawn while it came, if
// that is an orphan's: who has returned it was told that it is here, and keeps it no longer.
func (p *pool) salvageLate(h *shared, value steal.Result) {
	if h.outcome() != nil || !h.isOrphan() {
		return
	}
	if key, ok := h.madeKey(); ok { // as whoever lent it has done
		if x := h.run.partFrom(key, value); x.result != nil {
			p.outside.Salvaged([]runPart{{h.run, x}})
		}
	}
}

// putBack ends a loan without a result: the job is done here, again. When that is because of a
// loss, its cost is put down to that. It lies where it can be taken again, in this process or
// outside: the workers here may be busy for long, and others be waiting.
func (p *pool) putBack(ref steal.Ref, because peer.LossNo) {
	h := p.loans.drop(ref)
	if h == nil {
		return
	}
	if because > 0 {
		h.lostTo(h.run.redone.of(because))
	}
	switch {
	case !h.putBack():
	case h.owner == nil:
		p.enqueue(h)
	default:
		h.owner.public.pushFirst(h)
		p.wake(1)
		p.offerOutside()
	}
}

// putBackPacked ends a loan that nobody waits for any more. When the job is lent after all it need
// not be packed again, which took long.
func (p *pool) putBackPacked(x lentJob) {
	if h := p.loans.get(x.Ref); h != nil {
		h.packed = x.Fields // nobody else has it
		p.putBack(x.Ref, 0)
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
