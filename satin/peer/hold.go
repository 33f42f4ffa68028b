package peer

import (
	"satingrid/membership"
	"satingrid/steal"
)

// hold keeps a message back and asks its sender for what is missing: the record, or the best.
func (p *Peer) hold(from membership.PeerID, m Message, run steal.Instance, s steal.Stamp) {
	if r := p.runs.find(run); r != nil {
		never, effects := r.best.holdsBack(p.now, from, s)
		if p.apply(effects); never {
			return
		}
	}
	p.apply(p.held.hold(p.now, from, m, run, s.Digest))
}

// askFor asks for what a held message waits for. One transfer of a best is under way at a time.
func (p *Peer) askFor(l lacks) {
	r := p.runs.find(l.run)
	switch {
	case r == nil || r.root == nil && l.needsRoot:
		p.send(l.from, Fetch{l.run})
	case r.best.trial.has(l.best): // it is being compared
	default:
		p.apply(r.best.ask(p.now, lifeOf(p.view, l.from), l.best))
	}
}

// retry uses the messages that can be used now.
func (p *Peer) retry() {
	ready := p.held.ready(func(l lacks) bool {
		r := p.runs.find(l.run)
		return r != nil && (r.root != nil || !l.needsRoot) && r.best.settles(l.best)
	})
	for _, h := range ready {
		m := h.message
		k := &byNumber[m.Body.Kind()]
		if k.by != living || p.view.Has(h.from, m.From) && p.isFor(m) {
			who, _ := p.view.Member(h.from)
			k.heard(p, arrival{life: life{h.from, m.From}, as: p.roleOf(h.from, m.From), member: who, message: m})
		}
	}
}
