package peer

import (
	"time"

	"satingrid/membership/backoff"
	"satingrid/steal"
)

// handing is how a leaver has a run held by its heir that is to be kept: all that had its root may
// be leaving.
type handing struct {
	to    life
	again time.Duration // when to ask again; Never: it holds the run
	gap   backoff.Backoff
}

// begins tells whether somebody is to be asked now: each is asked once in its life, and then again
// until it has answered.
func (h *handing) begins(heir life) bool {
	if h.to == heir {
		return false
	}
	*h = handing{to: heir, gap: backoff.New(willGapMin, steal.Never)}
	return true
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

// has tells whether somebody is known to hold it.
func (h *handing) has(heir life) bool { return h.to == heir && h.again == steal.Never }

// livesOn hears that one goes on under another incarnation.
func (h *handing) livesOn(was, is life) {
	if h.to == was {
		h.to = is
	}
}

// deadline is when somebody is asked again.
func (h *handing) deadline() time.Duration {
	if h.to == (life{}) {
		return steal.Never
	}
	return h.again
}
