package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// copies tells whether this peer has its parts copied at all.
func (p *Peer) copies() bool {
	return !p.conf.NoFT && !p.leaving.active && p.conf.CopyEvery >= 0 && !p.conf.Member.Client && p.entered()
}

// tickCopies goes on with what is copied, and asks whether what was returned is.
func (p *Peer) tickCopies() {
	if p.copier.isDue(p.now) {
		for _, r := range p.runs.all {
			p.apply(p.keeper.ask(r.instance))
		}
	}
	p.apply(p.copier.tick(p.now))
}

// Unkept hears that the workers do not list all that is finished of a run: there was no room for
// it, or it is too long.
func (p *Peer) Unkept(now time.Duration, no RunNo) []Effect {
	p.begin(now)
	p.copier.unkept(no)
	return p.end()
}

// Gathered hears all parts of the workers.
func (p *Peer) Gathered(now time.Duration, parts []Part) []Effect {
	p.begin(now)
	p.apply(p.copier.gathered(p.now, parts))
	return p.end()
}

// keepCopy takes parts to keep for a member, once the best that they were found under is here.
func (p *Peer) keepCopy(a arrival, c orphan.Copy) {
	r := p.runs.find(c.Run)
	switch {
	case r == nil && p.isOver(c.Run): // the sender will hear of that, too
	case r == nil || r.root == nil || !p.takeBest(r, a.peer, a.incarnation, c.Best):
		p.hold(a.peer, a.message, c.Run, c.Best)
	default:
		p.apply(p.keeper.copy(p.now, a.life, c))
	}
}

// acknowledged hears that an owner has results.
func (p *Peer) acknowledged(from membership.Member, numbers []steal.LoanNo) {
	for _, d := range p.ledger.Acknowledged(from.ID, numbers) {
		if p.runs.find(d.Run) != nil {
			p.keeper.returned(p.now, life{from.ID, from.Incarnation}, d)
		}
	}
}
