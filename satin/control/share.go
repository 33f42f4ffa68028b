package control

import (
	"satingrid/satin/peer"
	"satingrid/steal"
)

// howFar has the owners of the jobs that are executed here told how far these are, when that is
// due.
func (l *Loop) howFar() []peer.Effect {
	if l.plane.Executing() == 0 || l.now() < l.sharesAt {
		return nil
	}
	l.sharesAt = l.now() + ProgressEvery
	var all []peer.Begun
	l.plane.Shares(func(borrow steal.Borrow, done float64) {
		all = append(all, peer.Begun{Borrow: borrow, Done: done})
	})
	return l.machine.HowFar(l.now(), all)
}
