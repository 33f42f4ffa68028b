package control

import (
	"cmp"
	"slices"
	"strings"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// Member is one peer of the grid, as this one sees it.
type Member struct {
	ID      string
	Name    string
	Site    string
	State   string // here, suspected, leaving, left, dead
	Workers int
	Addrs   []string
}

// Members are the peers present on the grid, by name: this one too, unless it is a client.
func (l *Loop) Members() []Member {
	var list []Member
	l.ask(func() {
		all := l.machine.Sight().Members()
		if !l.conf.Client {
			all = append(all, l.machine.Sight().Self())
		}
		for _, m := range all {
			list = append(list, memberOf(m))
		}
	})
	slices.SortFunc(list, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func memberOf(m membership.Member) Member {
	return Member{string(m.ID), m.Name, string(m.Site), m.State.String(), int(m.Workers), m.Addrs}
}

// Learn tells of addresses at which hosts of the grid may be.
func (l *Loop) Learn(addrs []string) {
	known := ticketHosts(addrs)
	l.post(func() { l.do(l.machine.Named(l.now(), known)) })
}

// othersMax and waysMax bound Others: an invitation has room for some of the grid, not for all.
const (
	othersMax  = 10
	clientsMax = 3 // of them, so many have room however many members there are
	waysMax    = 2
)

// Others are addresses of up to ten other hosts of the grid, the one that was reached last first,
// and then of clients that are there; at most two of each.
func (l *Loop) Others() (addrs []string) {
	var known []addresses.Known
	l.ask(func() { known = l.machine.Sight().Addresses() })
	known = slices.DeleteFunc(known, func(k addresses.Known) bool {
		return k.ID == l.self || k.Age < 0
	})
	slices.SortStableFunc(known, func(a, b addresses.Known) int {
		return cmp.Compare(a.Age, b.Age)
	})
	for _, k := range invited(known) {
		of := membership.AddrsOf(k.Addrs)
		addrs = append(addrs, of[:min(len(of), waysMax)]...)
	}
	return addrs
}

// invited are those that an invitation names, of hosts that were reached, the last first. Clients
// that are there may be all that is left, however many members there are now.
func invited(known []addresses.Known) []addresses.Known {
	var others, clients []addresses.Known
	for _, k := range known {
		if k.Client && k.Age == 0 && len(clients) < clientsMax {
			clients = append(clients, k)
		} else {
			others = append(others, k)
		}
	}
	others = others[:min(len(others), othersMax-len(clients))]
	return append(others, clients...)
}

// nameOf is a member's name, or its id when it is not known.
func (l *Loop) nameOf(id membership.PeerID) string {
	if id == l.self {
		return l.conf.Name
	}
	if m, ok := l.machine.Sight().Member(id); ok {
		return m.Name
	}
	return string(id)
}
