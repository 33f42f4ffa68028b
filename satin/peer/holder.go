package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// custodyOf is which of the holders somebody is; below 0: none.
func (c *copier) custodyOf(who life) int {
	return slices.IndexFunc(c.held[:], func(h custody) bool { return h.holder == who && who != (life{}) })
}

// member is somebody, if it is there, in that life.
func (c *copier) member(who life) (membership.Member, bool) {
	m, ok := c.members.Member(who.peer)
	return m, ok && m.Incarnation == who.incarnation
}

// reviewHolders chooses who keeps this peer's parts.
func (c *copier) reviewHolders() {
	c.reviewFirst()
	c.reviewSecond()
}

// reviewFirst chooses one in another site, else any; another when the present one is leaving. Who
// keeps the dearest comes first.
func (c *copier) reviewFirst() {
	m, ok := c.member(c.held[0].holder)
	if ok && m.State != membership.Leaving && m.Site != c.site {
		return
	}
	if second, stays := c.member(c.held[1].holder); stays && second.State != membership.Leaving {
		if ok {
			c.dropCopies(m)
		}
		c.leave(0)
		return
	}
	next, found := c.drawHolder(0, func(m *membership.Member) (rank int) {
		if m.Site != c.site {
			return 2
		}
		return 1
	})
	switch {
	case !found && ok, ok && m.State != membership.Leaving && next.Site == c.site:
		return // it is as good as any other
	case ok:
		c.dropCopies(m)
	}
	c.entrust(0, next)
}

// reviewSecond chooses one in a third site, or nobody: it costs nearly as much as the first, for
// what is lost more seldom.
func (c *copier) reviewSecond() {
	first, ok := c.member(c.held[0].holder)
	third := func(m *membership.Member) (rank int) {
		if ok && !c.once && first.Site != c.site && m.Site != c.site && m.Site != first.Site {
			return 1
		}
		return 0
	}
	m, has := c.member(c.held[1].holder)
	if has && m.State != membership.Leaving && third(&m) > 0 {
		return
	}
	next, found := c.drawHolder(1, third)
	if has {
		c.dropCopies(m)
	}
	if found || c.held[1].holder != (life{}) {
		c.entrust(1, next)
	}
}

// drawHolder is a member that stays, drawn among those of the highest rank; 0: not these. The one
// to avoid is taken when there is no other.
func (c *copier) drawHolder(n int, rankOf func(*membership.Member) int) (membership.Member, bool) {
	var some [32]*membership.Member
	best := some[:0]
	highest := 1
	for m := range c.members.Present() {
		rank := rankOf(m)
		if rank > 0 && m.ID != c.held[n].avoid {
			rank += 2
		}
		if m.State == membership.Leaving || rank < highest {
			continue
		}
		if rank > highest {
			highest, best = rank, best[:0]
		}
		best = append(best, m)
	}
	if len(best) == 0 {
		return membership.Member{}, false
	}
	return *best[c.lots.IntN(len(best))], true
}

// entrust has one keep what it should from the next round on; the zero Member: nobody.
func (c *copier) entrust(n int, to membership.Member) {
	c.held[n].holder = life{to.ID, to.Incarnation}
	for _, y := range c.runs {
		y.with[n].restart()
	}
}

// leave leaves a holder: the next gets all that it should have. In the place of the first comes who
// keeps the dearest, and lacks only the rest.
func (c *copier) leave(n int) {
	if n == 0 && c.held[1].holder != (life{}) {
		c.held[0].holder, c.held[0].portion = c.held[1].holder, c.held[1].portion
		for _, y := range c.runs {
			y.with[0] = y.with[1]
			y.with[0].all = false
		}
		n = 1
	}
	c.entrust(n, membership.Member{})
}

// dropCopies tells a former holder that it need not keep anything. It is said once: what it keeps
// in vain goes with the run.
func (c *copier) dropCopies(m membership.Member) {
	n := c.custodyOf(life{m.ID, m.Incarnation})
	for _, y := range c.runs {
		if x := &y.with[n]; len(x.has) > 0 || x.out != nil {
			y.round++
			c.send(c.held[n].holder, orphan.Copy{Run: y.run, Round: y.round, Whole: true})
		}
	}
}

// lost moves what a holder had that is gone, or does not have it any more.
func (c *copier) lost(now time.Duration, id membership.PeerID) {
	for n := range c.held {
		if c.held[n].holder.peer == id {
			c.move(now, n)
			return
		}
	}
}

// move leaves a holder that is gone, or as good as that. If it had all the next round comes now.
func (c *copier) move(now time.Duration, n int) {
	if c.leave(n); n == 0 && c.at != steal.Never {
		c.at = now
	}
}

// livesOn hears that one goes on under another incarnation, and keeps what it has.
func (c *copier) livesOn(was, is life) {
	if n := c.custodyOf(was); n >= 0 {
		c.held[n].holder = is
	}
}
