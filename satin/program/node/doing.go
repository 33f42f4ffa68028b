package node

import (
	"context"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/runs"
)

// beAsked makes the node ready for those who want to know what is done at its site.
func (n *nodeState) beAsked() {
	n.census.Self, n.census.Own, n.census.Members, n.census.Ask = n.peer.ID(), n.doing, n.peer.Members, n.visitor().Ask
}

// activity is what the members at this site do, or this one alone.
func (n *nodeState) activity(ctx context.Context, alone bool) *across.Activity {
	a := &across.Activity{By: n.peer.Name(), Sees: []across.SiteSeen{}, Lost: map[string]int{}}
	if alone {
		a.Doing = []across.Doing{n.doing()}
		return a
	}
	a.Doing, a.Sees = n.census.Take(ctx), observe.SitesSeen(n.peer.Members())
	if lost := n.roster.counts(); lost != nil {
		a.Lost = lost
	}
	return a
}

// doing is what this node does.
func (n *nodeState) doing() across.Doing {
	s := n.Status()
	d := across.Doing{
		Name: s.Name, ID: s.ID, Site: s.Site, Build: s.Build, State: "here",
		Answers: true, Totals: s.Totals, Memory: observe.Memory(), Runs: []across.RunShare{},
		// to the moment, and not as it is shown: rates are made of it
		Uptime: console.Round(time.Since(n.start).Seconds()), Left: n.left(time.Now()),
	}
	d.Room, d.Load = observe.Machine()
	for _, m := range s.Members {
		if m.ID == s.ID {
			d.State, d.Workers = m.State, m.Workers
		}
	}
	for _, r := range s.Runs {
		if r.State.HasAnswer() || r.Jobs == 0 && !r.Here || len(d.Runs) == across.RunsMax {
			continue
		}
		app, _ := runs.Called(r, n.display.AppOf)
		d.Runs = append(d.Runs, across.RunShare{
			ID: r.ID.String(), App: app, Share: r.Share, Progress: r.Progress, Root: r.Here, Jobs: r.Jobs, Busy: r.Busy,
		})
	}
	return d
}

// left is how many seconds there are until this node has to be gone; nil: it has not to, as far as
// is known.
func (n *nodeState) left(now time.Time) *float64 {
	at := n.lifetime
	if e := n.ends.Load(); e != nil && !e.At.IsZero() && (at.IsZero() || e.At.Before(at)) {
		at = e.At
	}
	if at.IsZero() {
		return nil
	}
	left := console.Round(at.Sub(now).Seconds())
	return &left
}
