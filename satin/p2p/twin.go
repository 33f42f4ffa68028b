package p2p

import "context"

// twinReturns is how often a process must come back after another of its
// identity took its place: one that was started again takes it once, and a
// connection of the dead one may still arrive once.
const twinReturns = 2

// follows notes which process of an identity follows which, and tells whether
// two of them live at a time: each takes the place of the other. The caller
// holds the host's mu.
func (p *pair) follows(start uint64) (twins bool) {
	if p.start == start || p.start == 0 {
		return false
	}
	if start == p.former {
		p.returns++
	} else {
		p.returns = 0
	}
	p.former = p.start
	return p.returns >= twinReturns
}

// tellTwin tells a process that another one lives under its identity. The
// other one, which redials since its session was taken over, is told next.
func (h *Host) tellTwin(s *session) {
	h.goroutines.run(func() {
		ctx, cancel := context.WithTimeout(h.ctx, goodbyeTime)
		defer cancel()
		s.goodbye(ctx, Twin)
	})
}
