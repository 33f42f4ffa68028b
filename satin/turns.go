package satin

import (
	"slices"
	"sync/atomic"
	"time"

	"satingrid/steal"
)

// turnPeriod is how often a pool with several runs looks whether each has its part of the workers.
const turnPeriod = steal.FairSlice / 2

// turnMax bounds what one look puts down to who runs: a process that was stopped has
// not computed meanwhile.
const turnMax = 10 * turnPeriod

// turns is whose turn it is to have a worker, where a pool has several runs. Jobs are not cut: the
// choice is made where one begins, is taken or stolen, and a fiber that a run in arrears shall have
// the worker of parks at its next Spawn or Wait. pool.mu guards all.
type turns struct {
	backlog *backlog
	fibers  *fiberList
	many    atomic.Bool // there are several runs, which take turns

	fair    steal.Fair
	order   []*run // all runs; who is to be served first comes first, once sorted
	timer   *time.Timer
	armed   bool
	looked  time.Time
	round   uint64 // counts what was marked as waiting
	lacking []*run // as it was said last
}

// enter makes a run one of those that take turns.
func (t *turns) enter(r *run) {
	r.due.credit = t.fair.NewCredit(r.share)
	t.order = append(t.order, r)
	t.many.Store(len(t.order) > 1)
}

// arm sees to the next look, which puts down to the runs what passes from now on.
func (t *turns) arm(closed bool) {
	if closed || t.armed {
		return
	}
	t.armed = true
	t.looked = time.Now()
	t.timer.Reset(turnPeriod)
}

// leave forgets a run.
func (t *turns) leave(r *run) {
	t.fair.Want(r.due.credit, false, false)
	t.order = slices.DeleteFunc(t.order, func(o *run) bool { return o == r })
	t.many.Store(len(t.order) > 1)
}

// charge puts the time since the last look down to the runs that have workers now.
func (t *turns) charge() {
	now := time.Now()
	since := min(now.Sub(t.looked), turnMax)
	t.looked = now
	t.markWaiting()
	for _, r := range t.order {
		r.due.running = 0
	}
	for _, s := range t.fibers.all() {
		if r := s.serves.Load(); r != nil && s.state == fiberActive {
			r.due.running++
		}
	}
	for _, r := range t.order {
		t.fair.Want(r.due.credit, r.due.running > 0, t.isWaiting(r))
	}
	for _, r := range t.order {
		t.fair.Charge(r.due.credit, since*time.Duration(r.due.running))
	}
	t.fair.Settle()
	t.sortRuns()
}

// displace asks a fiber of the run that is furthest ahead to park for each run in arrears that
// something waits of. It returns the runs in arrears that nothing waits of, while others have
// workers.
func (t *turns) displace() (lacking []*run) {
	for _, r := range t.order {
		ahead := t.furthestAhead(r)
		switch {
		case ahead == nil:
		case t.isWaiting(r):
			if r.due.credit.Displaces(ahead.due.credit) && t.tripOne(ahead) {
				ahead.due.running--
			}
		case r.due.running == 0 || r.due.credit.Displaces(ahead.due.credit):
			t.askRun(r)
			lacking = append(lacking, r)
		}
	}
	return lacking
}

// furthestAhead is the run, beside another, that has workers and has had most of them.
func (t *turns) furthestAhead(than *run) *run {
	for _, r := range slices.Backward(t.order) {
		if r != than && r.due.running > 0 {
			return r
		}
	}
	return nil
}

// tripOne asks a running fiber of a run to give up its worker.
func (t *turns) tripOne(r *run) bool {
	for _, s := range t.fibers.all() {
		if s.state == fiberActive && s.serves.Load() == r && !s.displaced {
			s.displaced = true
			s.trip(tripYield)
			return true
		}
	}
	return false
}

// askRun asks the running fibers of a run to publish.
func (t *turns) askRun(r *run) {
	for _, s := range t.fibers.all() {
		if s.state == fiberActive && s.serves.Load() == r {
			s.trip(tripAsk)
		}
	}
}

// markWaiting marks the runs of which something waits for a worker: a ready fiber, a job that no
// worker has started, a published one.
func (t *turns) markWaiting() {
	t.round++
	for _, s := range t.backlog.ready {
		s.run.due.waits = t.round
	}
	for _, h := range t.backlog.inbox {
		if h.run.due.waits != t.round && h.open() {
			h.run.due.waits = t.round
		}
	}
	for _, s := range t.fibers.all() {
		if r := s.public.of(); r != nil {
			r.due.waits = t.round
		}
	}
}

// isWaiting tells whether the run was marked in this round.
func (t *turns) isWaiting(r *run) bool { return r.due.waits == t.round }

// sortRuns puts who is to be served first at the front. They are nearly in order.
func (t *turns) sortRuns() {
	all := t.order
	for i := 1; i < len(all); i++ {
		for k := i; k > 0 && all[k].due.credit.Before(all[k-1].due.credit); k-- {
			all[k], all[k-1] = all[k-1], all[k]
		}
	}
}

// next is the run whose turn it is, of those of which something waits; nil when there is none,
// or only one run.
func (t *turns) next() *run {
	if len(t.order) < 2 {
		return nil
	}
	t.markWaiting()
	for _, r := range t.order {
		if t.isWaiting(r) {
			return r
		}
	}
	return nil
}

// nextReady is the place of the ready fiber whose turn it is: one whose run has ended unwinds
// first, then they come by their runs' turns, and of one run the one that has been ready longest.
func (t *turns) nextReady() int {
	first := 0
	if len(t.order) < 2 {
		return first
	}
	for i, s := range t.backlog.ready {
		if s.run.isOver() {
			return i
		}
		if s.run.due.credit.Before(t.backlog.ready[first].run.due.credit) {
			first = i
		}
	}
	return first
}

// claimJob claims a job of a run for an idle fiber: one that no worker has started, else the oldest
// of a public part.
func (t *turns) claimJob(by *fiber, r *run) *shared {
	if h := t.backlog.claimOf(by, r); h != nil {
		return h
	}
	for _, victim := range t.fibers.all() {
		if victim != by && victim.public.of() == r {
			if h := victim.public.take(by); h != nil {
				return h // of another run, if the victim has just gone on to one
			}
		}
	}
	return nil
}
