package peer

import (
	"time"

	"satingrid/membership/backoff"
	"satingrid/steal"
)

// handing is how a leaver has a run held by its heir that is to be kept: all that had its root may
// be leaving. The heir is told of it as a master is brought an answer, until it says that it holds
// the run.
type handing struct{ bringing }

// begins tells whether somebody is to be asked now: each is asked once in its life, and then again
// until it has answered.
func (h *handing) begins(heir life) bool {
	return h.bringing.begins(heir, backoff.New(willGapMin, steal.Never))
}

// asks is when to ask again, which is being done.
func (h *handing) asks(now time.Duration, rootBytes uint32) {
	h.again = now + h.gap.Next() + timeFor(int(rootBytes))
}

// hearHolds hears that somebody holds the run.
func (h *handing) hearHolds(who life) {
	if h.to == who {
		h.again = steal.Never
	}
}
