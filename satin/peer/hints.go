package peer

import (
	"time"

	"satingrid/membership"
)

// hints are what jobs tell each other, told to all runs. A client has no jobs, and passes nothing
// on.
type hints struct {
	client bool
	runs   *runs
}

// hearFacts takes the facts of a run, once its root is here.
func (h *hints) hearFacts(now time.Duration, from membership.PeerID, m Facts) []membership.Effect {
	if r := h.runs.find(m.Run); r != nil && r.root.isHere() && !h.client {
		return r.facts.hearFacts(now, from, m)
	}
	return nil
}

// told hears a fact from a worker.
func (h *hints) told(now time.Duration, no RunNo, fact []byte) {
	if r := h.runs.numbered(no); r != nil && !h.client {
		r.facts.told(now, fact)
	}
}
