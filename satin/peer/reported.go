package peer

import (
	"time"

	"satingrid/membership"
)

// Did hears what was done for a run here, and tells those who have submitted it: one that has gone
// may have come back under another id. After EndRun it is to be said once more, which is the last.
func (p *Peer) Did(now time.Duration, no RunNo, w Work) []Effect {
	p.begin(now)
	if p.gone || p.conf.Member.Client {
		return p.end()
	}
	c := p.did.tells(no, p.sight.Submitters(no))
	if c == nil {
		return p.end()
	}
	m := c.report(p.view.Self(), p.sight.Stats(), p.losses.reports(no), w)
	if r := p.runs.numbered(no); r != nil && w.Root && r.master == p.conf.Member.ID {
		m.Master, m.Progress = true, w.Progress
	}
	for _, to := range c.submitters {
		if to == p.conf.Member.ID {
			p.apply(p.reports.heard(p.now, life{to, p.view.Self().Incarnation}, true, m))
		} else {
			p.sendTo(to, membership.Incarnation{}, m) // in whatever life
		}
	}
	return p.end()
}

// deliver gives the application an answer. Its statistics may not be whole yet.
func (p *Peer) deliver(e Deliver) {
	p.out = append(p.out, e)
	p.reports.delivered(p.now, e.Nonce)
}
