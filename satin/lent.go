package satin

import (
	"math"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

func (h *shared) lend() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state != offered {
		return false
	}
	h.state = lent
	return true
}

func (h *shared) setRef(ref steal.Ref) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ref, h.lentAt, h.begunAt = ref, time.Now(), time.Time{}
	return h.state == lent
}

// putBack makes a lent job one to be claimed again, and wakes its parent, who may do so.
func (h *shared) putBack() bool {
	h.mu.Lock()
	if h.state != lent {
		h.mu.Unlock()
		return false
	}
	h.state = offered
	waiter := h.waiter
	h.mu.Unlock()
	if waiter != nil {
		waiter.unpark()
	}
	return true
}

// recall tells the control loop that a lent job is not wanted any more, unless it was
// the loop that ended it.
func (h *shared) recall() {
	h.mu.Lock()
	ref, orphan := h.ref, h.orphan
	h.mu.Unlock()
	if p := h.run.pool; p.loans.drop(ref) != nil {
		p.outside.Withdrawn(ref, orphan)
	}
}

// redoReason is why a job is done again.
type redoReason struct {
	loss *lossWork
	done float64       // how far the thief said that it was; 0 when it never did
	gone time.Duration // how long the thief had worked on it
}

// ended puts down to the loss what of a job's cost was spent before.
func (r *redoReason) ended(cost time.Duration) {
	if r.done > 0 {
		cost = time.Duration(float64(cost) * r.done)
	} else {
		cost = min(cost, r.gone)
	}
	r.loss.spent.Add(int64(cost))
}

// begins notes that the thief of a lent job has told that somebody works on it.
func (h *shared) begins() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == lent && h.begunAt.IsZero() {
		h.begunAt = time.Now()
	}
}

// lostTo notes the loss because of which a job is done again, and how long the lost peer had worked
// on it. One of which nothing was told had waited there, but for the last moment.
func (h *shared) lostTo(because *lossWork) {
	h.mu.Lock()
	gone := min(time.Since(h.lentAt), peer.ProgressEvery)
	if !h.begunAt.IsZero() {
		gone = min(time.Since(h.lentAt), time.Since(h.begunAt)+peer.ProgressEvery)
	}
	h.again = &redoReason{loss: because, done: math.Float64frombits(h.progress.Load()), gone: gone}
	h.progress.Store(0)
	h.appraised.Store(nil)
	h.mu.Unlock()
	because.cameBack(gone)
}

// isAgain tells whether the job is done again because of a loss.
func (h *shared) isAgain() bool {
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.again != nil
}

// redid counts what a job has cost that its parent has run.
func (h *shared) redid(cost time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.again.ended(cost)
}
