package control

import (
	"cmp"
	"fmt"
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
	othersMax = 10
	waysMax   = 2
)

// Others are addresses of up to ten other hosts of the grid, members and clients, the one that was
// reached last first, at most two of each.
func (l *Loop) Others() (addrs []string) {
	var known []addresses.Known
	l.ask(func() { known = l.machine.Sight().Addresses() })
	known = slices.DeleteFunc(known, func(k addresses.Known) bool {
		return k.ID == l.self || k.Age < 0
	})
	slices.SortStableFunc(known, func(a, b addresses.Known) int {
		return cmp.Compare(a.Age, b.Age)
	})
	for _, k := range known[:min(len(known), othersMax)] {
		addrs = append(addrs, k.Addrs[:min(len(k.Addrs), waysMax)]...)
	}
	return addrs
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

// memberJoined tells of a new member.
func (l *Loop) memberJoined(m membership.Member) {
	l.far.met(m)
	l.submissions.joined(m)
	l.tell(Event{Kind: EventJoined, Peer: m.Name, ID: string(m.ID), Site: string(m.Site)})
	if no, is := l.masters.named(m.ID); is {
		l.tellMaster(no, m.ID)
	}
}

// memberLost forgets a member.
func (l *Loop) memberLost(e membership.Lost) {
	id := e.Member.ID
	how, late := l.leavers.lost(e.Member)
	l.losses.begins(e.Member)
	l.submissions.lost(e, how)
	if l.conf.NoFT && how != membership.Went {
		why := fmt.Errorf("satin: %s was lost, and fault tolerance is off", e.Member.Name)
		for _, sub := range l.submissions.all {
			l.withdraw(sub, why)
		}
	}
	l.tell(Event{
		Kind: EventLost, Peer: e.Member.Name, ID: string(id), Site: string(e.Member.Site),
		How: how.String(), Noticed: e.Noticed, Late: late,
	})
	l.far.lost(id)
}
