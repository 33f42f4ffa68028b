package node

import (
	"context"
	"errors"
	"slices"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/ticket"
)

// atOnceMax is how long it is looked for somebody to visit: some round trips across the world.
// Mostly who does not answer is a machine that is gone.
const atOnceMax = 2 * time.Second

// atOnce are the grids that the ticket leads to, or who is at these addresses too, to be asked by
// visits. A client would have to be let in first, for which a program may have to read all of
// itself, to tell its build; a visit needs the secret alone. Where nobody can be visited, a client
// may still come in: through relays, and where members have no node's verbs.
func (w *Where) atOnce(ctx context.Context, addrs ...string) (v byVisit, err error) {
	ctx, cancel := context.WithTimeout(ctx, atOnceMax)
	defer cancel()
	v.where, v.found = w, time.Now()
	var own string
	v.visitor, own = w.by.visitor(w.state)
	leads := w.by.leads(w.state)
	if w.by.here { // it has heard what was said through it, and others may not have yet
		leads = w.by.Ticket.Addrs
	}
	got, err := v.visitor.AskOne(ctx, across.Question{Ask: across.AskGrid}, each(addrs, leads))
	switch {
	case err != nil:
		return v, err
	case got.Answer.Portrait == nil:
		return v, errors.New("its answer says nothing of its grid")
	}
	first := *got.Answer.Portrait
	first.Addrs = each(got.Host.Addrs, first.Addrs) // as Grids has it
	v.grids = []across.Portrait{first}
	v.meet(ctx, own)
	return v, nil
}

// renew finds them again where that was long ago: who watches a grid sees hosts come and go. Where
// that fails, what is known of their hosts still holds.
func (v *byVisit) renew(ctx context.Context) {
	if v.found.IsZero() || time.Since(v.found) < newGridsEvery {
		return
	}
	v.found = time.Now()
	var addrs []string
	for _, g := range v.grids {
		addrs = append(addrs, g.Addrs...)
	}
	if again, err := v.where.atOnce(ctx, addrs...); err == nil {
		*v = again
	}
}

// meet looks for the grids of other builds that the ticket names, and that the first knows of.
// Mostly there is none, and nobody else is visited.
func (v *byVisit) meet(ctx context.Context, own string) {
	first := v.grids[0]
	known := map[string]bool{own: true}
	for _, h := range ticket.HostsOf(first.Addrs) {
		known[h.ID] = true
	}
	leads := v.where.by.Ticket.Addrs
	for _, g := range slices.Concat(first.Next, first.Previous) {
		leads = slices.Concat(leads, g.Addrs)
	}
	strange := unmet(leads, func(id string) bool { return known[id] })
	if len(strange) == 0 {
		return
	}
	more, _ := v.visitor.Grids(ctx, strange) // who is not there any more is none
	for _, g := range more {
		if across.GridOf(v.grids, g.Build) == nil {
			v.grids = append(v.grids, g)
		}
	}
	if len(v.grids) > 1 {
		ownFirst(v.grids)
	}
}

// ownFirst puts the grid of this build before the others.
func ownFirst(grids []across.Portrait) {
	i := slices.IndexFunc(grids, func(g across.Portrait) bool { return g.Build == identity().Digest })
	if i > 0 {
		own := grids[i]
		copy(grids[1:], grids[:i])
		grids[0] = own
	}
}
