package scenario

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/gridsim"
	"satingrid/membership"
	"satingrid/satin/program/chaos"
)

// missedMax is how many lines of a trace are told that could not happen.
const missedMax = 20

// replay makes happen what a trace has.
type replay struct {
	draw   *rand.Rand
	next   int        // of the lines
	gone   []reprieve // those who are told to leave
	missed []string
	more   int // that were missed, too
}

// reprieve is by when a peer is gone.
type reprieve struct {
	name string
	by   time.Duration
}

func newReplay(seed uint64) replay {
	return replay{draw: rand.New(rand.NewPCG(seed, 0x7472616365))}
}

// replays makes happen what of the trace is due.
func (c *conductor) replays() {
	now := c.r.Now()
	c.replay.gone = slices.DeleteFunc(c.replay.gone, func(n reprieve) bool {
		if n.by > now {
			return false
		}
		c.r.Kill(n.name) // unless it has left
		return true
	})
	for c.replay.next < len(c.g.trace) && c.g.trace[c.replay.next].at <= now {
		h := &c.g.trace[c.replay.next]
		c.replay.next++
		if happened := c.happens(h); happened < h.count {
			c.replay.misses(h, h.count-happened)
		}
	}
}

// happens makes a line happen to as many as it says, and returns to how many it could.
func (c *conductor) happens(h *occurrence) (happened int) {
	site := membership.Site(h.who.Site)
	switch h.verb {
	case latency:
		c.r.Distance(membership.Site(h.way.From), membership.Site(h.way.To), h.delay)
		if h.way.Both {
			c.r.Distance(membership.Site(h.way.To), membership.Site(h.way.From), h.delay)
		}
		return h.count
	case chaos.Join:
		workers := h.workers
		if workers == 0 {
			workers = c.workers(h.who.Site)
		}
		room := PeersMax - len(c.r.Actors())
		for happened < min(h.count, room) {
			c.r.Join(site, workers)
			happened++
		}
		return happened
	}
	fit := slices.DeleteFunc(c.r.Actors(), func(a gridsim.Actor) bool {
		return a.Site != site || h.who.Number > 0 && a.Name != fmt.Sprintf("%s/%d", h.who.Site, h.who.Number) || !c.can(h.verb, a)
	})
	for happened < h.count && len(fit) > 0 {
		n := c.replay.draw.IntN(len(fit))
		c.acts(h, fit[n].Name)
		fit = slices.Delete(fit, n, n+1)
		happened++
	}
	return happened
}

// can tells whether a verb changes anything about a peer. One that stands still cannot hear that it
// shall leave.
func (c *conductor) can(verb chaos.Verb, a gridsim.Actor) bool {
	switch verb {
	case chaos.Stop:
		return !a.Stopped
	case chaos.Cont:
		return a.Stopped
	case chaos.Leave:
		return !a.Stopped && !a.Leaving
	}
	return true
}

// acts makes a line happen to one peer.
func (c *conductor) acts(h *occurrence, name string) {
	switch h.verb {
	case chaos.Kill:
		c.r.Kill(name)
	case chaos.Stop:
		c.r.Stop(name)
	case chaos.Cont:
		c.r.Continue(name)
	default:
		within := h.notice
		if within < 0 {
			within = c.g.policy.leave
		} else {
			c.replay.gone = append(c.replay.gone, reprieve{name, c.r.Now() + within})
		}
		c.r.Leave(name, within)
	}
}

// misses notes that a line could not happen to so many.
func (p *replay) misses(h *occurrence, peers int) {
	if len(p.missed) == missedMax {
		p.more++
		return
	}
	who := fmt.Sprintf("%d of %s", peers, h.who.Site)
	if h.who.Number > 0 {
		who = fmt.Sprintf("%s/%d", h.who.Site, h.who.Number)
	}
	p.missed = append(p.missed, fmt.Sprintf("%s %s (%s)", h.verb, who, h.where()))
}

// told are the lines that could not happen.
func (p *replay) told() []string {
	if p.more > 0 {
		return append(slices.Clone(p.missed), fmt.Sprintf("what %d lines more say", p.more))
	}
	return p.missed
}
