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

// settled tells whether nothing is left of any run.
func (p *population) settled() bool { return p.leftover() == "" }

func (p *population) leftover() string {
	for _, h := range p.hosts {
		if !h.up {
			continue
		}
		l := h.plane
		if !h.peer.Sight().Quiet() || len(l.runs) > 0 || len(l.refs) > 0 || len(l.borrows) > 0 || l.want != nil {
			return fmt.Sprintf("%s: lent %d, borrowed %d, peer quiet %v; data plane: runs %d, taken %d, borrowed %d",
				h.id, h.peer.Sight().Ledger().Lent(), h.peer.Sight().Ledger().Borrowed(), h.peer.Sight().Quiet(), len(l.runs), len(l.refs), len(l.borrows))
		}
	}
	return ""
}
