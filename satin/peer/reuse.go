package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// lossesMax bounds how many losses are remembered with what they cost.
const lossesMax = 256

// LossReport tells what the loss of a peer has cost a run so far, as seen from here.
type LossReport struct {
	Peer        membership.PeerID
	Incarnation membership.Incarnation
	Name        string
	Site        membership.Site
	How         membership.How
	Noticed     time.Duration // since it was last heard; 0 when another noticed
	At          time.Duration
	LossCost
}

// LossCost is what a loss has cost one run.
type LossCost struct {
	Restarted int           // jobs that were put back
	Reused    int           // results that were found, and spared their work
	Saved     time.Duration // worker time that those had cost
}

// loss is a LossReport before it is known for which run it is asked.
type loss struct {
	LossReport
	costs []runCost // of the latest runs that it has cost anything
}

type runCost struct {
	run  RunNo
	cost *LossCost
}

// lossRunsMax bounds the runs of which it is remembered what a loss has cost them: one that has
// ended is asked about once more.
const lossRunsMax = 2 * RunsMax

// Losses lists the losses that this peer has survived, the latest last, with what
// each has cost a run.
func (p *Peer) Losses(run RunNo) []LossReport {
	all := make([]LossReport, 0, len(p.losses))
	for _, l := range p.losses {
		for _, c := range l.costs {
			if c.run == run {
				l.LossCost = *c.cost
			}
		}
		all = append(all, l.LossReport)
	}
	return all
}

// noteLoss begins the report of a loss.
func (p *Peer) noteLoss(l membership.Lost) {
	if len(p.losses) == lossesMax {
		p.losses = p.losses[1:]
	}
	m := l.Member
	p.losses = append(p.losses, loss{LossReport: LossReport{
		Peer: m.ID, Incarnation: m.Incarnation, Name: m.Name, Site: m.Site, How: m.How, Noticed: l.Noticed, At: p.now,
	}})
}

// latest is what the latest loss, to which what is restarted and reused now is put
// down, has cost a run.
func (p *Peer) latest(run RunNo) *LossCost {
	if len(p.losses) == 0 {
		return &LossCost{}
	}
	l := &p.losses[len(p.losses)-1]
	for _, c := range l.costs {
		if c.run == run {
			return c.cost
		}
	}
	if len(l.costs) == lossRunsMax {
		l.costs = l.costs[1:]
	}
	l.costs = append(l.costs, runCost{run, &LossCost{}})
	return l.costs[len(l.costs)-1].cost
}

// restarted counts a job of a run that a loss puts back.
func (p *Peer) restarted(run RunNo) {
	if p.losing {
		p.latest(run).Restarted++
	}
}

// reused counts a result that spared a run its work.
func (p *Peer) reused(run RunNo, result steal.Result) {
	p.stats.Reused++
	l := p.latest(run)
	l.Reused++
	l.Saved += time.Duration(result.Cost) * time.Millisecond
}

// putBack gives the workers a job back whose loan was lost. It is looked up before it starts: what
// is held here settles it, and what another holds is fetched while it is done again.
func (p *Peer) putBack(e steal.PutBack) {
	if p.planted(PlantNoLedger) {
		return
	}
	r := p.run(e.Run)
	if r == nil {
		return // the run has ended, and its jobs with it
	}
	if result, ok := p.store.Get(e.Run, e.Key); ok {
		p.reused(r.no, result)
		p.out = append(p.out, Settle{Ref: e.Ref, Result: result})
		return
	}
	hit, effects := r.look.putBack(p.now, e.Key)
	p.apply(effects)
	if hit && p.planted(PlantHitStopsWork) {
		return
	}
	p.stats.Again++
	p.restarted(r.no)
	p.out = append(p.out, PutBack{Ref: e.Ref, Again: true})
}
