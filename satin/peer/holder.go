package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// givenUp is when a holder that has not acknowledged is left for another.
func (c *copier) givenUp(y *copying) time.Duration {
	return y.since + copyWait + c.patience(copySize(y.out))
}

// reviewHolder chooses who keeps this peer's parts: one in another site, else any; another when the
// present one is leaving.
func (c *copier) reviewHolder() {
	m, ok := c.members.Member(c.holder.peer)
	ok = ok && m.Incarnation == c.holder.incarnation
	if ok && m.State != membership.Leaving && m.Site != c.site {
		return
	}
	next, found := c.drawHolder()
	switch {
	case !found && ok, ok && m.State != membership.Leaving && next.Site == c.site:
		return // it is as good as any other
	case ok:
		c.dropCopies(m)
	}
	c.holder = life{}
	if found {
		c.holder = life{next.ID, next.Incarnation}
	}
	for _, y := range c.runs {
		y.restart()
	}
}

// drawHolder is a member that stays, drawn among those of other sites, else of this one. The one to
// avoid is taken when there is no other.
func (c *copier) drawHolder() (membership.Member, bool) {
	var some [32]*membership.Member
	best := some[:0]
	rank := 0
	for m := range c.members.Present() {
		n := 1
		if m.Site != c.site {
			n = 2
		}
		if m.ID != c.avoid {
			n += 2
		}
		if m.State == membership.Leaving || n < rank {
			continue
		}
		if n > rank {
			rank, best = n, best[:0]
		}
		best = append(best, m)
	}
	if len(best) == 0 {
		return membership.Member{}, false
	}
	return *best[c.lots.IntN(len(best))], true
}

// dropCopies tells a former holder that it need not keep anything. It is said once: what it keeps
// in vain goes with the run.
func (c *copier) dropCopies(m membership.Member) {
	for _, y := range c.runs {
		if len(y.has) > 0 || y.out != nil {
			y.round++
			c.send(life{m.ID, m.Incarnation}, orphan.Copy{Run: y.run, Round: y.round, Whole: true})
		}
	}
}

// move has all parts kept by another, at once: the present holder is gone, or as good as
// gone.
func (c *copier) move(now time.Duration) {
	c.holder = life{}
	for _, y := range c.runs {
		y.restart()
	}
	if c.at != steal.Never {
		c.at = now
	}
}
