package satin

import (
	"slices"
)

// backlog is what waits for a worker: fibers that can go on, and jobs that no deque holds. pool.mu
// guards it.
type backlog struct {
	ready []*fiber  // oldest first
	inbox []*shared // roots, borrowed jobs, those that came back; oldest first
}

// pop takes a ready fiber.
func (b *backlog) pop(i int) *fiber {
	f := b.ready[i]
	if i == 0 {
		b.ready[0] = nil
		b.ready = b.ready[1:]
	} else {
		b.ready = slices.Delete(b.ready, i, i+1)
	}
	f.state = fiberActive
	return f
}

// readyOf is the place of the longest ready fiber of a run, or below 0.
func (b *backlog) readyOf(r *run) int {
	return slices.IndexFunc(b.ready, func(f *fiber) bool { return f.run == r })
}

// claim claims the oldest job for a fiber. Those that are withdrawn are dropped on the way.
func (b *backlog) claim(by *fiber) *shared {
	for len(b.inbox) > 0 {
		h := b.inbox[0]
		b.inbox[0] = nil
		b.inbox = b.inbox[1:]
		if h.claim(by) {
			return h
		}
	}
	return nil
}

// claimOf claims the oldest job of a run for a fiber.
func (b *backlog) claimOf(by *fiber, r *run) *shared {
	for i, h := range b.inbox {
		if h.run == r && h.claim(by) {
			b.inbox = slices.Delete(b.inbox, i, i+1)
			return h
		}
	}
	return nil
}

// lend claims the oldest job of a run, or of any, for another process. A root stays: its master
// watches over it. So does a job whose result is verified: the fields that it was spawned with are
// here. Of a run that has failed nothing is taken: nobody would say that it is not wanted.
func (b *backlog) lend(of *run) *shared {
	for i, h := range b.inbox {
		if h.mayGo(of) && h.lend() {
			b.inbox = slices.Delete(b.inbox, i, i+1)
			return h
		}
	}
	return nil
}

// mayLend tells whether there is such a job.
func (b *backlog) mayLend(of *run) bool {
	return slices.ContainsFunc(b.inbox, func(h *shared) bool { return h.mayGo(of) && h.open() })
}

func (h *shared) mayGo(of *run) bool {
	return !h.isRoot && !h.stays && !h.run.isOver() && (of == nil || h.run == of)
}

// jobs is how many jobs of a run, or of any, there are.
func (b *backlog) jobs(of *run) (n int) {
	for _, h := range b.inbox {
		if of == nil || h.run == of {
			n++
		}
	}
	return n
}
