package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// lossesMax bounds how many losses are remembered with what they cost.
const lossesMax = 256

// LossReport tells what the loss of a peer has cost so far, as seen from here.
type LossReport struct {
	Peer        membership.PeerID
	Incarnation membership.Incarnation
	Name        string
	How         membership.How
	At          time.Duration
	Restarted   int           // jobs that were put back
	Reused      int           // results that were found, and spared their work
	Saved       time.Duration // worker time that those had cost
}

// Losses lists the losses that this peer has survived, the latest last.
func (p *Peer) Losses() []LossReport { return slices.Clone(p.losses) }

// noteLoss begins the report of a loss.
func (p *Peer) noteLoss(m membership.Member) {
	if len(p.losses) == lossesMax {
		p.losses = p.losses[1:]
	}
	p.losses = append(p.losses, LossReport{Peer: m.ID, Incarnation: m.Incarnation, Name: m.Name, How: m.How, At: p.now})
}

// latest is the loss to which what is restarted and reused now is put down.
func (p *Peer) latest() *LossReport {
	if len(p.losses) == 0 {
		return &LossReport{}
	}
	return &p.losses[len(p.losses)-1]
}

// restarted counts a job that a loss puts back.
func (p *Peer) restarted() {
	if p.losing {
		p.latest().Restarted++
	}
}

// reused counts a result that spared its work.
func (p *Peer) reused(result steal.Result) {
	p.stats.Reused++
	l := p.latest()
	l.Reused++
	l.Saved += time.Duration(result.Cost) * time.Millisecond
}

// use gives the workers a result that was found.
func (p *Peer) use(r *run, key steal.Key, result steal.Result) {
	if len(r.look.used) < KeysMax {
		r.look.used = append(r.look.used, key)
	}
	r.look.soon = p.now + lookSoonFor
	p.reused(result)
	p.out = append(p.out, Use{Run: r.no, Key: key, Result: result})
}

// putBack gives the workers a job back whose loan was lost. It is looked up before it starts: what is held here settles it, and what another holds
// is fetched while it is done again.
func (p *Peer) putBack(e steal.PutBack) {
	if p.planted(PlantNoLedger) {
		return
	}
	r := p.run(e.Run)
	if r == nil {
		return // the run has ended, and its jobs with it
	}
	if result, ok := p.store.Get(e.Run, e.Key); ok {
		p.reused(result)
		p.out = append(p.out, Settle{Ref: e.Ref, Result: result})
		return
	}
	hit := p.lookUp(r, e.Key)
	p.fetchNext(r)
	if hit && p.planted(PlantHitStopsWork) {
		return
	}
	p.stats.Again++
	p.restarted()
	p.out = append(p.out, PutBack{Ref: e.Ref, Again: true})
}
