package gridsim

import (
	"fmt"
	"math/rand/v2"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// population is who is there, and was.
type population struct {
	sites   []Site // where peers may come
	draw    *rand.Rand
	hosts   []*host // in the order in which they were started
	started int     // how many hosts were ever started
	byID    map[membership.PeerID]*host
	asker   *host   // the submitter
	keepers []*host // those to whom copies were sent, the latest last
}

// speedOf is the speed of the workers of a site.
func (p *population) speedOf(site membership.Site) int {
	for _, s := range p.sites {
		if s.Name == site && s.Speed > 0 {
			return s.Speed
		}
	}
	return speedOfOne
}

// name makes an id for the next host of a site.
func (p *population) name(site membership.Site) membership.PeerID {
	return membership.PeerID(fmt.Sprintf("%s/%d", site, p.started))
}

// keeps notes that a copy was sent to a host.
func (p *population) keeps(h *host) {
	p.keepers = append(p.keepers[max(0, len(p.keepers)-keepersMax):], h)
}

// keepersMax is how many holders of copies are remembered.
const keepersMax = 16

// ticket is what leads to hosts: the contact's address and the submitter's, who listens, too.
func (p *population) ticket(contact *host) (known []addresses.Known) {
	for _, h := range []*host{contact, p.asker} {
		if h != nil && (len(known) == 0 || known[0].ID != h.id) {
			known = append(known, addresses.Known{ID: h.id, Age: -1, Addrs: []string{h.addr()}})
		}
	}
	return known
}

// whole says who does not know whom, of those who stay: "" when the grid is one.
func (p *population) whole() string {
	for _, h := range p.hosts {
		if !h.remains() {
			continue
		}
		for _, o := range p.hosts {
			if _, ok := h.peer.Sight().Member(o.id); o != h && o.remains() && !ok {
				return fmt.Sprintf("%s, a member, does not know %s", h.id, o.id)
			}
		}
	}
	return ""
}

// meetable tells whether all who stay can reach each other: who cannot be dialled needs one that
// can.
func (p *population) meetable() bool {
	natted, open := 0, 0
	for _, h := range p.hosts {
		switch {
		case !h.remains():
		case h.natted:
			natted++
		default:
			open++
		}
	}
	return natted < 2 || open > 0
}

// hears tells whether an answer waits for its statistics.
func (p *population) hears() bool {
	for _, h := range p.hosts {
		for _, a := range h.answers {
			if h.up && a.at > 0 && !a.over {
				return true
			}
		}
	}
	return false
}

// settled tells whether nothing is left of any run. It is asked after each event.
func (p *population) settled() bool { return p.unsettled() == nil }

// unsettled is a host that has something left of a run, or nil.
func (p *population) unsettled() *host {
	for _, h := range p.hosts {
		if h.up && (h.computes() || h.checkDisk() != "") {
			return h
		}
	}
	return nil
}

// computes tells whether a peer or its data plane has something left of a run.
func (h *host) computes() bool {
	l := h.plane
	return !h.peer.Sight().Quiet() || len(l.runs) > 0 || len(l.refs) > 0 || len(l.borrows) > 0 || l.want != nil
}

// leftover says what is left of runs, for a person.
func (p *population) leftover() string {
	h := p.unsettled()
	switch {
	case h == nil:
		return ""
	case h.computes():
		l, s := h.plane, h.peer.Sight()
		return fmt.Sprintf("%s: runs %+v, lent %d, borrowed %d, peer quiet %v; data plane: runs %d, taken %d, borrowed %d",
			h.id, s.Runs(), s.Ledger().Lent(), s.Ledger().Borrowed(), s.Quiet(), len(l.runs), len(l.refs), len(l.borrows))
	}
	return string(h.id) + " has on its disk " + h.checkDisk()
}
