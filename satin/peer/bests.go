package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Offered hears of a value that is the workers' best now: better than all that they held before.
func (p *Peer) Offered(now time.Duration, no RunNo, s steal.Stamp) []Effect {
	p.begin(now)
	if r := p.runs.numbered(no); r != nil {
		p.apply(r.best.offered(p.now, p.conf.Member.ID, s))
	}
	return p.end()
}

// Compared answers Compare. why is what the run fails with when work depends on a
// value that is Spoilt.
func (p *Peer) Compared(now time.Duration, no RunNo, digest steal.Key, v Verdict, why steal.Result) []Effect {
	p.begin(now)
	if r := p.runs.numbered(no); r != nil {
		p.apply(r.best.compared(p.now, digest, v, why))
	}
	return p.end()
}

// takeBest takes the best that a message brought, and tells whether what the message names is held,
// so that it may be used.
func (p *Peer) takeBest(r *run, from membership.PeerID, i membership.Incarnation, s steal.Stamp) bool {
	held, effects := r.best.take(p.now, life{from, i}, s)
	p.apply(effects)
	return held
}

// bestOf names the best of a run for a message to a peer, if the run goes on.
func (p *Peer) bestOf(run steal.Instance, to life) (stamp steal.Stamp, on bool) {
	if r := p.runs.find(run); r != nil {
		return r.best.stamp(to.peer, to.incarnation), true
	}
	return stamp, false
}

// bestWanted hears that somebody lacks a best that this peer has named.
func (p *Peer) bestWanted(a arrival, b WantBest) {
	if r := p.runs.find(b.Run); r != nil {
		p.apply(r.best.wanted(p.now, lifeOf(p.view, a.peer), b))
	}
}

// bestIs takes a best, or hears of one that whoever has submitted the run asks for.
func (p *Peer) bestIs(a arrival, b BestIs) {
	switch r := p.runs.find(b.Run); {
	case r == nil:
	case b.Best.Value != nil:
		p.apply(r.best.came(p.now, a.life, b))
	case p.submissions.awaits(r.submissions):
		p.apply(r.best.named(p.now, lifeOf(p.view, a.peer), b.Best.Digest))
	}
}

// bestHad hears that somebody holds a best.
func (p *Peer) bestHad(a arrival, b HaveBest) {
	if r := p.runs.find(b.Run); r != nil {
		r.best.hadBy(a.life, b)
	}
}
