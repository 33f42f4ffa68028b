package node

import (
	"context"
	"slices"
	"sync"

	"satingrid/satin/program/across"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
)

// Attribution is a part of a run that one peer has computed for another: a job that was lent, and
// has ended.
type Attribution struct {
	What string // as its task says, which is a satin.Labelled
	Peer string
	Site string // of that peer
}

// creditsMax bounds the credits that are kept of all runs. The oldest go.
const creditsMax = 1 << 14

// contributed are those of a grid that is looked at.
type contributed struct {
	mu   sync.Mutex // protects what follows
	kept []creditOf
	came recording.Fresh
}

type creditOf struct {
	run string
	Attribution
}

// note takes the loans of a look that have a label.
func (c *contributed) note(s observe.Sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.came == nil {
		c.came = recording.Fresh{}
	}
	of := c.came.Of(s.Peers, 0).Of
	for _, d := range s.Peers {
		for _, l := range of[d.ID] {
			if l.What != "" {
				c.kept = append(c.kept, creditOf{l.Run, Attribution{l.What, d.Name, d.Site}})
			}
		}
	}
	c.kept = slices.Delete(c.kept, 0, max(len(c.kept)-creditsMax, 0))
}

// of are the credits of a run, by its id, in the order in which they were told of.
func (c *contributed) of(run string) (all []Attribution) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.kept {
		if k.run == run {
			all = append(all, k.Attribution)
		}
	}
	return all
}

// noted is a look that notes credits, and who is there.
func (p *Page) noted(look func(context.Context) (observe.Sample, error)) func(context.Context) (observe.Sample, error) {
	return func(ctx context.Context) (observe.Sample, error) {
		s, err := look(ctx)
		if err == nil {
			p.credits.note(s)
			p.seen.Store(&s)
		}
		return s, err
	}
}

// Credits are the parts of a run that peers have computed for others, as far as is known here,
// in the order in which they were told of; and who has the rest: the run's master.
func (p *Page) Credits(run string) (all []Attribution, rest Attribution) {
	if s := p.seen.Load(); s != nil {
		if i := slices.IndexFunc(s.Runs, func(r across.RunLine) bool { return r.ID == run }); i >= 0 {
			rest.Peer = s.Runs[i].Master
		}
		for _, m := range s.Members {
			if m.Name == rest.Peer {
				rest.Site = m.Site
			}
		}
	}
	return p.credits.of(run), rest
}
