package peer

import (
	"time"

	"satingrid/steal"
)

// Idle hears how many workers have no job.
func (p *Peer) Idle(now time.Duration, workers int) []Effect {
	p.begin(now)
	p.apply(p.stealing.idled(p.now, workers))
	return p.end()
}

// Lacks hears of which runs the workers execute less than their part, though no
// job of them waits here.
func (p *Peer) Lacks(now time.Duration, runs []RunNo) []Effect {
	p.begin(now)
	p.apply(p.stealing.lacked(p.now, runs))
	return p.end()
}

// Taken hears which jobs the workers gave. Each is entered in the ledger before it is sent.
func (p *Peer) Taken(now time.Duration, jobs []Job) []Effect {
	p.begin(now)
	p.apply(p.stealing.taken(p.now, jobs))
	return p.end()
}

// Finished hears that an executed job returned, and nothing withdrew it.
func (p *Peer) Finished(now time.Duration, borrow steal.Borrow, result steal.Result) []Effect {
	p.begin(now)
	p.stops.handsBack(borrow)
	if r := p.runs.executing(borrow); r != nil {
		r.root.borrow = 0
		p.apply(p.decisions.decide(p.now, r, result))
		return p.end()
	}
	known, effects := p.stealing.finished(p.now, borrow, result)
	if p.apply(effects); !known {
		p.apply(p.salvage.finished(p.now, borrow, result))
	}
	return p.end()
}

// Panicked hears that a job of a run panicked, whether or not anybody waits for it still: the run
// fails, here and everywhere.
func (p *Peer) Panicked(now time.Duration, no RunNo, result steal.Result) []Effect {
	p.begin(now)
	if r := p.runs.numbered(no); r != nil {
		p.apply(p.decisions.fails(p.now, fails{run: r.instance, result: result}))
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

// Salvaged hears parts of jobs that were withdrawn with Salvage.
func (p *Peer) Salvaged(now time.Duration, parts []Part) []Effect {
	p.begin(now)
	p.salvage.salvaged(p.now, parts)
	return p.end()
}

// Stopped hears that a job that was withdrawn with Salvage will not finish.
func (p *Peer) Stopped(now time.Duration, borrow steal.Borrow) []Effect {
	p.begin(now)
	p.apply(p.salvage.stopped(borrow))
	p.tickLeave()
	return p.end()
}

// Gathered hears all parts of the workers.
func (p *Peer) Gathered(now time.Duration, parts []Part) []Effect {
	p.begin(now)
	p.apply(p.copier.gathered(p.now, parts))
	p.apply(p.storing.gathered(p.now))
	return p.end()
}

// Unkept hears that the workers do not list all that is finished of a run: there was no room for
// it, or it is too long.
func (p *Peer) Unkept(now time.Duration, no RunNo) []Effect {
	p.begin(now)
	p.copier.unkept(no)
	return p.end()
}

// Unfinished hears the keys of a run's unfinished jobs.
func (p *Peer) Unfinished(now time.Duration, no RunNo, keys []steal.Key) []Effect {
	p.begin(now)
	p.apply(p.looks.unfinished(p.now, no, keys))
	return p.end()
}

// Offered hears of a value that is the workers' best now: better than all that they held before.
func (p *Peer) Offered(now time.Duration, no RunNo, s steal.Stamp) []Effect {
	p.begin(now)
	p.apply(p.bests.offered(p.now, no, s))
	return p.end()
}

// Compared answers Compare. why is what the run fails with when work depends on a
// value that is Spoilt.
func (p *Peer) Compared(now time.Duration, no RunNo, digest steal.Key, v Merit, why steal.Result) []Effect {
	p.begin(now)
	p.apply(p.bests.compared(p.now, no, digest, v, why))
	return p.end()
}

// Told hears a fact from a worker.
func (p *Peer) Told(now time.Duration, no RunNo, fact []byte) []Effect {
	p.begin(now)
	p.hints.told(p.now, no, fact)
	return p.end()
}

// HowFar hears how far jobs are that somebody has begun, and tells those that have lent them.
func (p *Peer) HowFar(now time.Duration, all []Begun) []Effect {
	p.begin(now)
	p.apply(p.progress.told(all))
	return p.end()
}

// Differed answers Differ: one of two answers is better than the other.
func (p *Peer) Differed(now time.Duration, nonce steal.Nonce, differ bool) []Effect {
	p.begin(now)
	p.apply(p.submissions.differed(nonce, differ))
	return p.end()
}
