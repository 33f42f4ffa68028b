package gridsim

import (
	"slices"
	"time"

	"satingrid/satin/peer"
)

// away is what is known of a job that was taken, from then on.
type away struct {
	at    time.Duration // when it was
	begun time.Duration // when its thief told first that somebody works on it; 0: never
	done  float64       // how far that one said that it was
}

// heard takes a thief's word.
func (a *away) heard(now time.Duration, done float64) {
	if a.begun == 0 {
		a.begun = now
	}
	a.done = done
}

// worked is about how long the thief had worked on the job. One of which nothing was told had
// waited there, but for the last moment.
func (a *away) worked(now time.Duration) time.Duration {
	if a.begun == 0 {
		return min(now-a.at, peer.ProgressEvery)
	}
	return min(now-a.at, now-a.begun+peer.ProgressEvery)
}

// again is why a job is done again.
type again struct {
	loss peer.LossNo
	done float64       // how far its thief said that it was; 0 when it never did
	gone time.Duration // how long it had worked on it
}

// cameBack notes that a job was sent back by a loss.
func (n *planeJob) cameBack(now time.Duration, loss peer.LossNo) {
	n.again = &again{loss, n.away.done, n.away.worked(now)}
	x := n.run.redoneBy(loss)
	x.Longest = max(x.Longest, n.again.gone)
}

// redid puts down to its loss what of a job's cost was spent before.
func (n *planeJob) redid() {
	spent := min(n.cost, n.again.gone)
	if n.again.done > 0 {
		spent = time.Duration(float64(n.cost) * n.again.done)
	}
	n.run.redoneBy(n.again.loss).Spent += spent
}

// redoneBy is what a loss has made the workers do again of a run here.
func (r *planeRun) redoneBy(loss peer.LossNo) *peer.Redone {
	at := slices.IndexFunc(r.redone, func(x peer.Redone) bool { return x.Loss == loss })
	if at < 0 {
		at = len(r.redone)
		r.redone = append(r.redone, peer.Redone{Loss: loss})
	}
	return &r.redone[at]
}
