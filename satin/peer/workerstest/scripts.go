package workerstest

import (
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// Scripts are the courses of things that lead to each rule.
func Scripts() []Script {
	return []Script{
		{Name: "idle", Workers: 2, play: idleAndBusy},
		{Name: "a tree", Workers: 2, play: wholeTree},
		{Name: "failing jobs", Workers: 2, play: failing},
		{Name: "passed on", Workers: 2, play: passedOn},
		{Name: "roots stay", Workers: 2, play: rootsStay},
		{Name: "nothing to take", Workers: 2, play: nothingToTake},
		{Name: "bytes", Workers: 1, play: fewBytes},
		{Name: "one run at a time", Workers: 1, play: oneRunAtATime},
		{Name: "steal", Workers: 2, play: stealAll},
		{Name: "put back", Workers: 2, play: putBackAll},
		{Name: "settled with a failure", Workers: 1, play: settledWithFailure},
		{Name: "withdrawn", Workers: 1, play: withdrawn},
		{Name: "withdrawn while it computes", Workers: 1, play: withdrawnComputing},
		{Name: "parts and salvage", Workers: 1, play: partsAndSalvage},
		{Name: "salvaged before it starts", Workers: 1, play: salvagedEarly},
		{Name: "salvaged while results come", Workers: 1, play: salvagedLate},
		{Name: "keys and values", Workers: 1, play: keysAndValues},
		{Name: "verified", Workers: 2, play: verified},
		{Name: "panic", Workers: 2, play: panicking},
		{Name: "panic while some are passed on", Workers: 2, play: panickingPassedOn},
		{Name: "run ends", Workers: 2, play: runEnds},
		{Name: "bests", Workers: 2, play: bests},
		{Name: "answers differ", Workers: 1, play: answersDiffer},
		{Name: "lacks", Workers: 1, play: lacks},
		{Name: "many lack", Workers: 1, play: manyLack},
		{Name: "runs are told of", Workers: 1, play: runsAreTold},
		{Name: "work is counted", Workers: 2, play: workIsCounted},
		{Name: "what is begun is told", Workers: 2, play: whatIsBegunIsTold},
		{Name: "losses are charged", Workers: 1, play: lossesAreCharged},
		{Name: "shares", Workers: 1, play: sharesDivide},
	}
}

const (
	brief  = 500 * time.Microsecond
	middle = 5 * time.Millisecond
	long   = 150 * time.Millisecond
)

// leaf is a job without children.
func leaf(n uint64, d time.Duration) Job { return Job{Seed: n, Leaf: d} }

// wide is a job with leaves below it.
func wide(n uint64, width uint8, d time.Duration) Job {
	return Job{Seed: n, Depth: 1, Wide: width, Cost: brief, Leaf: d}
}

// busy gives every worker a long job, and waits until all of them have begun.
func (p *player) busy(r *run, d time.Duration) (all []*borrow) {
	p.until(RuleIdle, "Idle of all workers", func() bool { return p.model.idle == p.model.workers })
	for n := range p.model.workers {
		all = append(all, p.execute(r, leaf(1_000_000*uint64(r.no)+uint64(n), d)))
	}
	p.until(RuleIdle, "Idle of no worker", func() bool { return p.model.idle == 0 })
	return all
}

// anyRun is a run whose root is executed elsewhere.
func (p *player) anyRun() *run { return p.start(leaf(1, brief)) }

func idleAndBusy(p *player) {
	for _, b := range p.busy(p.anyRun(), long) {
		p.finish(b)
	}
	p.until(RuleIdle, "Idle of all workers", func() bool { return p.model.idle == p.model.workers })
}

func wholeTree(p *player) {
	_, b := p.root(Job{Seed: 2, Depth: 5, Wide: 2, Cost: brief, Leaf: brief})
	p.finish(b)
}

func failing(p *player) {
	r := p.start(Job{Seed: 1, Does: Errs})
	for n := range uint64(6) {
		p.finish(p.execute(r, Job{Seed: 10 + n, Depth: 2, Wide: 2, Does: Errs, Leaf: brief}))
	}
}

// queue gives the workers leaves that they cannot begin yet.
func (p *player) queue(r *run, n int, cost time.Duration) (all []*borrow) {
	for i := range n {
		all = append(all, p.execute(r, leaf(100+uint64(i), cost)))
	}
	return all
}

func passedOn(p *player) {
	r := p.anyRun()
	p.busy(r, 4*long)
	const waiting = 5
	queued := p.queue(r, waiting, brief)
	p.ask(func() bool { p.model.most = (waiting + 1) / 2; return true })
	taken := p.take(steal.WantJobs{N: waiting, Bytes: 1 << 20})
	p.ask(func() bool { p.model.most = 0; return true })
	if len(taken) < 3 {
		panic(&Broken{RuleHalf, "of five jobs fewer than three are Taken"})
	}
	for _, x := range taken {
		if x.of == nil {
			panic(&Broken{RulePassedOn, "a borrowed job that nobody has begun is not said to be passed on"})
		}
	}
	one, two, three := taken[0].of, taken[1].of, taken[2].of
	p.order(p.settles(taken[0]), peer.PutBack{Ref: taken[1].ref}, peer.Withdraw{Borrow: three.no})
	p.until(RuleSettled, "Finished of a job that was passed on and Settled", func() bool { return one.ends > 0 })
	p.until(RulePutBack, "Finished of a job that was PutBack", func() bool { return two.ends > 0 })
	p.until(RuleAbandoned, "Abandoned of one that was withdrawn", func() bool { return taken[2].state == abandoned })
	for _, b := range queued {
		if b != three {
			p.finish(b)
		}
	}
	p.withdrawnFor(three)
}

// withdrawnFor sees that nothing is heard of a job that was withdrawn before it began.
func (p *player) withdrawnFor(b *borrow) {
	p.pass(moment)
	if p.ask(func() bool { return b.ends > 0 }) {
		panic(&Broken{RuleFinished, "a job is Finished that was withdrawn before it began"})
	}
}

func rootsStay(p *player) {
	r := p.anyRun()
	p.busy(r, long)
	second := p.start(leaf(2, brief))
	b := p.execute(second, second.root)
	for range 10 { // when it has been read, too
		if taken := p.take(steal.WantJobs{N: 4, Bytes: 1 << 20, Of: []steal.Instance{second.instance}}); len(taken) > 0 {
			panic(&Broken{RuleTaken, "a root is Taken"})
		}
		p.pass(time.Millisecond)
	}
	p.finish(b)
}

func nothingToTake(p *player) {
	p.take(steal.WantJobs{N: 2, Bytes: 1 << 20}) // all are idle
	r := p.anyRun()
	all := p.busy(r, long)
	p.take(steal.WantJobs{N: 2, Bytes: 1 << 20, Of: []steal.Instance{r.instance}})
	if p.ask(func() bool { return all[0].ends > 0 }) {
		panic(&Broken{RuleAtOnce, "WantJobs with Of is answered when a job has ended that took long"})
	}
	p.take(steal.WantJobs{N: 2, Bytes: 1 << 20}) // when they are idle again
}

func fewBytes(p *player) {
	r := p.anyRun()
	p.busy(r, long)
	queued := p.queue(r, 6, brief)
	for _, x := range p.take(steal.WantJobs{N: 3}) {
		p.settle(x)
	}
	for _, b := range queued {
		p.finish(b)
	}
}

func oneRunAtATime(p *player) {
	r, s := p.anyRun(), p.start(leaf(2, brief))
	p.read(s)
	computing := p.busy(r, long)[0]
	queued := append(p.queue(r, 4, brief), p.queue(s, 4, brief)...)
	taken := p.take(steal.WantJobs{N: 8, Bytes: 1 << 20, Of: []steal.Instance{s.instance, r.instance}})
	for _, x := range taken {
		if x.run != s && computing.ends == 0 {
			// or the worker may have begun those of s by now
			panic(&Broken{RuleTurn, "a job is Taken of the second of the runs that were wanted, and the first has some"})
		}
		p.settle(x)
	}
	for _, x := range p.take(steal.WantJobs{N: 8, Bytes: 1 << 20}) {
		p.settle(x)
	}
	for _, b := range queued {
		p.finish(b)
	}
}

func answersDiffer(p *player) {
	a, b := p.bench.Bytes(Result{leaf(1, brief), 1, 0}), p.bench.Bytes(Result{leaf(2, brief), 2, 0})
	for _, pair := range [][2][]byte{{a, b}, {b, a}, {a, a}} {
		p.nonce++
		p.order(peer.Differ{Nonce: p.nonce, Task: p.bench.Task(), A: pair[0], B: pair[1]})
		p.until(RuleOnce, "Differed, which answers Differ", func() bool { return len(p.model.differs) == 0 })
	}
}

func lacks(p *player) {
	r := p.anyRun()
	s := p.start(leaf(2, brief))
	p.busy(r, 20*long)
	p.until(RuleLacks, "Lacks of a run of which nothing is here", func() bool {
		return len(p.model.lacking) == 1 && p.model.lacking[0] == s.no
	})
	p.stop(s)
	p.until(RuleLacks, "Lacks of nothing", func() bool { return len(p.model.lacking) == 0 })
}

// manyLack: which of them has jobs elsewhere, and which has its answer, only the machine knows.
func manyLack(p *player) {
	r := p.anyRun()
	p.busy(r, 20*long)
	var all []*run
	for n := range 2*steal.LacksMax + 1 {
		all = append(all, p.start(leaf(10+uint64(n), brief)))
	}
	p.until(RuleLacks, "Lacks of all runs of which nothing is here", func() bool {
		for _, s := range all {
			if !slices.Contains(p.model.lacking, s.no) {
				return false
			}
		}
		return true
	})
	for _, s := range all {
		p.stop(s)
	}
}
