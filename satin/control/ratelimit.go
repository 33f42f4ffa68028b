package control

import (
	"context"
	"sync"

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
	mu sync.Mutex // protects of
	of map[string]*rate.Limiter
}

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
	_ = r.limiter(from).WaitN(ctx, n) // the end of ctx is noticed by the caller
}

func (r *rateLimits) limiter(from string) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.of[from]
	if l == nil && len(r.of) >= rateLimitsMax {
		r.forget()
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
func (r *rateLimits) forget() {
	for id, l := range r.of {
		if l.Tokens() >= newsBurst {
			delete(r.of, id)
		}
	}
}
