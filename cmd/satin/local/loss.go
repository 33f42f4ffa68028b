package local

import (
	"slices"
	"time"

	"satingrid/satin"
)

// Loss is what this process knows of a peer's loss, having caused most of them.
type Loss struct {
	How     string        // kill, silent, cut, leave, kick
	Noticed time.Duration // from its moment until the client learned of it …
	Known   bool          // … if the moment is known
}

// Losses are those of a peer, one after another: one that is held dead while it lives may come back.
func (g *Grid) Losses(name string) []Loss {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.losses[name])
}

// loss says of a loss what the client cannot know. The caller holds mu.
func (g *Grid) loss(e satin.Event) Loss {
	l := Loss{How: e.How}
	p := g.find(e.Peer)
	if p == nil {
		return l
	}
	if l.How == "rejoin" { // it was held dead, and is back before the client had heard that
		l.How = "silent"
	}
	p.mu.Lock()
	moment, idle := p.moment, p.killed || p.stopped || p.leaving
	p.mu.Unlock()
	cut := slices.ContainsFunc(g.cuts, func(c Cut) bool { return c.From == p.site || c.To == p.site })
	if l.How == "silent" && cut && !idle {
		l.How, moment = "cut", g.cutAt
	}
	if !moment.IsZero() {
		l.Noticed, l.Known = time.Since(moment), true
	}
	return l
}

// back notes that the client sees the peer again: what happened to it before is over.
func (p *process) back() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.killed && !p.stopped {
		p.moment = time.Time{}
	}
}
