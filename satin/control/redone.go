package control

import (
	"sync/atomic"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
)

// lossesKept bounds the losses whose cost is counted, the latest ones.
const lossesKept = 256

// lossID tells the losses of one peer's lives apart.
type lossID struct {
	peer membership.PeerID
	life peer.Life
}

// redone counts the work that a loss has made necessary again, on this peer. The loop has it.
type redone struct {
	peer membership.PeerID
	life membership.Incarnation
	runs map[peer.RunNo]*runAgain // that it has struck
}

// of is what the loss has cost a run.
func (r *redone) of(no peer.RunNo) *runAgain {
	a := r.runs[no]
	if a == nil {
		a = new(runAgain)
		r.runs[no] = a
	}
	return a
}

// Of is that for the workers.
func (r *redone) Of(no peer.RunNo) workers.Redone { return r.of(no) }

// runAgain is the work of one run that one loss has made necessary again.
type runAgain struct {
	spent   atomic.Int64 // nanoseconds of workers on what had been done before, about
	longest atomic.Int64 // how long the lost peer had worked on one of them
	root    bool         // the root is one of them, and done again here; the loop's
}

// CameBack notes a job that is put back, and how long the lost peer had worked on it.
func (r *runAgain) CameBack(worked time.Duration) {
	for {
		old := r.longest.Load()
		if int64(worked) <= old || r.longest.CompareAndSwap(old, int64(worked)) {
			return
		}
	}
}

// DidAgain adds to what was spent.
func (r *runAgain) DidAgain(worked time.Duration) { r.spent.Add(int64(worked)) }
