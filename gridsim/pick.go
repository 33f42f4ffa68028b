package gridsim

import (
	"fmt"
	"slices"

	"satingrid/membership"
)

// members are the peers that live and that the grid has let in, in the order of their start.
func (w *World) members() []*host {
	var in []*host
	for _, h := range w.hosts {
		if h.up && !h.client && h.member() {
			in = append(in, h)
		}
	}
	return in
}

// some draws up to n members to whom something may happen; the submitter is none of them, for
// without it nobody waits.
func (w *World) some(n int) []*host {
	all := slices.DeleteFunc(w.members(), func(h *host) bool { return h == w.asker })
	w.rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return all[:min(n, len(all))]
}

// victims is the one that a fault names, or a drawn one.
func (w *World) victims(f Fault) []*host {
	if f.Host == 0 {
		return w.some(1)
	}
	if h := w.peerNo(f.Host); h != nil && h.up && h != w.asker {
		return []*host{h}
	}
	return nil
}

// peerNo is the peer of that number, counted from 1 without the clients.
func (w *World) peerNo(n int) *host {
	for _, h := range w.hosts {
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
func (w *World) site() []*host {
	drawn := w.some(1)
	if len(drawn) == 0 {
		return nil
	}
	return slices.DeleteFunc(w.members(), func(h *host) bool { return h == w.asker || h.site != drawn[0].site })
}

// masters are those that execute a root, and may die.
func (w *World) masters() []*host {
	return slices.DeleteFunc(w.members(), func(h *host) bool { return h == w.asker || h.plane.roots() == 0 })
}

// contact draws a host to join through: a member, or the submitter, who keeps the run
// when no member is left.
func (w *World) contact(except *host) *host {
	in := slices.DeleteFunc(w.members(), func(h *host) bool { return h == except })
	if len(in) == 0 {
		return w.asker
	}
	return in[w.rng.IntN(len(in))]
}

// member tells whether the grid has let the host in.
func (h *host) member() bool { return h.peer.Sight().Self().State != 0 }

// loan draws an owner and one of its thieves. Others must be there who reach both, or each would
// hold the other dead.
func (w *World) loan() (pair [2]*host, ok bool) {
	var all [][2]*host
	in := w.members()
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
	return all[w.rng.IntN(len(all))], true
}

// name makes an id for the next host of a site.
func (w *World) name(site membership.Site) membership.PeerID {
	return membership.PeerID(fmt.Sprintf("%s/%d", site, w.started))
}

// holders is the one to whom copies were sent last, of those that live.
func (w *World) holders() []*host {
	for n := len(w.keepers) - 1; n >= 0; n-- {
		if h := w.keepers[n]; h.up && h != w.asker {
			return []*host{h}
		}
	}
	return nil
}
