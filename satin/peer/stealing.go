package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// timeFor is how long so many bytes may be on their way.
func timeFor(bytes int) time.Duration {
	return time.Duration(bytes) * time.Second / bytesPerSecond
}

// asked hears that a peer asks for jobs.
func (p *Peer) asked(a arrival, b steal.Ask) {
	near := a.member.Site == p.conf.Member.Site
	room := p.ledger.Room(a.peer)
	if p.leaving.active {
		room = 0
	}
	p.apply(p.victim.Asked(p.now, a.member, near, b, room))
}

// lent takes jobs that another peer lends to this one.
func (p *Peer) lent(a arrival, l steal.Lend) {
	from, m := a.member, a.message
	r := p.runs.find(l.Run)
	if r == nil && p.runs.isFull() {
		p.refuse(from, l) // there is no room for its run, however long it waits
		return
	}
	if r == nil || r.root == nil {
		p.hold(from.ID, m, l.Run, l.Best)
		return
	}
	if p.fenced(r, from, l) {
		return
	}
	if p.leaving.active {
		p.refuse(from, l)
		return
	}
	if !p.takeBest(r, from.ID, m.From, l.Best) {
		p.hold(from.ID, m, l.Run, l.Best)
		return
	}
	started := 0
	for _, j := range l.Jobs[:min(len(l.Jobs), steal.LentMax)] {
		borrow, ok := p.ledger.Borrow(from.ID, from.Incarnation, j.Number, l.Run, j.Key)
		if !ok {
			continue
		}
		started++
		p.stats.Borrowed++
		p.out = append(p.out, Execute{Run: r.no, Borrow: borrow, Key: j.Key, Task: j.Task, Args: j.Args, Verifies: j.Verifies})
	}
	p.apply(p.thief.Got(p.now, from, l.Answer, started))
	if started > 0 {
		p.apply(p.victim.Started(p.now))
	}
}

// refuse gives jobs back that cannot be begun here.
func (p *Peer) refuse(from membership.Member, l steal.Lend) {
	numbers := make([]steal.LoanNo, 0, len(l.Jobs))
	for _, j := range l.Jobs[:min(len(l.Jobs), steal.LentMax)] {
		numbers = append(numbers, j.Number)
	}
	p.apply(p.ledger.Refuse(from.ID, from.Incarnation, numbers))
}

// returned takes the result of a job that this peer lent. It is acknowledged only when it was
// used, or never will be.
func (p *Peer) returned(a arrival, ret steal.Return) {
	from, m := a.member, a.message
	if r := p.runs.find(ret.Run); r != nil {
		if !p.takeBest(r, from.ID, m.From, ret.Best) {
			p.hold(from.ID, m, ret.Run, ret.Best)
			return
		}
		if ret.Result.Outcome == steal.Panicked {
			p.failed(r, ret.Result)
		} else if p.isVerified(r, from, ret) {
			return // it is acknowledged when it was compared
		} else if ref, ok := p.ledger.Settle(from.ID, ret.Number, ret.Run); ok {
			p.out = append(p.out, Settle{Ref: ref, Result: ret.Result})
			p.copier.settled(ret.Run, ret.Number)
		}
	}
	p.send(from.ID, steal.Returned{Numbers: []steal.LoanNo{ret.Number}})
}

// isVerified tells whether a result waits to be compared before it is used.
func (p *Peer) isVerified(r *run, from membership.Member, ret steal.Return) bool {
	if r.terms.Verify <= 0 || p.leaving.active || r.root == nil {
		return false
	}
	waits, effects := p.verifier.returned(r.no, from, ret)
	p.apply(effects)
	return waits
}

// sendResult returns a finished job to its owner, for the first time or again.
func (p *Peer) sendResult(borrow steal.Borrow) {
	to, i, ret := p.ledger.Outgoing(borrow)
	if r := p.runs.find(ret.Run); r != nil {
		ret.Best = r.best.stamp(to, i)
	}
	p.sendTo(to, i, ret)
}

// Taken hears which jobs the workers gave. Each is entered in the ledger before it is sent.
func (p *Peer) Taken(now time.Duration, jobs []Job) []Effect {
	p.begin(now)
	sizes := make([]int, len(jobs))
	for n := range jobs {
		sizes[n] = len(jobs[n].Args)
	}
	gifts, effects := p.victim.Taken(p.now, sizes)
	given := 0
	for _, g := range gifts {
		given = g.First + g.Count
		p.give(g, jobs[g.First:given])
	}
	for _, j := range jobs[given:] {
		p.out = append(p.out, PutBack{Ref: j.Ref})
	}
	p.apply(effects)
	return p.end()
}

// give lends jobs to a thief, in one message for each run.
func (p *Peer) give(g steal.Gift, jobs []Job) {
	thief, ok := p.view.Member(g.To)
	if !ok || thief.Incarnation != g.Incarnation || p.ledger.Room(g.To) < len(jobs) || p.verifier.doubts(g.To, jobs) || p.leaving.active {
		for _, j := range jobs {
			p.out = append(p.out, PutBack{Ref: j.Ref})
		}
		return
	}
	for len(jobs) > 0 {
		n := 1
		for n < len(jobs) && jobs[n].Run == jobs[0].Run {
			n++
		}
		if r := p.runs.numbered(jobs[0].Run); r != nil {
			p.lend(r, thief, g.Answer, jobs[:n])
		} else { // the run has ended, and the workers have dropped its jobs
			p.sendTo(thief.ID, thief.Incarnation, steal.Nothing{Number: g.Answer})
		}
		jobs = jobs[n:]
	}
}

func (p *Peer) lend(r *run, thief membership.Member, answer steal.AskNo, jobs []Job) {
	l := steal.Lend{Run: r.instance, Epoch: r.epoch, Best: r.best.stamp(thief.ID, thief.Incarnation), Answer: answer}
	for _, j := range jobs {
		number := p.ledger.Lend(p.now, thief.ID, thief.Incarnation, r.instance, j.Key, j.Ref)
		l.Jobs = append(l.Jobs, steal.Lent{Number: number, Key: j.Key, Task: j.Task, Args: j.Args, Verifies: j.Verifies})
	}
	if thief.Site == p.conf.Member.Site {
		p.stats.LentNear += uint64(len(jobs))
	} else {
		p.stats.LentFar += uint64(len(jobs))
	}
	p.verifier.lent(r.terms.Verify, jobs)
	p.sendTo(thief.ID, thief.Incarnation, l)
}

// Finished hears that an executed job returned, and nothing withdrew it.
func (p *Peer) Finished(now time.Duration, borrow steal.Borrow, result steal.Result) []Effect {
	p.begin(now)
	p.stops.handsBack(borrow)
	if r := p.runs.executing(borrow); r != nil {
		r.rootBorrow = 0
		p.decide(r, result)
		return p.end()
	}
	if checked, effects := p.verifier.finished(borrow, result); checked {
		p.apply(effects)
		return p.end()
	}
	run, ok := p.ledger.Running(borrow)
	if !ok {
		p.orphanFinished(borrow, result)
		return p.end()
	}
	if result.Outcome == steal.Panicked {
		p.failed(p.runs.find(run), result)
	} else {
		p.ledger.Finish(p.now, borrow, result)
		p.sendResult(borrow)
	}
	return p.end()
}

// Panicked hears that a job of a run panicked, whether or not anybody waits for it still: the run
// fails, here and everywhere.
func (p *Peer) Panicked(now time.Duration, no RunNo, result steal.Result) []Effect {
	p.begin(now)
	if r := p.runs.numbered(no); r != nil && r.failure == nil && r.answer == nil {
		p.failed(r, result)
	}
	return p.end()
}

// Abandoned hears which taken jobs nobody here waits for any more; orphaned says that their parent
// was withdrawn with Salvage.
func (p *Peer) Abandoned(now time.Duration, refs []steal.Ref, orphaned bool) []Effect {
	p.begin(now)
	p.apply(p.ledger.Abandon(p.now, refs, orphaned))
	p.tickLeave()
	return p.end()
}
