package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// losses are those that this peer has seen, with what they have cost here. The loop has them.
type losses struct {
	all []*redone // the latest last
	now *redone   // the one that the effects in hand are about, or nil
}

// begins makes a loss the one to which what is put back from now on is put down, until it is over.
func (l *losses) begins(m membership.Member) {
	l.now = &redone{peer: m.ID, life: m.Incarnation, runs: map[peer.RunNo]*runAgain{}}
	if len(l.all) == lossesKept {
		l.all = l.all[1:]
	}
	l.all = append(l.all, l.now)
}

// over hears that all that followed from a loss has been carried out.
func (l *losses) over() { l.now = nil }

// of is the latest loss of a peer, or nil.
func (l *losses) of(id membership.PeerID) *redone {
	for i := len(l.all) - 1; i >= 0; i-- {
		if l.all[i].peer == id {
			return l.all[i]
		}
	}
	return nil
}

// in is what losses have made the workers do again of a run.
func (l *losses) in(no peer.RunNo) (all []peer.Redone) {
	for _, r := range l.all {
		if a := r.runs[no]; a != nil {
			all = append(all, peer.Redone{
				Peer: r.peer, Incarnation: r.life, Root: a.root,
				Spent: time.Duration(a.spent.Load()), Longest: time.Duration(a.longest.Load()),
			})
		}
	}
	return all
}

// ended forgets a run.
func (l *losses) ended(no peer.RunNo) {
	for _, r := range l.all {
		delete(r.runs, no)
	}
}
