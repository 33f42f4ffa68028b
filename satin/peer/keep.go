package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// keepBigAfter is how long a big answer has to reach its submitters before a copy of it is sent to
// another peer: nearly always it does.
const keepBigAfter = 500 * time.Millisecond

// keeping is how a master has its answer kept by one more peer.
type keeping struct {
	by          membership.PeerID
	incarnation membership.Incarnation
	again       time.Duration // when to send it; Never: it is kept, or there is nothing to keep
	gap         time.Duration
}

// sendKeep sends the answer to the peer that would succeed this one: the oldest other.
func (p *Peer) sendKeep(r *run) {
	k := &r.keep
	if !p.view.Has(k.by, k.incarnation) {
		m, ok := p.view.OldestOther()
		if !ok {
			k.again = p.now + answerGapMax // nobody is there to keep it yet
			return
		}
		k.by, k.incarnation, k.gap = m.ID, m.Incarnation, answerGapMin+timeFor(len(r.answer.Bytes))
	}
	k.again = p.now + k.gap
	k.gap = min(2*k.gap, max(k.gap, answerGapMax))
	p.sendTo(k.by, k.incarnation, Keep{Run: r.instance, Epoch: r.epoch, Best: r.best.stamp(k.by, k.incarnation), Result: *r.answer})
}

// isOnlyHere tells whether there is an answer here that nobody else is known to keep yet.
func (r *run) isOnlyHere() bool { return r.delivering && r.keep.again != steal.Never }

// kept takes an answer to keep for its master, once the best that it names is here. It is sent to
// the submitters when the master is gone.
func (p *Peer) kept(from membership.Member, m Message, k Keep) {
	r := p.run(k.Run)
	if r == nil || r.root == nil || !p.takeBest(r, from.ID, m.From, k.Best) {
		p.hold(from.ID, m, k.Run, k.Best)
		return
	}
	p.send(from.ID, Kept{k.Run})
	switch {
	case r.answer != nil:
	case r.master == p.conf.Member.ID:
		// Whoever reigned before has finished. Every answer is right, whatever epoch it is of, and
		// what this peer does is done.
		p.decide(r, k.Result)
		p.dropRoot(r)
	default:
		r.answer = &k.Result
		p.succession = p.succession || r.master == from.ID
	}
	if k.Epoch.Compare(r.epoch) < 0 && r.master != from.ID {
		p.send(from.ID, p.recordFor(r, false, "", membership.Incarnation{}))
	}
}

// keptElsewhere hears that the answer is kept.
func (p *Peer) keptElsewhere(from membership.PeerID, k Kept) {
	if r := p.run(k.Run); r != nil && r.keep.by == from {
		r.keep.again = steal.Never
	}
}

// keeperLost has the answer kept by another when the one that kept it is gone.
func (p *Peer) keeperLost(id membership.PeerID) {
	for _, r := range p.runs {
		if r.delivering && r.keep.by == id {
			r.keep = keeping{again: p.now}
		}
	}
}
