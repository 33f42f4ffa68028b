package satin

import (
	"slices"
	"time"

	"satingrid/satin/peer"
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
	fair    steal.Fair
	order   []*run // all runs; who is to be served first comes first, once sorted
	timer   *time.Timer
	armed   bool
	looked  time.Time
	round   uint64 // counts what was marked as waiting
	lacking []*run // as it was said last
}

// due is what a run's turns depend on. pool.mu guards it.
type due struct {
	claim   *steal.Claim
	waits   uint64 // the round in which something of it waited for a worker
	running int    // workers, at the last look
}

// enterTurns makes a run one of those that take turns. The caller holds p.mu.
func (p *pool) enterTurns(r *run) {
	t := &p.turns
	r.due.claim = t.fair.NewClaim(r.share)
	t.order = append(t.order, r)
	p.many.Store(len(t.order) > 1)
	if len(t.order) == 2 {
		t.looked = time.Now()
	}
	p.armTurns()
}

// leaveTurns forgets a run. The caller holds p.mu.
func (p *pool) leaveTurns(r *run) {
	t := &p.turns
	t.fair.Want(r.due.claim, false)
	t.order = slices.DeleteFunc(t.order, func(o *run) bool { return o == r })
	p.many.Store(len(t.order) > 1)
}

// armTurns sees to the next look. The caller holds p.mu.
func (p *pool) armTurns() {
	if t := &p.turns; !p.closed && !t.armed && p.workers > 0 && (len(t.order) > 1 || len(t.lacking) > 0) {
		t.armed = true
		t.timer.Reset(turnPeriod)
	}
}

// setShare changes a run's share of the workers.
func (p *pool) setShare(r *run, share uint16) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.share = share
	p.turns.fair.Share(r.due.claim, share)
}

// takeTurns looks whether each run has its part of the workers, and sees to it: it asks fibers of
// those that are ahead to park, those of runs in arrears to publish, and the control loop to ask
// other peers where nothing waits here.
func (p *pool) takeTurns() {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := &p.turns
	t.armed = false
	if p.closed {
		return
	}
	var lacking []*run
	if len(t.order) > 1 {
		p.charge()
		lacking = p.displace()
	}
	if !slices.Equal(lacking, t.lacking) {
		t.lacking = lacking
		p.outside.Lacks(lacking) // here, so that the next look's word cannot overtake it
	}
	p.armTurns()
}

// charge puts the time since the last look down to the runs that have workers now.
// The caller holds p.mu.
func (p *pool) charge() {
	t := &p.turns
	now := time.Now()
	since := min(now.Sub(t.looked), turnMax)
	t.looked = now
	p.markWaiting()
	for _, r := range t.order {
		r.due.running = 0
	}
	for _, s := range *p.fibers.Load() {
		if r := s.serves.Load(); r != nil && s.state == fiberActive {
			r.due.running++
		}
	}
	for _, r := range t.order {
		t.fair.Want(r.due.claim, r.due.running > 0 || p.isWaiting(r))
	}
	for _, r := range t.order {
		t.fair.Charge(r.due.claim, since*time.Duration(r.due.running))
		t.fair.Settle(r.due.claim)
	}
	p.sortRuns()
}

// displace asks a fiber of the run that is furthest ahead to park for each run in arrears that
// something waits of. It returns the runs in arrears that nothing waits of, while others have
// workers. Where a worker sleeps there is nothing to be shared out. The caller holds p.mu.
func (p *pool) displace() (lacking []*run) {
	t := &p.turns
	if len(p.asleep) > 0 {
		return nil
	}
	for _, r := range t.order {
		ahead := p.furthestAhead(r)
		switch {
		case ahead == nil:
		case p.isWaiting(r):
			if r.due.claim.Displaces(ahead.due.claim) && p.tripOne(ahead) {
				ahead.due.running--
			}
		case r.due.running == 0 || r.due.claim.Displaces(ahead.due.claim):
			p.askRun(r)
			if len(lacking) < steal.LacksMax {
				lacking = append(lacking, r)
			}
		}
	}
	return lacking
}

// furthestAhead is the run, beside another, that has workers and has had most of them.
// The caller holds p.mu.
func (p *pool) furthestAhead(than *run) *run {
	for _, r := range slices.Backward(p.turns.order) {
		if r != than && r.due.running > 0 {
			return r
		}
	}
	return nil
}

// tripOne asks a running fiber of a run to give up its worker. The caller holds p.mu.
func (p *pool) tripOne(r *run) bool {
	for _, s := range *p.fibers.Load() {
		if s.state == fiberActive && s.serves.Load() == r && !s.displaced {
			s.displaced = true
			s.trip(tripYield)
			return true
		}
	}
	return false
}

// askRun asks the running fibers of a run to publish. The caller holds p.mu.
func (p *pool) askRun(r *run) {
	for _, s := range *p.fibers.Load() {
		if s.state == fiberActive && s.serves.Load() == r {
			s.trip(tripAsk)
		}
	}
}

// markWaiting marks the runs of which something waits for a worker: a ready fiber, a job that no
// worker has started, a published one. The caller holds p.mu.
func (p *pool) markWaiting() {
	t := &p.turns
	t.round++
	for _, s := range p.ready {
		s.run.due.waits = t.round
	}
	for _, h := range p.inbox {
		if h.run.due.waits != t.round && h.open() {
			h.run.due.waits = t.round
		}
	}
	for _, s := range *p.fibers.Load() {
		if r := s.public.of(); r != nil {
			r.due.waits = t.round
		}
	}
}

// isWaiting tells whether the run was marked in this round. The caller holds p.mu.
func (p *pool) isWaiting(r *run) bool { return r.due.waits == p.turns.round }

// sortRuns puts who is to be served first at the front. They are nearly in order.
// The caller holds p.mu.
func (p *pool) sortRuns() {
	all := p.turns.order
	for i := 1; i < len(all); i++ {
		for k := i; k > 0 && all[k].due.claim.Before(all[k-1].due.claim); k-- {
			all[k], all[k-1] = all[k-1], all[k]
		}
	}
}

// nextRun is the run whose turn it is, of those of which something waits; nil when there is none,
// or only one run. The caller holds p.mu.
func (p *pool) nextRun() *run {
	if len(p.turns.order) < 2 {
		return nil
	}
	p.markWaiting()
	for _, r := range p.turns.order {
		if p.isWaiting(r) {
			return r
		}
	}
	return nil
}

// nextReady is the place of the ready fiber whose turn it is: one whose run has ended unwinds
// first, then they come by their runs' turns, and of one run the one that has been ready longest.
// The caller holds p.mu.
func (p *pool) nextReady() int {
	first := 0
	if len(p.turns.order) < 2 {
		return first
	}
	for i, s := range p.ready {
		if s.run.isOver() {
			return i
		}
		if s.run.due.claim.Before(p.ready[first].run.due.claim) {
			first = i
		}
	}
	return first
}

// readyOf is the place of the longest ready fiber of a run, or below 0. The caller holds p.mu.
func (p *pool) readyOf(r *run) int {
	return slices.IndexFunc(p.ready, func(s *Scope) bool { return s.run == r })
}

// claimOf claims a job of a run for an idle fiber: one that no worker has started, else the oldest
// of a public part. The caller holds p.mu.
func (p *pool) claimOf(s *Scope, r *run) *shared {
	for i, h := range p.inbox {
		if h.run == r && h.claim(s) {
			p.inbox = slices.Delete(p.inbox, i, i+1)
			return h
		}
	}
	for _, victim := range *p.fibers.Load() {
		if victim != s && victim.public.of() == r {
			if h := victim.public.take(s); h != nil {
				return h // of another run, if the victim has just gone on to one
			}
		}
	}
	return nil
}

// displacing is who gets the worker of the running fiber s, which was asked to give it up: a fiber
// of the run whose turn it is, one that will find a job of that run, or else one that has waited
// long in its own; nil when s should go on. The caller holds p.mu.
func (p *pool) displacing(s *Scope) *Scope {
	s.displaced = false
	if len(p.turns.order) < 2 {
		if len(p.ready) == 0 {
			return nil
		}
		return p.popReady()
	}
	r := p.nextRun()
	switch {
	case len(p.ready) > 0 && p.ready[p.nextReady()].run.isOver():
		return p.popReady()
	case r == nil:
		return nil
	case r != s.run && r.due.claim.Before(s.run.due.claim):
		if at := p.readyOf(r); at >= 0 {
			return p.popAt(at)
		}
		return p.spareFiber()
	}
	if at := p.readyOf(s.run); at >= 0 {
		return p.popAt(at)
	}
	return nil
}

// lackedBy are the numbers of runs as the machine knows them.
func lackedBy(all []*run) []peer.RunNo {
	var out []peer.RunNo
	for _, r := range all {
		if r.grid != nil {
			out = append(out, r.grid.no)
		}
	}
	return out
}
