package control

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// What a peer says about the grid and its runs may cost far more to answer than to ask, and is said
// seldom: so much of it is taken from one peer, as of gossip. A job's messages and the signs of
// life are many and cheap; the carrier's own limit is enough for those.
const (
	newsPerSecond = 1_000
	newsBurst     = 2_000
	listBytes     = 512  // of a list of many things count as one more
	rateLimitsMax = 1024 // peers whose limits are remembered
)

// rateLimits are on what each peer says beside its jobs. Any goroutine may use them.
type rateLimits struct {
	clock Clock

	mu sync.Mutex // protects of
	of map[string]*rate.Limiter
}

func newRateLimits(c Clock) rateLimits { return rateLimits{clock: c, of: map[string]*rate.Limiter{}} }

// wait holds up whoever has said too much: the reader of its session, so that in the end the other
// side waits.
func (r *rateLimits) wait(ctx context.Context, from string, b membership.Body, size int) {
	n := 1
	switch peer.LoadOf(b) {
	case peer.Business:
		return
	case peer.List:
		n = min(1+size/listBytes, newsBurst)
	}
	now := r.date()
	sleep(ctx, r.clock, r.limiter(from, now).ReserveN(now, n).DelayFrom(now))
}

// date is the clock's time as limiters take it.
func (r *rateLimits) date() time.Time { return time.Unix(0, 0).Add(r.clock.Now()) }

func (r *rateLimits) limiter(from string, now time.Time) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.of[from]
	if l == nil && len(r.of) >= rateLimitsMax {
		r.forget(now)
	}
	if l == nil && len(r.of) >= rateLimitsMax {
		from = "" // all that come now share one
		l = r.of[from]
	}
	if l == nil {
		l = rate.NewLimiter(newsPerSecond, newsBurst)
		r.of[from] = l
	}
	return l
}

// forget drops the limits that are whole: whoever comes back has the same. The caller holds mu.
func (r *rateLimits) forget(now time.Time) {
	for id, l := range r.of {
		if l.TokensAt(now) >= newsBurst {
			delete(r.of, id)
		}
	}
}
