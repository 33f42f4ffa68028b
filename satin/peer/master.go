package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// adopt takes a greater epoch. A master that hears of one leaves its root: nobody
// waits for it any more.
func (p *Peer) adopt(r *run, e membership.Epoch, master membership.PeerID) {
	former := r.master
	r.epoch, r.master, r.since, r.over = e, master, p.now, 0
	if former != master {
		r.reign, r.heard, r.lookAt, r.strangerAt = reign{}, nil, 0, 0
		p.forsake(r, former)
	}
	p.out = append(p.out, Mastered{Run: r.no, Master: master, Epoch: e})
	if r.rootBorrow != 0 && master != p.conf.Member.ID {
		p.apply(p.stops.salvage(orphaned{r.rootBorrow, r.instance, r.instance.Run}))
		r.rootBorrow = 0
	}
}

// compareEpochs adopts a greater epoch, but not as a master: two that live settle it between
// them; see contest. Nor when its master is dead to this side of a cut while the present one
// is not: a side that left its root for a master that it cannot work for would take over at
// once, and with somebody between them who reaches both, the two would do so for ever. When it
// is the present master that tells of the greater epoch, it has left its root itself, and
// there is none to be kept.
func (p *Peer) compareEpochs(from membership.PeerID, r *run, h *Head) {
	if !p.admits(r, h.Epoch) {
		return
	}
	self := p.conf.Member.ID
	reigns := p.entered() && p.view.Lives(r.master, r.epoch.Master)
	kept := r.master == self || from != r.master && p.view.Buried(h.Master, h.Epoch.Master)
	switch {
	case h.Epoch == r.epoch:
	case reigns && r.master == self && h.Master != self && p.view.Lives(h.Master, h.Epoch.Master):
		p.contest(r, h.Master, h.Master)
	case h.Epoch.Compare(r.epoch) <= 0:
	case reigns && !p.view.Lives(h.Master, h.Epoch.Master) && kept:
		r.above = max(r.above, h.Epoch.Number)
	case h.Master == self && !p.leaving.active && p.entered() && p.view.Lives(self, h.Epoch.Master):
		// All submissions that it knew were withdrawn, so that it ended the run, and one more has
		// come. Others still work under that reign, of which nothing is left here.
		r.above = max(r.above, h.Epoch.Number)
		p.reignOver(r)
	default:
		p.adopt(r, h.Epoch, h.Master)
	}
}

// admits tells whether an epoch that somebody tells of is to be believed.
func (p *Peer) admits(r *run, e membership.Epoch) bool {
	return r.reigns.Admits(p.now, e.Number)
}

// succeed looks at the master of every run. It stays until it has left or died; then the heir that
// it named succeeds it, else the oldest peer that is not leaving. When that is this one, it raises
// the epoch and puts the root back.
func (p *Peer) succeed() {
	if !p.entered() {
		return
	}
	self := p.view.Self()
	for _, r := range slices.Clone(p.runs.all) { // an answer to this peer itself may end a run
		if p.isMasterGone(r) {
			if r.answer != nil && !r.delivering {
				p.deliverAll(r) // it was kept for this
				p.keepOrphan(r.instance, r.instance.Run, *r.answer)
			}
			if next, ok := p.successor(r); !ok || next.ID != self.ID {
				continue
			}
			p.reignOver(r)
		}
		if r.master == self.ID && r.rootBorrow == 0 && r.answer == nil && r.root != nil && !p.leaving.active && p.isWanted(r) {
			p.startRoot(r)
		}
	}
}

// successor is who follows a run's master. An heir may not know that it is one, when the leaver's
// last word did not reach it: then the oldest takes over.
func (p *Peer) successor(r *run) (membership.Member, bool) {
	next, ok := p.view.Successor(r.master, r.epoch.Master)
	_, at, over := p.view.Fate(r.master, r.epoch.Master)
	switch oldest, _ := p.view.Oldest(); {
	case !ok || !over || next.ID == oldest.ID || next.ID == p.conf.Member.ID:
		return next, ok
	case p.now < at+heirMax:
		r.lookAt = at + heirMax
		return next, true
	default:
		return oldest, true
	}
}

// isMasterGone tells whether a run's master has left or died, or has been a stranger for so long
// that it must have. One that was silent has a moment to come back: after a cut has healed, either
// side believes for a moment what the other does of its peers.
func (p *Peer) isMasterGone(r *run) bool {
	how, at, over := p.view.Fate(r.master, r.epoch.Master)
	var until time.Duration
	switch {
	case p.view.Lives(r.master, r.epoch.Master):
		r.strangerAt, r.lookAt = 0, 0
		return false
	case over && how == membership.Silent:
		until = at + returnMax
	case over || r.master == p.conf.Member.ID:
		return true
	default:
		if r.strangerAt == 0 {
			r.strangerAt = p.now + strangerMax
		}
		until = r.strangerAt
	}
	if p.now >= until {
		return true
	}
	r.lookAt = until
	return false
}

// startRoot executes a run's root here, unless what it comes to is held here. When another holds
// it, it is fetched meanwhile.
func (p *Peer) startRoot(r *run) {
	if result, ok := p.store.Get(r.instance, r.instance.Run); ok {
		p.reused(r.no, result)
		p.decide(r, result)
		return
	}
	p.apply(r.look.putBack(p.now, r.instance.Run))
	r.rootBorrow = p.ledger.NextBorrow()
	p.out = append(p.out, Execute{Run: r.no, Borrow: r.rootBorrow, IsRoot: true, Key: r.instance.Run, Task: r.task, Args: r.root})
	p.apply(p.victim.Started(p.now))
}

// rootFinished makes the root's result the answer. A run that has a best is answered by
// its best at the end.
func (p *Peer) rootFinished(r *run, result steal.Result) {
	r.rootBorrow = 0
	p.decide(r, result)
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
	r.delivering, r.answered = true, p.now
	for _, s := range slices.Clone(r.submissions) {
		p.apply(r.answering.owe(p.now, s, r.epoch))
	}
	switch {
	case len(r.submissions) == 0: // all of them were this peer's own
	case len(r.answer.Bytes) > rootAlong:
		r.keep.again = p.now + keepBigAfter
	default:
		p.apply(r.answering.sendKeep(p.now, r.epoch))
	}
}

// failed makes a job's panic the run's answer, by way of the master if that is another. It is told
// again until the run has ended, every other time to any member: the one that this peer takes for
// the master may be dead, with a greater epoch than the one that lives.
func (p *Peer) failed(r *run, result steal.Result) {
	if r.master == p.conf.Member.ID {
		r.failure = nil
		p.dropRoot(r)
		p.decide(r, result)
		return
	}
	r.failure, r.failAt = &result, p.now+failEvery
	to := r.master
	if r.fails++; r.fails%2 == 0 {
		if m, ok := p.view.Draw(); ok {
			to = m.ID
		}
	}
	p.send(to, Fail{Run: r.instance, Result: result})
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
