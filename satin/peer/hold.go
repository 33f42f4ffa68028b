package peer

import (
	"satingrid/membership"
	"satingrid/steal"
)

// hold keeps a message back and asks its sender for what is missing: the record, or the best.
func (p *Peer) hold(from membership.PeerID, m Message, run steal.Instance, s steal.Stamp) {
	p.apply(p.held.hold(p.now, from, m, run, s))
}

// retry uses the messages that can be used now.
func (p *Peer) retry() {
	for _, h := range p.held.ready() {
		m := h.message
		k := &byNumber[m.Body.Kind()]
		if k.by != living || p.view.Has(h.from, m.From) && p.isFor(m) {
			who, _ := p.view.Member(h.from)
			k.heard(p, arrival{life: life{h.from, m.From}, as: p.roleOf(h.from, m.From), member: who, message: m})
		}
	}
}
