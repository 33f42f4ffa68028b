package satin

import (
	"sync"
	"sync/atomic"
	"time"

	"satingrid/satin/peer"
)

// redoneMax bounds the losses of which a run knows what they have cost it here: the latest.
const redoneMax = 256

// redone is what losses have made the workers do again of a run.
type redone struct {
	mu  sync.Mutex  // protects what follows
	all []*lossWork // the earliest loss first
}

// lossWork is the work of one run that one loss has made necessary again.
type lossWork struct {
	loss    peer.LossNo
	spent   atomic.Int64 // nanoseconds of workers on what had been done before, about
	longest atomic.Int64 // how long the lost peer had worked on one of the jobs
}

// of is what a loss has cost: one that is known, or a later one.
func (r *redone) of(loss peer.LossNo) *lossWork {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := len(r.all) - 1; n >= 0; n-- {
		if r.all[n].loss == loss {
			return r.all[n]
		}
	}
	if len(r.all) == redoneMax {
		r.all = r.all[1:]
	}
	w := &lossWork{loss: loss}
	r.all = append(r.all, w)
	return w
}

// list is what is told of it.
func (r *redone) list() (all []peer.Redone) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.all {
		all = append(all, peer.Redone{
			Loss: w.loss, Spent: time.Duration(w.spent.Load()), Longest: time.Duration(w.longest.Load()),
		})
	}
	return all
}

// cameBack notes a job that is put back, and how long the lost peer had worked on it.
func (w *lossWork) cameBack(worked time.Duration) {
	for {
		old := w.longest.Load()
		if int64(worked) <= old || w.longest.CompareAndSwap(old, int64(worked)) {
			return
		}
	}
}
