package satin

import (
	"slices"
)

// queue is what waits for a worker: fibers that can go on, and jobs that no deque holds. pool.mu
// guards it.
type queue struct {
	ready []*fiber  // oldest first
	inbox []*shared // roots, borrowed jobs, those that came back; oldest first
}

// pop takes a ready fiber.
func (q *queue) pop(i int) *fiber {
	f := q.ready[i]
	if i == 0 {
		q.ready[0] = nil
		q.ready = q.ready[1:]
	} else {
		q.ready = slices.Delete(q.ready, i, i+1)
	}
	f.state = fiberActive
	return f
}

// readyOf is the place of the longest ready fiber of a run, or below 0.
func (q *queue) readyOf(r *run) int {
	return slices.IndexFunc(q.ready, func(f *fiber) bool { return f.run == r })
}

// claim claims the oldest job for a fiber. Those that are withdrawn are dropped on the way.
func (q *queue) claim(by *fiber) *shared {
	for len(q.inbox) > 0 {
		h := q.inbox[0]
		q.inbox[0] = nil
		q.inbox = q.inbox[1:]
		if h.claim(by) {
			return h
		}
	}
	return nil
}

// claimOf claims the oldest job of a run for a fiber.
func (q *queue) claimOf(by *fiber, r *run) *shared {
	for i, h := range q.inbox {
		if h.run == r && h.claim(by) {
			q.inbox = slices.Delete(q.inbox, i, i+1)
			return h
		}
	}
	return nil
}

// lend claims the oldest job of a run, or of any, for another process. A root stays: its master
// watches over it. So does a job whose result is verified: the fields that it was spawned with are
// here. Of a run that has failed nothing is taken: nobody would say that it is not wanted.
func (q *queue) lend(of *run) *shared {
	for i, h := range q.inbox {
		if !h.isRoot && !h.stays && !h.run.isOver() && (of == nil || h.run == of) && h.lend() {
			q.inbox = slices.Delete(q.inbox, i, i+1)
			return h
		}
	}
	return nil
}

// jobs is how many jobs of a run, or of any, there are.
func (q *queue) jobs(of *run) (n int) {
	for _, h := range q.inbox {
		if of == nil || h.run == of {
			n++
		}
	}
	return n
}
