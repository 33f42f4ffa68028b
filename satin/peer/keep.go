package peer

import "satingrid/membership"

// kept takes an answer to keep for its master, once the best that it names is here. It is sent to
// the submitters when the master is gone.
func (p *Peer) kept(from membership.Member, m Message, k Keep) {
	r := p.runs.find(k.Run)
	if r == nil || r.root == nil || !p.takeBest(r, from.ID, m.From, k.Best) {
		p.hold(from.ID, m, k.Run, k.Best)
		return
	}
	p.send(from.ID, Kept{k.Run})
	switch {
	case r.answer != nil:
	case r.master == p.conf.Member.ID:
		// Whoever reigned before has finished. Every answer is right, whatever epoch it is
		// of, and what this peer does is done.
		p.decide(r, k.Result)
		p.dropRoot(r)
	default:
		r.answer = &k.Result
		p.mastership.due = p.mastership.due || r.master == from.ID
	}
	if k.Epoch.Compare(r.epoch) < 0 && r.master != from.ID {
		p.send(from.ID, r.record())
	}
}
