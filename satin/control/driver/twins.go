package driver

import (
	"slices"
	"time"

	"satingrid/membership"
)

const (
	// twinReturns is how often a process must come back after another of its identity took its
	// place. One that was started again takes the place of the one before. A connection of that
	// one, which is dead, may still arrive after it, once; then it comes back twice.
	twinReturns = 3

	// lineageLasts is how long it is remembered which process a host last was. Two that live
	// take each other's place within seconds.
	lineageLasts = 10 * time.Minute

	// lineagesMax bounds those of whom it is remembered; who came longest ago is forgotten.
	lineagesMax = 2 * membership.MembersMax
)

// twins finds out who has the identity of another that lives.
type twins struct{ all []lineage } // who came longest ago first

// lineage is which processes one identity has had.
type lineage struct {
	id      membership.PeerID
	at      time.Duration // when one of them last came
	process uint64        // that came last
	former  uint64        // whose place that one took
	returns int           // how often two of them have taken each other's place
}

// comes hears which process is at the other end of a session, and tells whether two live under that
// identity: each takes the place of the other.
func (t *twins) comes(now time.Duration, id membership.PeerID, process uint64) (two bool) {
	for len(t.all) > 0 && now-t.all[0].at > lineageLasts {
		t.all = slices.Delete(t.all, 0, 1)
	}
	at := slices.IndexFunc(t.all, func(l lineage) bool { return l.id == id })
	l := lineage{id: id, process: process}
	switch {
	case at >= 0:
		l = t.all[at]
		t.all = slices.Delete(t.all, at, at+1)
	case len(t.all) == lineagesMax:
		t.all = slices.Delete(t.all, 0, 1)
	}
	if process != l.process {
		if l.returns++; process != l.former {
			l.returns = 0
		}
		l.former, l.process = l.process, process
		two = l.returns >= twinReturns
	}
	l.at = now
	t.all = append(t.all, l)
	return two
}
