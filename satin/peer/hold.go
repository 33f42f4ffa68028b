package peer

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
