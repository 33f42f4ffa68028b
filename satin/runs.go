package satin

import (
	"context"
	"slices"
	"sync"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// newRun makes a run whose root is the job j; nothing of it starts yet.
func (p *pool) newRun(ctx context.Context, j slot) (*run, error) {
	_, yields := j.types()
	r := &run{
		id:        runIDs.Add(1),
		resultMax: resultMaxDefault,
		share:     peer.ShareDefault,
		began:     time.Now(),
		pool:      p,
		fields:    j.fields(),
		yields:    yields,
		locals:    make([]values, p.workers),
		done:      make(chan struct{}),
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.key = sync.OnceValues(func() (steal.Key, error) { return p.app.runKey(p.app.taskName(j), r.fields) })
	r.seed = sync.OnceValues(func() (steal.Key, error) { return keyOfTask(steal.Key{}, typeName(j), r.fields) })
	r.root = &shared{job: j, run: r, state: offered, isRoot: true, ended: r.rootEnded}
	if err := p.addRun(r); err != nil {
		r.cancel(err)
		return nil, err
	}
	context.AfterFunc(r.ctx, func() { r.fail(context.Cause(r.ctx)) })
	return r, nil
}

// addRun makes the run one of the pool's, and starts the ticks with the first.
func (p *pool) addRun(r *run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	p.runs[r] = struct{}{}
	p.turns.enter(r)
	p.armTurns()
	if len(p.runs) == 1 {
		p.ticking = make(chan struct{})
		p.ended.Add(1)
		go p.ticks(p.ticking)
	}
	return nil
}

// dropRun forgets the run, and stops the ticks with the last.
func (p *pool) dropRun(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.runs[r]; !ok {
		return
	}
	delete(p.runs, r)
	p.turns.leave(r)
	if len(p.runs) == 0 {
		close(p.ticking)
	}
	for _, w := range p.asleep {
		p.forgetEnded(w.fiber)
	}
	for _, f := range p.idle {
		p.forgetEnded(f)
	}
}

// forgetEnded has a fiber without a job, which sleeps until p.mu is free, let go of the jobs of a
// run that is over: their fields may hold on to the root. The caller holds p.mu.
func (p *pool) forgetEnded(f *fiber) {
	if f.lastRun == 0 {
		return
	}
	for r := range p.runs {
		if r.id == f.lastRun {
			return
		}
	}
	f.lastRun = 0
	f.stack.forget()
}

// armTurns sees to the next look, while there is something to be shared out: where all workers
// sleep, whoever wakes one comes here again. A run whose answer is kept is there for a day. The
// caller holds p.mu.
func (p *pool) armTurns() {
	t := &p.turns
	if several := len(t.order) > 1 && len(p.asleep) < p.workers; several || len(t.lacking) > 0 {
		t.arm(p.closed)
	}
}

// setShare changes a run's share of the workers.
func (p *pool) setShare(r *run, share uint16) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.share = share
	p.turns.fair.Share(r.due.credit, share)
}

// takeTurns looks whether each run has its part of the workers, and sees to it. It asks
//
//   - fibers of the runs that are ahead to park;
//   - fibers of the runs in arrears to publish;
//   - the control loop to ask other peers, where nothing waits here.
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
		t.charge()
		if len(p.asleep) == 0 { // else there is nothing to be shared out
			lacking = t.displace()
		}
	}
	if !slices.Equal(lacking, t.lacking) {
		t.lacking = lacking
		p.outside.Lacks(lacking) // here, so that the next look's word cannot overtake it
	}
	p.armTurns()
}

// displacing is who gets the worker of the running fiber f, which was asked to give it up:
//
//   - a fiber of the run whose turn it is, or one that will find a job of that run;
//   - else one that has waited long in f's own run;
//   - nil when f should go on.
//
// The caller holds p.mu.
func (p *pool) displacing(f *fiber) *fiber {
	f.displaced = false
	if len(p.turns.order) < 2 {
		if len(p.ready) == 0 {
			return nil
		}
		return p.popReady()
	}
	r := p.turns.next()
	switch {
	case len(p.ready) > 0 && p.ready[p.turns.nextReady()].run.isOver():
		return p.popReady()
	case r == nil:
		return nil
	case r != f.run && r.due.credit.Before(f.run.due.credit):
		if at := p.readyOf(r); at >= 0 {
			return p.pop(at)
		}
		return p.spareFiber()
	}
	if at := p.readyOf(f.run); at >= 0 {
		return p.pop(at)
	}
	return nil
}
