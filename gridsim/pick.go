package gridsim

import (
	"slices"

	"satingrid/membership"
)

// members are the peers that live and that the grid has let in, in the order of their start.
func (p *population) members() []*host {
	var in []*host
	for _, h := range p.hosts {
		if h.up && !h.client && h.member() {
			in = append(in, h)
		}
	}
	return in
}

// some draws up to n members to whom something may happen; the submitter is none of them, for
// without it nobody waits.
func (p *population) some(n int) []*host {
	all := slices.DeleteFunc(p.members(), func(h *host) bool { return h == p.asker })
	p.draw.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return all[:min(n, len(all))]
}

// victims is the one that a fault names, or a drawn one.
func (p *population) victims(f Fault) []*host {
	if f.Host == 0 {
		return p.some(1)
	}
	if h := p.peerNo(f.Host); h != nil && h.up && h != p.asker {
		return []*host{h}
	}
	return nil
}

// peerNo is the peer of that number, counted from 1 without the clients.
func (p *population) peerNo(n int) *host {
	for _, h := range p.hosts {
		if !h.client {
			n--
		}
		if n == 0 && !h.client {
			return h
		}
	}
	return nil
}

// site draws a site, and is all its members.
func (p *population) site() []*host {
	drawn := p.some(1)
	if len(drawn) == 0 {
		return nil
	}
	return slices.DeleteFunc(p.members(), func(h *host) bool { return h == p.asker || h.site != drawn[0].site })
}

// masters are those that execute a root, and may die.
func (p *population) masters() []*host {
	return slices.DeleteFunc(p.members(), func(h *host) bool { return h == p.asker || h.plane.roots() == 0 })
}

// contact draws a host to join through: a member, or the submitter, who keeps the run
// when no member is left.
func (p *population) contact(except *host) *host {
	in := slices.DeleteFunc(p.members(), func(h *host) bool { return h == except })
	if len(in) == 0 {
		return p.asker
	}
	return in[p.draw.IntN(len(in))]
}

// loan draws an owner and one of its thieves. Others must be there who reach both, or each would
// hold the other dead.
func (p *population) loan() (pair [2]*host, ok bool) {
	var all [][2]*host
	in := p.members()
	for _, owner := range in {
		for _, thief := range in {
			if len(owner.peer.Sight().Ledger().LentTo(thief.id, 1)) > 0 {
				all = append(all, [2]*host{owner, thief})
			}
		}
	}
	if len(in) < 3 || len(all) == 0 {
		return pair, false
	}
	return all[p.draw.IntN(len(all))], true
}

// member tells whether the grid has let the host in.
func (h *host) member() bool { return h.peer.Sight().Self().State != 0 }

// holders is the one to whom copies were sent last, of those that live.
func (p *population) holders() []*host {
	for n := len(p.keepers) - 1; n >= 0; n-- {
		if h := p.keepers[n]; h.up && h != p.asker {
			return []*host{h}
		}
	}
	return nil
}

// siteOf is the site of a fault, or a drawn one.
func (p *population) siteOf(f Fault) membership.Site {
	if f.Site != "" {
		return f.Site
	}
	return p.sites[p.draw.IntN(len(p.sites))].Name
}

// elsewhere is the site to which a site hands what it has.
func (p *population) elsewhere(who []*host) membership.Site {
	for _, h := range p.members() {
		if len(who) > 0 && h.site != who[0].site {
			return h.site
		}
	}
	return ""
}
