package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
	"satingrid/satin/ticket"
)

// visitor visits hosts of the grids that the invitation leads to. id is what it has itself; "":
// none that is kept.
func (by *Invitation) visitor(state string) (v across.Visitor, id string) {
	v.Ticket = by.Ticket
	folder := clientFolder(state, by.Ticket.Grid)
	id, err := p2p.PeerID(folder)
	if err != nil {
		return v, ""
	}
	v.State = folder
	return v, id
}

// leads are the addresses of hosts of those grids.
func (by *Invitation) leads(state string) []string {
	addrs := each(by.Ticket.Addrs, satin.KnownAddrs(clientFolder(state, by.Ticket.Grid)))
	return addrs[:min(len(addrs), ledMax)]
}

// openKin opens a client of the grid of this build, where members of another know of it.
func (by *Invitation) openKin(ctx context.Context, con *console.Console, state string, config satin.Config, refusal error) (*satin.Peer, error) {
	look, cancel := context.WithTimeout(ctx, elsewhereMax)
	defer cancel()
	visitor, _ := by.visitor(state)
	grids, err := visitor.Grids(look, by.leads(state))
	own := across.GridOf(grids, identity().Digest)
	if err != nil || own == nil || len(own.Addrs) == 0 {
		return nil, otherBuild(con, by, refusal, grids, "start one with "+con.Name+" node --next --join TICKET")
	}
	con.Say("%s leads to a grid of another build; going to the one of this build, at %s", by.Said, own.Addrs[0])
	config.WhenAlone = satin.AloneFoundsAnew
	config.Ticket = by.Ticket
	config.Ticket.Addrs = own.Addrs
	return by.open(ctx, state, config)
}

// otherBuild is the error of a grid that is of another build: what that is, whether one of this
// build is among those that are known there, and what to do.
func otherBuild(con *console.Console, by *Invitation, refusal error, grids []across.Portrait, advice string) error {
	text := JoinError(con, refusal, by).Error()
	if own := across.GridOf(grids, identity().Digest); own != nil && len(own.Addrs) > 0 {
		text += "; the grid of this build is at " + own.Addrs[0] + ": " + advice
	} else {
		text += "; no grid of this build is known there: " + advice
	}
	return &console.Error{Code: console.ExitIncompatible, Text: text}
}

// byVisit are the grids of any build that a way leads to, asked in the form that all builds have.
type byVisit struct {
	where   *Where
	visitor across.Visitor
	grids   []across.Portrait
	found   time.Time // when that was; zero: they are not found again
}

// byVisit finds those that hosts at some addresses are of, or know of.
func (w *Where) byVisit(ctx context.Context, by *Invitation, addrs []string) (v byVisit, err error) {
	ctx, cancel := context.WithTimeout(ctx, elsewhereMax)
	defer cancel()
	v.where = w
	v.visitor, _ = by.visitor(w.state)
	v.grids, err = v.visitor.Grids(ctx, addrs)
	return v, err
}

// unmet are the addresses of hosts that are not known yet.
func unmet(addrs []string, known func(id string) bool) (strange []string) {
	for _, h := range ticket.HostsOf(addrs) {
		if !known(h.ID) {
			strange = append(strange, h.Addrs...)
		}
	}
	return strange
}

// strange are the grids of other builds that an invitation leads to.
func (w *Where) strange(ctx context.Context, by *Invitation) (byVisit, error) {
	v, err := w.byVisit(ctx, by, by.leads(w.state))
	v.grids = slices.DeleteFunc(v.grids, func(g across.Portrait) bool { return g.Build == identity().Digest })
	return v, err
}

// list are the runs of all of them. A grid that does not tell its own is left out, and named as
// missing, unless all are.
func (v *byVisit) list(ctx context.Context) (all jobList, err error) {
	v.renew(ctx)
	all.builds = []string{}
	var silent []string
	for _, g := range v.grids {
		name, some, err := v.listOne(ctx, g)
		if err != nil {
			silent = append(silent, fmt.Sprintf("the grid of build %s does not tell its runs: %s", g.Short(), bareP2P(err)))
			continue
		}
		if all.build == "" {
			all.grid, all.build = name, g.Build
		}
		all.runs = append(all.runs, some...)
		all.builds = append(all.builds, slices.Repeat([]string{g.Build}, len(some))...)
	}
	if len(silent) > 0 {
		all.missing = console.Refused("%s: %s", v.where.by.Said, strings.Join(silent, "; "))
	}
	if all.build == "" {
		return all, all.missing
	}
	return all, nil
}

// listOne are the runs of one of them, and its name.
func (v *byVisit) listOne(ctx context.Context, g across.Portrait) (name string, all []satin.RunStats, err error) {
	a, err := v.visitor.Ask(ctx, across.Question{Ask: across.AskJobs}, g.Addrs...)
	switch {
	case err != nil:
		return "", nil, err
	case a.Jobs == nil:
		return "", nil, errors.New("its answer names none")
	}
	for _, j := range a.Jobs.Runs {
		r, err := runOf(j)
		if err != nil {
			return "", nil, fmt.Errorf("it tells of one that is none: %w", err)
		}
		all = append(all, r)
	}
	return a.Jobs.Grid, all, nil
}

// gridOf is the grid that a run is on: where there is one grid, that has been asked already.
func (v *byVisit) gridOf(ctx context.Context, id satin.RunID) (across.Portrait, error) {
	if len(v.grids) == 1 {
		return v.grids[0], nil
	}
	all, err := v.list(ctx)
	if err != nil {
		return across.Portrait{}, err
	}
	for i, r := range all.runs {
		if r.ID == id {
			return *across.GridOf(v.grids, all.builds[i]), nil
		}
	}
	if all.missing != nil {
		return across.Portrait{}, all.missing
	}
	return across.Portrait{}, satin.ErrNoRun
}

func (v *byVisit) cancel(ctx context.Context, r satin.RunStats) error {
	_, err := v.ask(ctx, r.ID, across.Question{Ask: across.AskCancel, Run: r.ID.String()})
	return err
}

// ask asks the grid that a run is on.
func (v *byVisit) ask(ctx context.Context, id satin.RunID, q across.Question) (across.Response, error) {
	g, err := v.gridOf(ctx, id)
	if err != nil {
		return across.Response{}, err
	}
	return v.askOne(ctx, g, q)
}

// askOne asks one of them.
func (v *byVisit) askOne(ctx context.Context, g across.Portrait, q across.Question) (across.Response, error) {
	a, err := v.visitor.Ask(ctx, q, g.Addrs...)
	if err != nil {
		err = notVisited(v.where.con, err, v.where.by)
	}
	return a, err
}

func (v *byVisit) share(ctx context.Context, r satin.RunStats, n int) error {
	_, err := v.ask(ctx, r.ID, across.Question{Ask: across.AskShare, Run: r.ID.String(), Share: n})
	return err
}

func (v *byVisit) story(ctx context.Context, word string, from int) (s runs.Story, err error) {
	v.renew(ctx)
	for _, g := range v.grids {
		a, failure := v.askOne(ctx, g, across.Question{Ask: across.AskLogs, Run: word, From: from})
		switch {
		case failure == nil && a.Story != nil:
			return *a.Story, nil
		case failure == nil:
			failure = errors.New("its answer tells nothing of a run")
		}
		if err == nil {
			err = failure
		} else if !isUsage(failure) { // it may be there
			err = console.Refused("%v; and %v", err, failure)
		}
	}
	return s, err
}

// isUsage tells whether an error is that of what was typed.
func isUsage(err error) bool {
	var told *console.Error
	return errors.As(err, &told) && told.Code == console.ExitUsage
}

// notAcross is the error of what needs a grid of one's own build.
func (v *byVisit) notAcross(verb string) error {
	return &console.Error{Code: console.ExitIncompatible, Text: fmt.Sprintf("%s: it is of build %s, this is %.12s, and %s is for grids of its own build: use that one's command",
		v.where.by.Said, v.grids[0].Short(), identity().Digest, verb)}
}

func (*byVisit) close() {}

// Elsewhere is the error of a verb that is for runs of its own build, where the grid of another
// build has the run that the command line means. Where none has, it is the error for which it was
// looked for there.
func (w *Where) Elsewhere(ctx context.Context, verb string, otherwise error) error {
	if w.by == nil {
		return otherwise
	}
	v, err := w.strange(ctx, w.by)
	if err != nil || len(v.grids) == 0 {
		return otherwise
	}
	all, err := v.list(ctx)
	if err != nil {
		return otherwise
	}
	r, err := w.findRun(all.runs)
	if err != nil {
		return otherwise
	}
	if g, err := v.gridOf(ctx, r.ID); err == nil {
		v.grids = []across.Portrait{g}
	}
	return v.notAcross(verb)
}

// Result is the answer of the run that the command line means, as a member of its grid prints it
// for who visits. It is nil where a client has to fetch it: nobody can be visited, a visit cannot
// bring it, or the run is of this build and not as a member can print it.
func (w *Where) Result(ctx context.Context, asJSON bool, canPrint func(satin.RunStats) bool) (*across.Printed, error) {
	if _, err := w.Invitation(); err != nil {
		return nil, err
	}
	v, err := w.atOnce(ctx)
	if err != nil {
		return nil, nil // a client says why
	}
	r, err := w.find(ctx, v.list)
	if err != nil {
		return nil, err
	}
	g, err := v.gridOf(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	own := g.Build == identity().Digest
	if own && !canPrint(r) {
		return nil, nil
	}
	a, err := v.visitor.Ask(ctx, across.Question{Ask: across.AskResult, Run: r.ID.String(), JSON: asJSON}, g.Addrs...)
	var no *across.Denial
	switch {
	case err == nil:
		return a.Printed, nil
	case own && (a.Fetch || !errors.As(err, &no)):
		return nil, nil
	}
	return nil, notVisited(w.con, err, w.by)
}

// ResultElsewhere is the answer of the run that the command line means, of a grid of another build,
// as that prints it. found: there is such a run, or nobody can tell. Where it waits for the answer,
// it asks again.
func (w *Where) ResultElsewhere(ctx context.Context, asJSON, waits bool) (result *across.Printed, found bool, err error) {
	by, err := w.Invitation()
	if err != nil {
		return nil, false, err
	}
	v, err := w.strange(ctx, by)
	if err != nil || len(v.grids) == 0 {
		return nil, false, err
	}
	for {
		all, err := v.list(ctx)
		if err != nil {
			return nil, found, err
		}
		r, err := w.findIn(all)
		if err != nil {
			return nil, found || all.missing != nil, err
		}
		found = true
		if r.State.HasAnswer() || !waits {
			a, err := v.ask(ctx, r.ID, across.Question{Ask: across.AskResult, Run: r.ID.String(), JSON: asJSON})
			return a.Printed, true, err
		}
		if err := pause(ctx, time.Second); err != nil {
			return nil, true, err
		}
	}
}
