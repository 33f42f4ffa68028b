package node

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/runs"
	"satingrid/satin/ticket"
)

// Informant tells whoever observes a grid what a peer does, and what it sees of the others. A node
// has one; so may any process that is a peer: Visit and Event go into its Config, and Of follows
// when it is open.
type Informant struct {
	ticket ticket.Ticket
	appOf  func(task string) string
	left   func(now time.Time) *float64 // seconds until it has to be gone; nil: not known to
	since  time.Time
	roster *roster
	peer   atomic.Pointer[satin.Peer]
	census observe.Census
}

// NewInformant is one for a peer of the grid of a ticket. appOf tells which application a task is
// the root of.
func NewInformant(t ticket.Ticket, appOf func(task string) string) *Informant {
	return &Informant{ticket: t, appOf: appOf, since: time.Now(), roster: &roster{}, left: func(time.Time) *float64 { return nil }}
}

// Of says that the peer is open, of which it tells from now on.
func (w *Informant) Of(p *satin.Peer) {
	w.census.Self, w.census.Own, w.census.Members, w.census.Ask = p.ID(), w.doing, p.Members, across.Visitor{Ticket: w.ticket}.Ask
	w.peer.Store(p)
}

// Event hears of the peer's grid.
func (w *Informant) Event(e satin.Event) { w.roster.event(e) }

// Visit answers what observers ask, and nothing else.
func (w *Informant) Visit(ctx context.Context, _ string, question []byte) []byte {
	a, err := w.answer(ctx, question)
	if err != nil {
		a = across.Response{Error: err.Error(), Code: console.ExitFailed}
	}
	return a.Text()
}

func (w *Informant) answer(ctx context.Context, question []byte) (a across.Response, err error) {
	q, err := across.Understand(question)
	switch {
	case err != nil:
		return a, err
	case w.peer.Load() == nil:
		return a, errors.New("this peer is not in its grid yet; ask again")
	}
	switch q.Ask {
	case across.AskPeers:
		a.Peers = peersOf(w.status())
	case across.AskJobs:
		a.Jobs = jobsOf(listOf(w.status()), w.appOf)
	case across.AskDoing:
		a.Activity = w.activity(ctx, q)
	default:
		err = fmt.Errorf("this peer is no node, and does not answer what %.20q asks", string(q.Ask))
	}
	return a, err
}

// status is what it knows of its peer.
func (w *Informant) status() admin.Status {
	p := w.peer.Load()
	return admin.Status{
		Build: identity().Digest, Name: p.Name(), ID: p.ID(), Site: p.Site(), Grid: w.ticket.Grid,
		Members: p.Members(), Runs: p.Runs(), Totals: p.Totals(),
	}
}

// activity is what the members at this site do, or this one alone.
func (w *Informant) activity(ctx context.Context, q across.Question) *across.Activity {
	p := w.peer.Load()
	a := &across.Activity{By: p.Name(), Sees: []across.SiteSeen{}, Lost: map[string]int{}}
	if q.Alone {
		a.Doing = []across.Doing{w.doing(q.Loans)}
		return a
	}
	a.Doing, a.Sees = w.census.Take(ctx, q.Loans), observe.SitesSeen(p.Members())
	if lost := w.roster.counts(); lost != nil {
		a.Lost = lost
	}
	a.Gone, a.Ended = w.roster.told(w.since), w.roster.toldEnds(w.since)
	return a
}

// doing is what this peer does, with its last loans where these are wanted.
func (w *Informant) doing(loans bool) across.Doing {
	s := w.status()
	d := across.Doing{
		Name: s.Name, ID: s.ID, Site: s.Site, Build: s.Build, State: "here",
		Answers: true, Totals: s.Totals, Memory: observe.Memory(), Runs: []across.RunShare{},
		// to the moment, and not as it is shown: rates are made of it
		Uptime: console.Round(time.Since(w.since).Seconds()), Left: w.left(time.Now()),
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
		app, _ := runs.Called(r, w.appOf)
		d.Runs = append(d.Runs, across.RunShare{
			ID: r.ID.String(), App: app, Share: r.Share, Progress: r.Progress, Root: r.Here, Jobs: r.Jobs, Busy: r.Busy,
		})
	}
	if loans {
		d.Loans = loansOf(w.peer.Load(), d.Uptime)
	}
	return d
}

// loansOf are the last loans of a peer that has been up for so many seconds.
func loansOf(p *satin.Peer, up float64) (all []across.Loan) {
	last := p.Loans(0)
	for _, l := range last[len(last)-min(len(last), across.LoansMax):] {
		all = append(all, across.Loan{
			No: l.No, Run: l.Run.String(), From: l.From, What: l.What, At: console.Round(up - l.Ago.Seconds()), Took: console.Round(l.Took.Seconds()),
		})
	}
	return all
}

// beAsked makes the node ready for those who want to know what is done at its site.
func (n *nodeState) beAsked() {
	w := &n.informant
	w.ticket, w.appOf, w.left, w.since, w.roster = n.ticket, n.display.AppOf, n.left, n.start, &n.roster
	w.Of(n.peer)
	w.census.Ask = n.visitor().Ask
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
