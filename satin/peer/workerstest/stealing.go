package workerstest

import (
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// The scripts of what is lent, comes back, and is withdrawn.

func stealAll(p *player) {
	j := Job{Seed: 3, Depth: 2, Wide: 4, Cost: brief, Leaf: middle}
	for range attempts { // workers may be faster than their loop
		if _, b := p.root(j); p.settleAll(b) > 0 {
			return
		}
		j.again()
	}
	panic(&Broken{RuleTaken, "no job is Taken of a tree of long ones"})
}

// settleAll takes jobs and brings their results until one has ended, and tells how many.
func (p *player) settleAll(b *borrow) (n int) {
	for by := p.bench.Now() + p.waits; !p.ask(func() bool { return b.ends > 0 }); {
		for _, x := range p.take(steal.WantJobs{N: 2, Bytes: 1 << 20}) {
			p.settle(x)
			n++
		}
		if p.bench.Now() > by {
			panic(&Broken{RuleSettled, "a job does not end of which all that is Taken is Settled"})
		}
	}
	return n
}

func putBackAll(p *player) {
	_, b, taken := p.outside(wide(4, 12, middle), 2)
	for _, x := range taken {
		p.order(peer.PutBack{Ref: x.ref})
	}
	for _, x := range p.take(steal.WantJobs{N: 1, Bytes: 1 << 20}) {
		p.settle(x)
	}
	p.until(RulePutBack, "the end of a job whose children were PutBack", func() bool { return b.ends > 0 })
}

func settledWithFailure(p *player) {
	_, b, taken := p.outside(wide(5, 6, middle), 2)
	for _, x := range taken {
		p.order(peer.Settle{Ref: x.ref, Result: steal.Result{Outcome: steal.Failed, Bytes: p.bench.Failure("elsewhere")}})
	}
	p.until(RuleSettled, "the end of a job whose child has failed", func() bool { return b.ends > 0 })
	if p.ask(func() bool { return b.by.Outcome != steal.Failed }) {
		panic(&Broken{RuleSettled, "a child's error is not its parent's"})
	}
}

func withdrawn(p *player) {
	_, b, taken := p.outside(wide(6, 6, middle), 2)
	p.order(peer.Withdraw{Borrow: b.no})
	for _, x := range taken {
		p.until(RuleAbandoned, "Abandoned of a child of a job that was withdrawn", func() bool { return x.state == abandoned })
	}
	p.withdrawnFor(b)
}

func withdrawnComputing(p *player) {
	r := p.anyRun()
	computing := p.busy(r, long)[0]
	waiting := p.queue(r, 1, brief)[0]
	p.order(peer.Withdraw{Borrow: computing.no}, peer.Withdraw{Borrow: waiting.no})
	p.until(RuleIdle, "Idle of all workers", func() bool { return p.model.idle == p.model.workers })
	if p.ask(func() bool { return computing.ends+waiting.ends > 0 }) {
		panic(&Broken{RuleFinished, "a job is Finished that was withdrawn long before it returned"})
	}
}

func partsAndSalvage(p *player) {
	r, b, taken := p.outside(wide(7, 6, middle), 2)
	p.pass(2 * p.bench.TickEvery())
	keeps, waits := taken[0].job.bare(), taken[1]
	p.settle(taken[0])
	if !p.gather()[keeps] {
		panic(&Broken{RuleComplete, "a child that was Settled while its parent waits for another is not among the parts"})
	}
	p.turn(func() []peer.Effect {
		p.model.gotten = nil
		return []peer.Effect{peer.Withdraw{Borrow: b.no, Salvage: true}}
	})
	p.until(RuleOneEnd, "Stopped of a job withdrawn with Salvage", func() bool { return b.ends > 0 })
	p.until(RuleAbandoned, "Abandoned of a child of a job withdrawn with Salvage", func() bool { return waits.state == abandoned })
	p.pass(moment)
	switch {
	case b.saved[keeps]:
	case p.parts()[keeps]:
		panic(&Broken{RuleFirst, "a part is Salvaged when its job was Stopped"})
	default:
		panic(&Broken{RuleComplete, "a part is not Salvaged"})
	}
	if len(p.gather()) > 0 {
		panic(&Broken{RuleParts, "there are parts, and no unfinished job"})
	}
	p.stop(r)
}

func salvagedEarly(p *player) {
	r := p.anyRun()
	p.busy(r, long)
	b := p.queue(r, 1, brief)[0]
	p.order(peer.Withdraw{Borrow: b.no, Salvage: true})
	p.until(RuleOneEnd, "Stopped of a job that was withdrawn with Salvage before it began", func() bool { return b.ends > 0 })
}

// salvagedLate has results come in the turn in which nobody waits for them any more: of an orphan's
// children, and of orphans that were lent on.
func salvagedLate(p *player) {
	_, b, taken := p.outside(wide(19, 6, middle), 2)
	p.pass(2 * p.bench.TickEvery())
	p.settledAndSalvaged(taken[1:], b) // which is not used: b waits for the first
	for range attempts {               // the worker may have done all of them
		r := p.anyRun()
		p.busy(r, 4*long)
		p.queue(r, 7, brief)
		taken = p.take(steal.WantJobs{N: 4, Bytes: 1 << 20})
		var orphans []*borrow
		for _, x := range taken {
			orphans = append(orphans, x.of)
		}
		if p.settledAndSalvaged(taken, orphans...); len(taken) > 0 {
			return
		}
	}
	panic(&Broken{RuleTaken, "no job is Taken that waits behind a long one"})
}

// settledAndSalvaged brings results, withdraws jobs with Salvage, and sees that each result was
// used or is Salvaged.
func (p *player) settledAndSalvaged(all []*loan, orphans ...*borrow) {
	p.turn(func() (effects []peer.Effect) {
		p.model.gotten = nil
		all = slices.DeleteFunc(all, func(x *loan) bool { return x.state != out })
		for _, x := range all {
			effects = append(effects, p.settles(x))
		}
		for _, b := range orphans {
			if b.ends == 0 {
				effects = append(effects, peer.Withdraw{Borrow: b.no, Salvage: true})
			}
		}
		return effects
	})
	for _, b := range orphans {
		p.until(RuleOneEnd, "the end of a job withdrawn with Salvage", func() bool { return b.ends > 0 })
	}
	for _, x := range all {
		p.until(RuleComplete, "a result that came while its job was withdrawn with Salvage", func() bool {
			used := slices.ContainsFunc(orphans, func(b *borrow) bool { return b.by.Bytes != nil && b.job.has(x.job) })
			return used || p.model.parts()[x.job.bare()]
		})
	}
}

func keysAndValues(p *player) {
	r, b, taken := p.outside(wide(8, 6, middle), 2)
	p.pass(2 * p.bench.TickEvery())
	p.order(peer.WantKeys{Run: r.no})
	p.until(RuleOnce, "Unfinished, which answers WantKeys", func() bool { return !r.wantKeys })
	root := p.bench.Key(r.instance, r.root)
	if p.ask(func() bool {
		for _, key := range p.model.keys {
			if key == root {
				return false
			}
		}
		return true
	}) {
		panic(&Broken{RuleKeys, "a job that waits for others, and that ticks have found, is not among the keys"})
	}
	first := taken[0]
	p.order(
		peer.Use{Run: r.no, Key: steal.KeyOf([]byte("nobody's")), Result: p.result(leaf(9, 0))},
		peer.Use{Run: r.no, Key: first.key, Result: p.result(first.job)},
	)
	p.until(RuleUsed, "Abandoned of a child whose value was found", func() bool { return first.state == abandoned })
	p.order(peer.Use{Run: r.no, Key: root, Result: p.result(r.root)})
	p.until(RuleUsed, "Finished of a job whose value was found", func() bool { return b.ends > 0 })
	p.until(RuleAbandoned, "Abandoned of what it waited for", func() bool { return taken[1].state == abandoned })
}

func verified(p *player) {
	j := Job{Seed: 11, Depth: 2, Wide: 4, Cost: brief, Leaf: middle}
	for n := range attempts {
		if p.verifies(j) {
			return
		}
		j.Seed += 1000
		if n%4 == 3 {
			j.Leaf *= 2 // on a busy machine it takes longer until somebody asks
		}
	}
	panic(&Broken{RuleTaken, "no part is Taken of a job that is executed to verify"})
}

// verifies has a job executed to verify one that is lent, and tells whether a part of it was Taken.
func (p *player) verifies(j Job) (taken bool) {
	r, b, lent := p.outside(j, 1)
	first := lent[0]
	e := p.executes(r, first.job)
	e.Ref, e.Verifies = first.ref, true
	p.settleAll(p.ordered(e))
	for _, x := range p.lentOf(r, first.job) {
		taken = taken || x != first
		if x != first && !x.verifies {
			panic(&Broken{RulePassedOn, "a part of a job that is executed to verify is Taken, and does not say so"})
		}
	}
	p.settle(first)
	p.finish(b)
	p.stop(r)
	return taken
}

// lentOf are the jobs at and below one that were Taken.
func (p *player) lentOf(r *run, j Job) (all []*loan) {
	p.ask(func() bool {
		all = slices.DeleteFunc(p.model.lent(), func(x *loan) bool { return x.run != r || !j.has(x.job) })
		return true
	})
	return all
}

func panicking(p *player) {
	j := Job{Seed: 12, Depth: 1, Wide: 3, Does: Blows, Cost: brief, Leaf: middle}
	r, b := p.root(j)
	p.until(RulePanicked, "Panicked", func() bool { return r.failed })
	later := p.execute(r, leaf(13, brief))
	p.until(RuleIdle, "Idle of all workers", func() bool { return p.model.idle == p.model.workers })
	p.pass(moment)
	if p.ask(func() bool { return b.ends+later.ends > 0 }) {
		panic(&Broken{RulePanicked, "a job is Finished of a run of which one has Panicked"})
	}
}

// panickingPassedOn has a job panic while others, which nobody had begun, are in the machine's
// hands.
func panickingPassedOn(p *player) {
	raises := leaf(18, long)
	raises.Does = Blows
	r := p.start(raises)
	for range p.model.workers {
		p.execute(r, raises)
		raises.Seed++
	}
	p.until(RuleIdle, "Idle of no worker", func() bool { return p.model.idle == 0 })
	p.queue(r, 4, brief)
	taken := p.take(steal.WantJobs{N: 2, Bytes: 1 << 20})
	p.until(RulePanicked, "Panicked", func() bool { return r.failed })
	for _, x := range taken {
		p.until(RuleAbandoned, "Abandoned of a job of a run that has Panicked", func() bool { return x.state == abandoned })
	}
	p.queue(r, 4, brief)
	if more := p.take(steal.WantJobs{N: 2, Bytes: 1 << 20}); len(more) > 0 {
		panic(&Broken{RulePanicked, "a job is Taken of a run of which one has Panicked"})
	}
}

func runEnds(p *player) {
	r, b, _ := p.outside(wide(14, 6, middle), 2)
	p.queue(r, 3*p.model.workers, long)
	p.stop(r)
	p.until(RuleEnded, "Idle of all workers", func() bool { return p.model.idle == p.model.workers })
	_, next := p.root(wide(15, 2, brief))
	p.finish(next)
	if p.ask(func() bool { return b.ends > 0 || r.late > p.model.workers }) {
		// each may have ended one meanwhile
		panic(&Broken{RuleEnded, "a job is Finished of a run that has ended"})
	}
}

func bests(p *player) {
	j := Job{Seed: 16, Depth: 3, Wide: 3, Does: Searches | Tells, Cost: brief, Leaf: brief}
	r := p.start(j)
	low, high := Result{leaf(1, 0), 1, 0}, Result{leaf(2, 0), 1 << 63, 0}
	for _, x := range []Result{low, high, low, high} {
		stamp := steal.StampOf(p.bench.Bytes(x))
		p.order(peer.Compare{Run: r.no, Best: stamp, From: Self})
		p.until(RuleOnce, "Compared, which answers Compare", func() bool { return r.comparing == nil })
		p.order(peer.Hear{Run: r.no, Fact: j.Fact()})
		if x == low {
			p.finish(p.execute(r, Job{Seed: 17, Depth: 2, Wide: 3, Does: j.Does, Cost: brief, Leaf: brief}))
		}
	}
	b := p.execute(r, j)
	p.settleAll(b)
	if !p.ask(func() bool { return p.model.covered["Offered"] > 0 && p.model.covered["Told"] > 0 }) {
		panic(&Broken{RuleOffered, "no best is Offered, or no fact Told, of jobs that have some"})
	}
}
