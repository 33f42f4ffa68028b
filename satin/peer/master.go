package peer

import (
	"slices"

	"satingrid/steal"
)

// succeed looks at the master of every run. It stays until it has left or died; then the heir that
// it named succeeds it, else the oldest peer that is not leaving. When that is this one, it raises
// the epoch and puts the root back.
func (p *Peer) succeed() {
	if !p.entered() {
		return
	}
	for _, r := range slices.Clone(p.runs.all) { // an answer to this peer itself may end a run
		if p.mastership.isGone(p.now, r) {
			if r.answer != nil && !r.delivering {
				p.deliverAll(r) // it was kept for this
				p.salvage.keep(p.now, r.instance, r.instance.Run, *r.answer)
			}
			is, effects := p.mastership.succeed(p.now, r)
			if p.apply(effects); !is {
				continue
			}
		}
		if p.mastership.mayStart(r) && p.isWanted(r) {
			p.startRoot(r)
		}
	}
}

// startRoot executes a run's root here, unless what it comes to is held here. When another holds
// it, it is fetched meanwhile.
func (p *Peer) startRoot(r *run) {
	if result, ok := p.store.Get(r.instance, r.instance.Run); ok {
		p.salvage.spared(r.no, result)
		p.decide(r, result)
		return
	}
	p.apply(r.look.putBack(p.now, r.instance.Run))
	r.rootBorrow = p.ledger.NextBorrow()
	p.out = append(p.out, Execute{Run: r.no, Borrow: r.rootBorrow, IsRoot: true, Key: r.instance.Run, Task: r.task, Args: r.root})
	p.apply(p.victim.Started(p.now))
}

// decide settles what the run's answer is, once, and sends it to all that asked.
func (p *Peer) decide(r *run, result steal.Result) {
	if r.answer != nil {
		return
	}
	if result.Outcome == steal.Value && r.best.value != nil {
		result.Bytes, result.Choosing = r.best.value, true
	}
	result = p.withinTerms(r, result)
	r.answer = &result
	p.deliverAll(r)
}

// deliverAll makes this peer the one that sends a run's answer.
func (p *Peer) deliverAll(r *run) {
	r.answering.begin(p.now)
	for _, s := range slices.Clone(r.submissions) {
		p.apply(r.answering.owe(p.now, s, r.epoch))
	}
	if len(r.submissions) > 0 { // else all of them were this peer's own
		p.apply(r.answering.keepSoon(p.now, r.epoch))
	}
}

// failed makes a job's panic the run's answer, by way of the master if that is another.
func (p *Peer) failed(r *run, result steal.Result) {
	if r.master != p.conf.Member.ID {
		p.apply(r.panicking.tell(p.now, r.master, result))
		return
	}
	r.failure = nil
	p.dropRoot(r)
	p.decide(r, result)
}

// dropRoot stops a root whose run has its answer.
func (p *Peer) dropRoot(r *run) {
	if r.rootBorrow != 0 {
		p.out = append(p.out, Withdraw{Borrow: r.rootBorrow})
		r.rootBorrow = 0
	}
}

// failedElsewhere hears of a panic in another peer. Who is not the master tells
// the one that it knows.
func (p *Peer) failedElsewhere(f Fail) {
	r := p.runs.find(f.Run)
	if r != nil && f.Result.Outcome == steal.Panicked && r.failure == nil && r.answer == nil && !p.conf.Member.Client {
		p.failed(r, f.Result)
	}
}

// tickFollow tells each master that this peer works for its root, and looks for those who wait for
// what it is itself the master of.
func (p *Peer) tickFollow() {
	due, effects := p.mastership.tick(p.now)
	if due {
		p.seekSubmitters()
	}
	p.apply(effects)
}
