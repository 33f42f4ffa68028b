package driver

import (
	"maps"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// What a host says about the grid and its runs may cost far more to answer than to ask, and is said
// seldom: so much of it is taken from one host, as of gossip. A job's messages and the signs of
// life are many and cheap; the carrier's own limit is enough for those.
const (
	newsEvery     = time.Millisecond // one may be said so often …
	newsBurst     = 2_000            // … and so many at once
	listBytes     = 512              // of a list of many things count as one more
	rateLimitsMax = 1024             // hosts whose limits are remembered
)

// RateLimits are on what each host says beside its jobs.
//
// They are not golang.org/x/time/rate, by which the carrier goes: that has locks and the time of
// day, and these are pure and told the time as the machines are, so that the simulator plays them.
type RateLimits struct {
	// until when what it has said is paid for, of which newsBurst may lie ahead. Who has none
	// owes nothing
	paid map[membership.PeerID]time.Duration
}

// Wait is for how long whoever has said something is to be held up, before that and anything more
// that it says is heard.
func (r *RateLimits) Wait(now time.Duration, from membership.PeerID, b membership.Body, size int) time.Duration {
	n := weight(b, size)
	if n == 0 {
		return 0
	}
	from = r.room(now, from)
	paid := max(r.paid[from], now) + time.Duration(n)*newsEvery
	r.paid[from] = paid
	return max(0, paid-newsBurst*newsEvery-now)
}

// weight is as how many a message counts.
func weight(b membership.Body, size int) int {
	switch peer.LoadOf(b) {
	case peer.Business:
		return 0
	case peer.List:
		return min(1+size/listBytes, newsBurst)
	}
	return 1
}

// room makes room for a host's limit, and says under which name that is: all that come when there
// are too many share one. Those go that are whole: whoever comes back has the same.
func (r *RateLimits) room(now time.Duration, from membership.PeerID) membership.PeerID {
	if r.paid == nil {
		r.paid = map[membership.PeerID]time.Duration{}
	}
	_, known := r.paid[from]
	if !known && len(r.paid) >= rateLimitsMax {
		maps.DeleteFunc(r.paid, func(_ membership.PeerID, paid time.Duration) bool { return paid <= now })
	}
	if !known && len(r.paid) >= rateLimitsMax {
		return ""
	}
	return from
}
