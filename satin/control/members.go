package control

import (
	"fmt"
	"slices"
	"strings"

	"satingrid/membership"
	"satingrid/satin/p2p"
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

// nameOf is a member's name, or its id when it is not known.
func (l *Loop) nameOf(id membership.PeerID) string {
	if id == l.self {
		return l.conf.Name
	}
	for _, m := range l.machine.Sight().Members() {
		if m.ID == id {
			return m.Name
		}
	}
	return string(id)
}

// parts notes whether a member's session ended with a goodbye, which a process that is killed does
// not say.
func (l *Loop) parts(id membership.PeerID, how p2p.How) {
	for _, m := range l.machine.Sight().Members() {
		if m.ID == id && how == p2p.Closed {
			l.parted[id] = true
		}
	}
}

// memberJoined tells of a new member.
func (l *Loop) memberJoined(m membership.Member) {
	l.far.met(m)
	for _, sub := range l.subs {
		sub.runStats.joined(m)
	}
	l.tell(Event{Kind: EventJoined, Peer: m.Name, ID: string(m.ID), Site: string(m.Site)})
	no, ok := l.unnamed[m.ID]
	delete(l.unnamed, m.ID)
	if ok && l.masters[no] == m.ID {
		l.reignBegins(no, m.ID)
	}
}

// memberLost forgets a member.
func (l *Loop) memberLost(e membership.Lost) {
	id := e.Member.ID
	how := howOf(e.Member, l.parted[id], l.conf.Client)
	l.lossBegins(e.Member)
	for _, sub := range l.subs {
		sub.runStats.lost(e, how)
		if l.conf.NoFT && how != membership.Went {
			why := fmt.Errorf("satin: %s was lost, and fault tolerance is off", e.Member.Name)
			l.cancelSub(sub, why)
		}
	}
	l.tell(Event{
		Kind: EventLost, Peer: e.Member.Name, ID: string(id), Site: string(e.Member.Site),
		How: how.String(), Noticed: e.Noticed, Late: how == membership.Went && l.late[id],
	})
	delete(l.parted, id)
	delete(l.late, id)
	delete(l.far.sites, id)
}
