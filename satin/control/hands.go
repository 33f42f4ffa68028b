package control

import "sync"

// Hands carries out what would hold up the loop, one thing after another, on a goroutine of its own
// while there is something: reading a root or a result, which may be long and is the program's
// code, writing to a disk. Each run has its own, so that one whose code is slow or never returns
// holds up no other. What waits is bounded by what the machine has open: the run's loans.
type Hands struct {
	mu    sync.Mutex // protects what follows
	queue []func()
	busy  bool
}

// Give queues something to be done, for those who wait for its goroutines.
func (h *Hands) Give(by Goroutines, do func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.queue = append(h.queue, do)
	if h.busy {
		return
	}
	h.busy = true
	by.Go(func() {
		for do := h.next(); do != nil; do = h.next() {
			do()
		}
	})
}

// Goroutines is who waits for those of Hands.
type Goroutines interface{ Go(do func()) }

// next is what is to be done now, or nil.
func (h *Hands) next() func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) == 0 {
		h.busy = false
		return nil
	}
	do := h.queue[0]
	h.queue[0] = nil
	h.queue = h.queue[1:]
	return do
}

// IsBusy tells whether something waits or is being done.
func (h *Hands) IsBusy() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.busy
}
