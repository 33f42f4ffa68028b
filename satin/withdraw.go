package satin

// withdraw tells everybody that the job is not wanted any more, and reports whether it was
// unfinished. With salvage it is an orphan: who runs it is told at the next Spawn or Wait, gives
// out the parts, and stops. If it returns before that, it has a result.
func (h *shared) withdraw(salvage bool) bool {
	h.mu.Lock()
	if h.state == done || h.state == withdrawn {
		h.mu.Unlock()
		return false
	}
	was, thief, waiter := h.state, h.thief, h.waiter
	first := !h.orphan
	h.orphan = h.orphan || salvage
	h.waiter = nil
	if salvage && was == taken {
		h.mu.Unlock()
		thief.mail()
		return first
	}
	h.state, h.thief = withdrawn, nil
	ended := h.ended
	h.mu.Unlock()
	if waiter != nil {
		waiter.unpark()
	}
	switch {
	case was == taken && thief != nil:
		thief.mail()
	case was == lent:
		h.recall()
	}
	if ended != nil {
		ended(h)
	}
	return true
}

// stop ends an orphan that was told, or whose stack was.
func (h *shared) stop() {
	h.mu.Lock()
	if h.state != taken || !h.orphan {
		h.mu.Unlock()
		return
	}
	h.state, h.thief = withdrawn, nil
	ended := h.ended
	h.mu.Unlock()
	if ended != nil {
		ended(h)
	}
}

// giveBack ends a thief's work on a job that it was told to stop. When that was because of another
// job, below it on the thief's stack, this one is still wanted: it starts anew.
func (h *shared) giveBack() {
	if h.run.isEnding() {
		h.withdraw(false)
		return
	}
	h.mu.Lock()
	wanted := h.state == taken && !h.orphan
	waiter := h.waiter
	if wanted {
		h.state, h.thief = offered, nil
		h.progress.Store(0)
		h.appraised.Store(nil)
	}
	h.mu.Unlock()
	if !wanted {
		h.stop()
		return
	}
	h.run.pool.enqueue(h)
	if waiter != nil {
		waiter.unpark()
	}
}

// isOrphan tells whether the job was withdrawn with salvage.
func (h *shared) isOrphan() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.orphan
}
