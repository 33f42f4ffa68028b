package peer

import (
	"time"

	"satingrid/membership"
)

const (
	// how many losses are remembered with what they cost
	lossesMax = 256
	// of how many runs it is remembered what a loss has cost them: one that has ended is asked
	// about once more
	lossRunsMax = 2 * RunsMax
)

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

// losses are the losses that a peer has survived. What is restarted and reused is put down to the
// latest.
type losses struct {
	all     []loss
	working bool // the latest is being worked on
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

// lost hears of a loss that is worked on until settled is said.
func (l *losses) lost(now time.Duration, e membership.Lost) {
	if len(l.all) == lossesMax {
		l.all = l.all[1:]
	}
	m := e.Member
	l.all = append(l.all, loss{LossReport: LossReport{
		Peer: m.ID, Incarnation: m.Incarnation, Name: m.Name, Site: m.Site, How: m.How, Noticed: e.Noticed, At: now,
	}})
	l.working = true
}

// settled hears that all that the latest loss puts back was.
func (l *losses) settled() { l.working = false }

// putBack hears of a job that is put back: because of a loss, or of a message that was lost.
func (l *losses) putBack(run RunNo) {
	if l.working {
		l.latest(run).Restarted++
	}
}

// succeeded hears that a run's root starts again here, for its master is gone.
func (l *losses) succeeded(run RunNo) { l.latest(run).Restarted++ }

// reused hears of a result that spared a run its work.
func (l *losses) reused(run RunNo, saved time.Duration) {
	c := l.latest(run)
	c.Reused++
	c.Saved += saved
}

// latest is what the latest loss has cost a run.
func (l *losses) latest(run RunNo) *LossCost {
	if len(l.all) == 0 {
		return &LossCost{}
	}
	last := &l.all[len(l.all)-1]
	for _, c := range last.costs {
		if c.run == run {
			return c.cost
		}
	}
	if len(last.costs) == lossRunsMax {
		last.costs = last.costs[1:]
	}
	last.costs = append(last.costs, runCost{run, &LossCost{}})
	return last.costs[len(last.costs)-1].cost
}

// reports lists the losses, the latest last, with what each has cost a run.
func (l *losses) reports(run RunNo) []LossReport {
	all := make([]LossReport, 0, len(l.all))
	for _, o := range l.all {
		for _, c := range o.costs {
			if c.run == run {
				o.LossCost = *c.cost
			}
		}
		all = append(all, o.LossReport)
	}
	return all
}
