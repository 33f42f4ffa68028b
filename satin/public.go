package satin

import (
	"slices"
	"sync"
	"sync/atomic"

	"satingrid/steal"
)

// publishMax bounds what one request of a thief makes public: enough for several thieves, and
// cheap.
const publishMax = 64

// publicPart is that of a deque: the published jobs, oldest first.
type publicPart struct {
	n    atomic.Int32 // how many are there, some perhaps claimed by their owner since
	mu   sync.Mutex   // protects jobs
	jobs []*shared
	full int // how many make it worth while to look for stale ones
}

func (f *publicPart) push(h *shared) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.jobs) >= f.full {
		f.sweep()
		f.full = 2*len(f.jobs) + 4*publishMax
	}
	f.jobs = append(f.jobs, h)
	f.n.Store(int32(len(f.jobs)))
}

// pushFirst adds a job that comes before the others: one that was there before.
func (f *publicPart) pushFirst(h *shared) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.jobs = slices.Insert(f.jobs, 0, h)
	f.n.Store(int32(len(f.jobs)))
}

// sweep drops the jobs that their owner has claimed meanwhile, or that are withdrawn. Where nobody
// steals, no one else would. The caller holds f.mu.
func (f *publicPart) sweep() {
	f.jobs = slices.DeleteFunc(f.jobs, func(h *shared) bool { return !h.open() })
	f.n.Store(int32(len(f.jobs)))
}

// clear empties that of a fiber that has no job: all that is left was claimed or withdrawn.
func (f *publicPart) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.jobs, f.full = nil, 0
	f.n.Store(0)
}

// of is the run of the oldest job that is still offered, or nil. What was claimed or withdrawn
// before it is dropped.
func (f *publicPart) of() *run {
	if f.n.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.jobs) > 0 && !f.jobs[0].open() {
		f.jobs[0] = nil
		f.jobs = f.jobs[1:]
	}
	f.n.Store(int32(len(f.jobs)))
	if len(f.jobs) == 0 {
		f.jobs = nil
		return nil
	}
	return f.jobs[0].run
}

// take claims the oldest job that is still offered. A thief with a job under way takes none of
// another run: the fiber whose deque this is may have gone on to one.
func (f *publicPart) take(by *fiber) *shared {
	if f.n.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.jobs) > 0 {
		h := f.jobs[0]
		if by.run != nil && by.run != h.run {
			return nil
		}
		f.jobs[0] = nil
		f.jobs = f.jobs[1:]
		f.n.Store(int32(len(f.jobs)))
		if h.claim(by) {
			return h
		}
	}
	f.jobs = nil
	return nil
}

// lend claims the oldest offered job for another process, if it is of that run, or of any.
func (f *publicPart) lend(of *run) *shared {
	if f.n.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.jobs) > 0 {
		h := f.jobs[0]
		if of != nil && h.run != of && h.open() {
			return nil
		}
		f.jobs[0] = nil
		f.jobs = f.jobs[1:]
		f.n.Store(int32(len(f.jobs)))
		if h.lend() {
			return h
		}
	}
	f.sweep()
	return nil
}

// keys are those of the jobs that are there now. They are made when the mutex is free again.
func (f *publicPart) keys(r *run) []steal.Key { return openKeys(r, f.all()) }

// all are the published jobs.
func (f *publicPart) all() []*shared {
	if f.n.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.jobs)
}
