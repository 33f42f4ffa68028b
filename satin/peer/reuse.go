package peer

import (
	"time"

	"satingrid/steal"
)

// reused counts a result that spared a run its work.
func (p *Peer) reused(run RunNo, result steal.Result) {
	p.stats.Reused++
	p.losses.reused(run, time.Duration(result.Cost)*time.Millisecond)
}

// putBack gives the workers a job back whose loan was lost. It is looked up before it starts: what
// is held here settles it, and what another holds is fetched while it is done again.
func (p *Peer) putBack(e steal.PutBack) {
	r := p.runs.find(e.Run)
	if r == nil {
		return // the run has ended, and its jobs with it
	}
	if result, ok := p.store.Get(e.Run, e.Key); ok {
		p.reused(r.no, result)
		p.out = append(p.out, Settle{Ref: e.Ref, Result: result})
		return
	}
	p.apply(r.look.putBack(p.now, e.Key))
	p.stats.Again++
	p.losses.putBack(r.no)
	p.out = append(p.out, PutBack{Ref: e.Ref, Again: true})
}
