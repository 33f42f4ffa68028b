package node

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

// outlook looks at all grids that a ticket leads to.
type outlook struct {
	where *Where
	by    *Invitation
	grids []gridSeen // one for each build
	last  observe.Sample
	lost  bool // none of them has answered the last time
	found time.Time
	loans bool // single loans are wanted, too
}

// newGridsEvery is how often it is looked for grids of other builds that have come since.
const newGridsEvery = time.Minute

// gridSeen is a grid of one build.
type gridSeen struct {
	build string
	*observe.Observer
}

// outlook finds them.
func (w *Where) outlook(ctx context.Context) (*outlook, error) {
	by, err := w.Invitation()
	if err != nil {
		return nil, err
	}
	o := &outlook{where: w, by: by}
	return o, o.find(ctx)
}

func (o *outlook) find(ctx context.Context) error {
	o.found = time.Now()
	v, err := o.where.byVisit(ctx, o.by, o.by.leads(o.where.state))
	if err != nil {
		return notVisited(o.where.con, err, o.by)
	}
	ownFirst(v.grids)
	if o.lost {
		o.grids, o.lost = nil, false
	}
	for _, g := range v.grids {
		if !slices.ContainsFunc(o.grids, func(s gridSeen) bool { return s.build == g.Short() }) {
			o.grids = append(o.grids, gridSeen{g.Short(), &observe.Observer{Ask: v.visitor.Ask, Addrs: g.Addrs}})
		}
	}
	return nil
}

// look looks at all of them. A grid that does not answer is named as missing. When none does, they
// are looked for anew the next time, where the ticket leads, and where they were.
func (o *outlook) look(ctx context.Context) (all observe.Sample, err error) {
	if o.lost || time.Since(o.found) > newGridsEvery {
		o.find(ctx) // where that fails, what is known of their hosts still holds
	}
	seen := false
	for _, g := range o.grids {
		g.Loans = o.loans
		s, failure := g.Look(ctx)
		if failure != nil {
			err = failure
			all.Missing = append(all.Missing, fmt.Sprintf("the grid of build %s does not answer: %s", g.build, bareP2P(failure)))
			continue
		}
		all, seen = all.Both(s), true
	}
	if !seen {
		o.lost = true
		return all, notVisited(o.where.con, err, o.by)
	}
	return all, nil
}

// next is what was done since it was looked at last.
func (o *outlook) next(ctx context.Context) (observe.View, error) {
	s, err := o.look(ctx)
	if err != nil {
		return observe.View{}, err
	}
	v := observe.Between(o.last, s)
	v.Schema = console.Schema
	o.last = s
	return v, nil
}

// showGrid shows what a whole grid does, in the second that follows.
func (w *Where) showGrid(c *cli.Context) error {
	stop := w.con.Catch(nil)
	defer stop.Release()
	return stop.Unless("interrupted", func(ctx context.Context) (err error) {
		var o *outlook
		console.WhileSlow(func() {
			if o, err = w.outlook(ctx); err == nil {
				o.last, err = o.look(ctx)
			}
			if err == nil {
				err = pause(ctx, watchEvery)
			}
		}, func() { w.con.Say("asking %s", w.Said()) })
		for err == nil {
			var v observe.View
			if v, err = o.next(ctx); err != nil {
				break
			}
			if c.Bool("json") {
				err = console.PrintJSON(w.con.Out, v)
			} else {
				err = w.con.Page(c.Bool("watch"), v.Print)
			}
			if err != nil || !c.Bool("watch") {
				break
			}
			err = pause(ctx, watchEvery)
		}
		return err
	})
}
