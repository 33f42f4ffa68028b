package peer

import (
	"time"

	"satingrid/orphan"
	"satingrid/steal"
)

// tickLooks has the workers asked which keys they miss.
func (p *Peer) tickLooks() {
	may := p.entered() && !p.leaving.active && !p.conf.Member.Client
	for _, r := range p.runs.all {
		p.apply(r.look.tick(p.now, may && r.root != nil))
	}
}

// Unfinished hears the keys of a run's unfinished jobs.
func (p *Peer) Unfinished(now time.Duration, no RunNo, keys []steal.Key) []Effect {
	p.begin(now)
	if r := p.runs.numbered(no); r != nil {
		p.apply(r.look.unfinished(p.now, keys))
	}
	return p.end()
}

// resultWanted answers a peer that looks for a result.
func (p *Peer) resultWanted(a arrival, w orphan.WantResult) {
	r := p.runs.find(w.Run)
	answer := orphan.ResultIs{Run: w.Run, Key: w.Key}
	if r != nil {
		if result, ok := p.store.Get(w.Run, w.Key); ok {
			answer.Found, answer.Result, answer.Best = true, result, r.best.stamp(a.peer, a.incarnation)
		}
	}
	p.sendTo(a.peer, a.incarnation, answer)
}

// resultIs takes a result that this peer has asked for, once the best that it names is here.
func (p *Peer) resultIs(a arrival, b orphan.ResultIs) {
	r := p.runs.find(b.Run)
	switch {
	case r == nil || !r.look.awaits(a.life, b.Key):
	case isFound(b) && !p.takeBest(r, a.peer, a.incarnation, b.Best):
		p.hold(a.peer, a.message, b.Run, b.Best)
	default:
		p.apply(r.look.answered(p.now, a.life, b))
	}
}
