package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// lossBegins makes a loss the one to which what is put back from now on is put down.
func (l *Loop) lossBegins(m membership.Member) {
	l.again = &redone{peer: m.ID, life: m.Incarnation, runs: map[peer.RunNo]*runAgain{}}
	if len(l.redone) == lossesKept {
		l.redone = l.redone[1:]
	}
	l.redone = append(l.redone, l.again)
}

// lossOf is the latest loss of a peer, or nil.
func (l *Loop) lossOf(id membership.PeerID) *redone {
	for i := len(l.redone) - 1; i >= 0; i-- {
		if l.redone[i].peer == id {
			return l.redone[i]
		}
	}
	return nil
}

// redoneIn is what losses have made the workers do again of a run.
func (l *Loop) redoneIn(no peer.RunNo) (all []peer.Redone) {
	for _, r := range l.redone {
		if a := r.runs[no]; a != nil {
			all = append(all, peer.Redone{
				Peer: r.peer, Incarnation: r.life, Root: a.root,
				Spent: time.Duration(a.spent.Load()), Longest: time.Duration(a.longest.Load()),
			})
		}
	}
	return all
}
