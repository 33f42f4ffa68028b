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
	Number      LossNo
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
	Root      bool          // the run's root is one of them
	Reused    int           // results that were found, and spared their work
	Saved     time.Duration // worker time that those had cost
}

// losses are the losses that a peer has survived. What is reused is put down to the latest, as is
// what it puts back; a root that starts again, to that of its master.
type losses struct {
	all     []loss
	lost    LossNo // of the latest
	working bool   // that is being worked on
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

// begins hears of a loss that is worked on until settled is said.
func (l *losses) begins(now time.Duration, e membership.Lost) {
	if len(l.all) == lossesMax {
		l.all = l.all[1:]
	}
	m := e.Member
	l.lost++
	l.all = append(l.all, loss{LossReport: LossReport{
		Number: l.lost, Peer: m.ID, Incarnation: m.Incarnation, Name: m.Name, Site: m.Site, How: m.How, Noticed: e.Noticed, At: now,
	}})
	l.working = true
}

// settled hears that all that the latest loss puts back was.
func (l *losses) settled() { l.working = false }

// charge counts a job that is put back, and says because of which loss; 0: a message was lost.
func (l *losses) charge(run RunNo) LossNo {
	if !l.working {
		return 0
	}
	l.latest(run).Restarted++
	return l.lost
}

// succeeded hears that a run's root starts again here, for its master is gone.
func (l *losses) succeeded(run RunNo, master membership.PeerID) {
	c := l.latest(run)
	for n := range l.all {
		if x := &l.all[len(l.all)-1-n]; x.Peer == master {
			c = x.cost(run)
			break
		}
	}
	c.Restarted, c.Root = c.Restarted+1, true
}

// reused hears of a result that spared a run its work.
func (l *losses) reused(run RunNo, saved time.Duration) {
	c := l.latest(run)
	c.Reused++
	c.Saved = added(c.Saved, saved)
}

// latest is what the latest loss has cost a run.
func (l *losses) latest(run RunNo) *LossCost {
	if len(l.all) == 0 {
		return &LossCost{}
	}
	return l.all[len(l.all)-1].cost(run)
}

// cost is what a loss has cost a run.
func (x *loss) cost(run RunNo) *LossCost {
	for _, c := range x.costs {
		if c.run == run {
			return c.cost
		}
	}
	if len(x.costs) == lossRunsMax {
		x.costs = x.costs[1:]
	}
	x.costs = append(x.costs, runCost{run, &LossCost{}})
	return x.costs[len(x.costs)-1].cost
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
