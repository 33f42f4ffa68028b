package scenario

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/gridsim"
	"satingrid/membership"
	"satingrid/satin/program/chaos"
	"satingrid/satin/program/local"
)

// Played is what one simulation came to. Times are in seconds.
type Played struct {
	Seed       uint64  `json:"seed"`
	Ended      bool    `json:"ended"` // with an answer, within the limit
	Time       float64 `json:"time_seconds"`
	Ideal      float64 `json:"ideal_seconds"`
	Efficiency float64 `json:"efficiency"`
	Redone     float64 `json:"redone_seconds"`
	Near       float64 `json:"loans_near"`
	Far        float64 `json:"loans_far"`
	BytesFar   float64 `json:"bytes_far"`
	Losses     float64 `json:"losses"`
	Leaves     float64 `json:"leaves"`
	Mistaken   float64 `json:"mistaken"` // times that a peer held one dead that lived
	Messages   float64 `json:"messages"`
	// events of the scenario that have never happened
	Missed []string `json:"missed,omitempty"`
	Sum    string   `json:"sum"` // of all that happened; equal: it was the same
	Series []Point  `json:"series,omitempty"`
}

// limitLeast is how long a run may take at least where nothing is said of that; else it may take
// limitTimes what its peers at the start need.
const (
	limitLeast = 10 * time.Minute
	limitTimes = 20
)

// options are those of the simulation.
func (g *setting) options(seed uint64) (o gridsim.Options, limit time.Duration) {
	o = gridsim.Options{
		Seed: seed, Net: &g.net, Workload: g.work, Jobs: g.jobs, Work: g.alone, Span: g.span, Submitted: 1,
		CopyEvery: g.policy.copies, CopyOnce: g.policy.once, NoFT: g.policy.noFT, Gap: g.apart, Event: g.event, Asides: true,
		Policy: g.policy.stealing,
	}
	speed := 0
	for _, s := range g.sites {
		o.Sites = append(o.Sites, gridsim.Site{Name: membership.Site(s.Name), Peers: s.Peers, Workers: s.Workers, Speed: g.speeds[s.Name]})
		speed += s.Peers * s.Workers * g.speeds[s.Name]
	}
	if limit = g.limit; limit == 0 {
		limit = max(limitLeast, limitTimes*1000*g.alone/time.Duration(speed))
	}
	return o, limit
}

// play simulates once, or until nobody wants it any more. watch, if it is not nil, looks on.
func (g *setting) play(ctx context.Context, seed uint64, watch func(*gridsim.Rehearsal)) (Played, error) {
	o, limit := g.options(seed)
	c, course := newConductor(g, seed), intervals{every: g.series, next: g.series}
	var last *gridsim.Rehearsal
	out, err := gridsim.Rehearse(o, limit, func(r *gridsim.Rehearsal) {
		if ctx.Err() != nil {
			r.GiveUp()
			return
		}
		last = r
		c.look(r)
		course.look(r)
		if watch != nil {
			watch(r)
		}
	})
	r := Played{
		Seed: seed, Ended: out.Answered && !out.Failed, Time: out.Took.Seconds(), Ideal: out.Ideal.Seconds(), Efficiency: float64(out.Ideal) / float64(max(out.Took, 1)),
		Redone: out.Redone.Seconds(), Near: float64(out.LentNear), Far: float64(out.LentFar), BytesFar: float64(out.BytesFar),
		Losses: float64(out.Killed), Leaves: float64(out.Left), Mistaken: float64(out.Mistaken), Messages: float64(out.Messages), Sum: fmt.Sprintf("%x", out.Hash),
	}
	if !r.Ended {
		r.Efficiency = 0
	}
	if g.series > 0 && last != nil {
		course.take(last) // what is left
		r.Series = course.all
	}
	_, r.Missed = c.engine.Report()
	r.Missed = append(r.Missed, c.replay.told()...)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	return r, err
}

// conductor makes happen what a scenario says.
type conductor struct {
	g      *setting
	r      *gridsim.Rehearsal
	engine *chaos.Engine
	draw   *rand.Rand
	going  map[string]time.Duration // peers with a notice, and when they are gone
	coming []comer
	slow   []bool // which slowings are on
	replay replay
}

// comer is a peer that will come in the place of one that is lost.
type comer struct {
	at   time.Duration
	site string
}

func newConductor(g *setting, seed uint64) *conductor {
	c := &conductor{g: g, draw: rand.New(rand.NewPCG(seed, 0x6c6f7373)), going: map[string]time.Duration{}, slow: make([]bool, len(g.slow)), replay: newReplay(seed)}
	c.engine = chaos.New(g.events, c, g.sites, int64(seed), func(string, chaos.Fault) {})
	c.engine.PeersMost(PeersMax)
	return c
}

// look makes happen what is due.
func (c *conductor) look(r *gridsim.Rehearsal) {
	c.r = r
	c.slows()
	c.loses()
	c.replays()
	if len(c.g.events) > 0 {
		c.engine.Look(r.Now(), r.Done())
	}
}

// slows gives workers another speed, and their own again.
func (c *conductor) slows() {
	for n, s := range c.g.slow {
		on := c.r.Now() >= s.at && c.r.Now() < s.until
		if on == c.slow[n] {
			continue
		}
		c.slow[n] = on
		for _, a := range c.r.Actors() {
			name := fmt.Sprintf("%s/%d", s.who.Site, s.who.Number)
			if string(a.Site) != s.who.Site || s.who.Number > 0 && a.Name != name {
				continue
			}
			speed := c.speed(s.who.Site)
			if on {
				speed = s.speed
			}
			c.r.Slow(a.Name, speed)
		}
	}
}

func (c *conductor) speed(site string) int { return c.g.speeds[site] }

// loses lets peers go by chance: each as likely in each moment as in any other, which is what a
// Poisson process is.
func (c *conductor) loses() {
	l := c.g.losses
	if l.mean == 0 {
		return
	}
	now := c.r.Now()
	for len(c.coming) > 0 && c.coming[0].at <= now {
		c.r.Join(membership.Site(c.coming[0].site), c.workers(c.coming[0].site))
		c.coming = c.coming[1:]
	}
	for _, a := range c.r.Actors() {
		site := string(a.Site)
		if by, told := c.going[a.Name]; told && now >= by {
			c.r.Kill(a.Name)
		} else if !told && (len(l.sites) == 0 || slices.Contains(l.sites, site)) && c.draw.Float64() < float64(gridsim.LookEvery)/float64(l.mean) {
			c.going[a.Name] = now + l.notice
			if l.notice == 0 {
				c.r.Kill(a.Name)
			} else {
				c.r.Leave(a.Name, l.notice)
			}
			if l.again >= 0 {
				c.coming = append(c.coming, comer{now + l.notice + l.again, site})
			}
		}
	}
}

// workers is how many workers a peer of a site has.
func (c *conductor) workers(site string) int {
	for _, s := range c.g.sites {
		if s.Name == site {
			return s.Workers
		}
	}
	return 1
}

// The conductor is the ground of the script.

// Alive are the peers that live.
func (c *conductor) Alive() (all []local.Peer) {
	for _, a := range c.r.Actors() {
		all = append(all, local.Peer{Name: a.Name, Site: string(a.Site), Stopped: a.Stopped, Leaving: a.Leaving})
	}
	return all
}

// Master is the run's.
func (c *conductor) Master() string { return c.r.Master() }

// done is whether there was somebody to whom something could happen.
func done(happened bool, name string) error {
	if !happened {
		return fmt.Errorf("%s is gone", name)
	}
	return nil
}

// Kill lets a peer die.
func (c *conductor) Kill(name string) error { return done(c.r.Kill(name), name) }

// Stop stops one.
func (c *conductor) Stop(name string) error { return done(c.r.Stop(name), name) }

// Cont lets it go on.
func (c *conductor) Cont(name string) error { return done(c.r.Continue(name), name) }

// Leave tells one to leave.
func (c *conductor) Leave(name string) error {
	return done(c.r.Leave(name, c.g.policy.leave), name)
}

// Join starts one.
func (c *conductor) Join(site string, workers int) (string, error) {
	return c.r.Join(membership.Site(site), workers), nil
}

// Cut parts two sites.
func (c *conductor) Cut(x local.Cut) {
	c.r.Cut(membership.Site(x.From), membership.Site(x.To), x.Both)
}

// Heal ends all cuts.
func (c *conductor) Heal() { c.r.Heal() }
