package workerstest

import (
	"fmt"
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// The scripts of what the workers are asked, for others to be told.

// told asks for what is told of a run, in a turn of the loop.
func (p *player) told(no peer.RunNo) (at workers.Run) {
	p.ask(func() bool { at = p.bench.Plane().Run(no); return true })
	return at
}

func runsAreTold(p *player) {
	r := p.anyRun()
	at := p.told(r.no)
	switch {
	case at == nil:
		panic(&Broken{RuleRun, "a run is on, and nothing is told of it"})
	case at.Task() != p.bench.Task():
		panic(&Broken{RuleRun, fmt.Sprintf("a run's task is %q, and not its root's", at.Task())})
	case at.Best() != nil || len(at.Redone()) > 0:
		panic(&Broken{RuleRun, "a run that has just begun has a best, or was done again"})
	case p.told(r.no+1) != nil:
		panic(&Broken{RuleRun, "something is told of a run that never was"})
	}
	p.stop(r)
	if p.told(r.no) != nil {
		panic(&Broken{RuleRun, "something is told of a run that has ended"})
	}
}

func workIsCounted(p *player) {
	began := p.bench.Now()
	r := p.start(Job{Seed: 21, Depth: 4, Wide: 2, Cost: brief, Leaf: brief})
	if c := p.counts(r); c != (workers.Performed{}) {
		panic(&Broken{RuleCounts, fmt.Sprintf("a run of which nothing was begun has %+v", c)})
	}
	p.finish(p.execute(r, r.root))
	jobs, least := int64(-1), time.Duration(0) // the root was spawned by nobody
	r.root.below(func(j Job) { jobs, least = jobs+1, least+j.Computes() })
	p.until(RuleCounts, fmt.Sprintf("a count of all %d jobs that were spawned", jobs), func() bool { return p.now(r).Counts().Jobs == jobs })
	p.until(RuleCounts, fmt.Sprintf("a count of %v", least), func() bool { return p.now(r).Counts().Busy >= least })
	c := p.counts(r)
	if most := time.Duration(p.model.workers) * (p.bench.Now() - began); c.Busy > most || c.Aborted > 0 || c.Jobs > jobs {
		panic(&Broken{RuleCounts, fmt.Sprintf("%d jobs, of which none was given up, in %v at most, are %+v", jobs, most, c)})
	}
}

// now is what is told of a run that is on. It is asked in a turn.
func (p *player) now(r *run) workers.Run { return p.bench.Plane().Run(r.no) }

func (p *player) counts(r *run) (c workers.Performed) {
	p.ask(func() bool { c = p.now(r).Counts(); return true })
	return c
}

// shares are the jobs that somebody is said to have begun.
func (p *player) shares() (all []peer.Begun) {
	p.ask(func() bool {
		p.bench.Plane().Shares(func(b steal.Borrow, done float64) {
			all = append(all, peer.Begun{Borrow: b, Done: done})
		})
		return true
	})
	return all
}

func whatIsBegunIsTold(p *player) {
	r := p.anyRun()
	begun := p.busy(r, 4*long)
	waits := p.queue(r, 3, brief)
	p.executing(len(begun) + len(waits))
	for _, b := range begun {
		has := false
		p.until(RuleShares, fmt.Sprintf("a share of %d, which somebody has begun", b.no), func() bool {
			p.bench.Plane().Shares(func(no steal.Borrow, _ float64) { has = has || no == b.no })
			return has || b.ends > 0
		})
		if !has {
			panic(&Broken{RuleShares, fmt.Sprintf("%d has ended, and was never said to be begun", b.no)})
		}
	}
	for _, x := range p.shares() {
		switch {
		case x.Done < 0 || x.Done >= 1:
			panic(&Broken{RuleShares, fmt.Sprintf("%d is done to %v", x.Borrow, x.Done)})
		case slices.ContainsFunc(waits, func(b *borrow) bool { return b.no == x.Borrow }) && p.isBusy(begun):
			panic(&Broken{RuleShares, fmt.Sprintf("%d is said to be begun, and all workers have others", x.Borrow)})
		}
	}
	for _, b := range append(begun, waits...) {
		p.finish(b)
	}
	p.executing(0)
	if all := p.shares(); len(all) > 0 {
		panic(&Broken{RuleShares, fmt.Sprintf("all have ended, and %v are said to be under way", all)})
	}
}

// isBusy tells whether none of these jobs has ended.
func (p *player) isBusy(all []*borrow) bool {
	return p.ask(func() bool { return !slices.ContainsFunc(all, func(b *borrow) bool { return b.ends > 0 }) })
}

// executing sees how many jobs the workers say that they have.
func (p *player) executing(want int) {
	got, ended := 0, 0
	p.ask(func() bool {
		for no := steal.Borrow(1); no <= p.borrow; no++ {
			ended += min(p.model.borrows[no].ends, 1)
		}
		got = p.bench.Plane().Executing()
		return true
	})
	if want = max(0, min(want, int(p.borrow)-ended)); got != want {
		panic(&Broken{RuleExecuting, fmt.Sprintf("the workers have %d jobs, and say %d", want, got)})
	}
}

// lostAfter is longer than what a thief may have worked on a job of which it has told nothing.
const lostAfter = 2 * peer.ProgressEvery

func lossesAreCharged(p *player) {
	r, b, taken := p.outside(wide(22, 6, middle), 2)
	lost, late := taken[0], taken[1]
	p.ask(func() bool { p.bench.Plane().Progressed(lost.ref, 0.5); return true })
	p.pass(lostAfter)
	p.order(peer.PutBack{Ref: lost.ref, Loss: 7}, peer.PutBack{Ref: late.ref})
	// what comes late is ignored
	p.ask(func() bool { p.bench.Plane().Progressed(lost.ref, 0.9); return true })
	for _, x := range taken[2:] {
		p.settle(x)
	}
	p.finish(b)
	p.until(RuleRedone, "what the loss has made the workers do again", func() bool {
		all := p.now(r).Redone()
		return len(all) == 1 && all[0].Loss == 7 && all[0].Spent > 0
	})
	x, c := p.told(r.no).Redone()[0], p.counts(r)
	switch {
	case x.Longest <= peer.ProgressEvery:
		panic(&Broken{RuleRedone, fmt.Sprintf("%v were worked on a job of which its thief told %v ago that it was begun", x.Longest, lostAfter)})
	case x.Spent > c.Busy:
		panic(&Broken{RuleRedone, fmt.Sprintf("%v were done again, and %v in all", x.Spent, c.Busy)})
	}
}

func sharesDivide(p *player) {
	r, s := p.anyRun(), p.start(leaf(2, brief))
	p.busy(r, long)
	p.order(peer.ShareIs{Run: r.no, Share: 90}, peer.ShareIs{Run: s.no, Share: 10})
	const each = 24
	var many, few []*borrow
	for n := range uint64(each) {
		many = append(many, p.execute(r, leaf(200+n, middle)))
		few = append(few, p.execute(s, leaf(300+n, middle)))
	}
	ended := func(all []*borrow) (n int) {
		for _, b := range all {
			n += min(b.ends, 1)
		}
		return n
	}
	// A worker that the system has let wait has taken long by the clock, and its run has to
	// wait for that: only in the long run are shares kept.
	var of, other int
	p.until(RuleShare, "Finished of jobs of both runs", func() bool {
		of, other = ended(many), ended(few)
		return of+other >= each/2 && of >= 2*other || of+other == 2*each
	})
	if of < 2*other {
		panic(&Broken{RuleShare, fmt.Sprintf("of a run with nine times the share of another %d jobs have ended, and %d of that", of, other)})
	}
}
