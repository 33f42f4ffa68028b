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

// Losses are those of a peer, one after another: one that is held dead while it
// lives may come back.
func (g *Grid) Losses(name string) []Loss {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.losses[name])
}

// Ended is how a peer was lost, in the words of the command. One that rejoined had been held dead
// for its silence, and was back before that was heard here.
func Ended(how string) string {
	if how == "rejoin" {
		return "silent"
	}
	return how
}

// loss says of a loss what the client cannot know. The caller holds mu.
func (g *Grid) loss(e satin.Event) Loss {
	l := Loss{How: Ended(e.How)}
	p := g.find(e.Peer)
	if p == nil {
		return l
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

// back notes that the peer is there again: what happened to it before is over.
// The caller holds p.mu.
func (p *process) back() {
	if !p.killed && !p.stopped {
		p.moment = time.Time{}
	}
}
