package control

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// lossBegins makes a loss the one to which what is put back from now on is put down.
func (l *Loop) lossBegins(m membership.Member) {
	id := lossID{m.ID, wire.LifeOf(m.Incarnation)}
	l.again = &redone{id: id, runs: map[peer.RunNo]*runAgain{}}
	if len(l.redone) == lossesKept {
		l.redone = l.redone[1:]
	}
	l.redone = append(l.redone, l.again)
}

// lossOf is the latest loss of a peer, or nil.
func (l *Loop) lossOf(id membership.PeerID) *redone {
	for i := len(l.redone) - 1; i >= 0; i-- {
		if l.redone[i].id.peer == id {
			return l.redone[i]
		}
	}
	return nil
}

// lossesOf are the losses since a run began, with what they have cost it here.
func (l *Loop) lossesOf(g *runHere) []peer.LossReport {
	all := l.machine.Losses(g.no)
	return slices.DeleteFunc(all, func(x peer.LossReport) bool { return x.At < g.began })
}

// lossShares are what the losses since a run began have cost this peer.
func (l *Loop) lossShares(g *runHere) (shares []lossShare) {
	for _, x := range l.lossesOf(g) {
		s := lossShare{
			Peer: x.Peer, Life: wire.LifeOf(x.Incarnation), Name: x.Name, Site: string(x.Site),
			How: x.How, Noticed: x.Noticed,
			Restarted: x.Restarted, Reused: x.Reused, Saved: x.Saved,
		}
		if r := l.lossOf(x.Peer); r != nil && r.id == s.id() && r.runs[g.no] != nil {
			a := r.runs[g.no]
			s.Spent, s.Longest = time.Duration(a.spent.Load()), time.Duration(a.longest.Load())
			s.Root = a.root
		}
		if s.Restarted > 0 || s.Reused > 0 || s.Spent > 0 || s.Root {
			shares = append(shares, s)
		}
	}
	return shares[max(0, len(shares)-lossSharesMax):]
}
