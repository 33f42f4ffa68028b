package gridsim

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
)

// link is the state of one direction between two hosts.
type link struct {
	free time.Duration // when the last byte will have left
}

func (n *network) linkOf(a, b *host) Link {
	if n.shared != nil {
		return n.shared.link(a, b)
	}
	if a.site == b.site || a.client || b.client {
		return n.opts.Near
	}
	return n.opts.Far
}

// isFar tells whether what one host sends another leaves its site.
func (n *network) isFar(a, b *host) bool {
	if n.shared != nil {
		return n.shared.isFar(a, b)
	}
	return a.site != b.site
}

// transit is how long a message is on its way, behind those that were sent before it.
func (n *network) transit(from, to *host, l Link, bytes int) time.Duration {
	d := l.Delay
	if l.Jitter > 0 {
		d += time.Duration(n.draw.Int64N(int64(l.Jitter)))
	}
	if l.Late > 0 && n.draw.Float64() < l.Late {
		n.report.Late++
		d += time.Duration(n.draw.Int64N(int64(lateMax)))
	}
	if l.Rate == 0 {
		return d
	}
	pair := [2]int{from.no, to.no}
	s := n.links[pair]
	if s == nil {
		s = &link{}
		n.links[pair] = s
	}
	s.free = max(s.free, n.time.now) + time.Duration(bytes)*time.Second/time.Duration(l.Rate)
	return d + s.free - n.time.now
}

// lateness is how much later than other messages an advert comes, where the options say so; and
// what repairs adverts that were lost.
func (n *network) lateness(b membership.Body) time.Duration {
	if k := b.Kind(); n.opts.Late == 0 || k != orphan.KindAdvert && k != orphan.KindList {
		return 0
	}
	return n.opts.Late + time.Duration(n.draw.Int64N(3*int64(n.opts.Late)))
}

// isCut tells whether what one host sends another is dropped just now.
func (n *network) isCut(from, to *host) bool {
	for k := 0; k < len(n.cuts); k++ {
		if n.time.now >= n.cuts[k].until {
			n.cuts = slices.Delete(n.cuts, k, k+1)
			k--
		} else if c := n.cuts[k]; c.stops(from, to) {
			if !c.struck {
				c.struck = true
				n.report.struck(c.kind)
			}
			return true
		}
	}
	return false
}

// roundTrip is how long the farthest of those takes who may answer.
func (n *network) roundTrip(h *host, d membership.Dial) (t time.Duration) {
	for _, a := range d.Addrs {
		if o := n.at(a); o != nil {
			t = max(t, 2*n.linkOf(h, o).Delay)
		}
	}
	return t
}

// loseGossip counts the faults because of which something that was published has been lost.
func (n *network) loseGossip() {
	for ; n.losers > 0; n.losers-- {
		n.report.struck(LostGossip)
	}
}

// heals lets everything pass from now on.
func (n *network) heals() { n.calm, n.cuts, n.gossipLost = true, nil, 0 }
