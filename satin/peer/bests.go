package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// bests have each run's best hear what concerns it.
type bests struct {
	self    membership.PeerID
	runs    *runs
	members members
	// whether one of these submissions is this peer's own
	awaits func([]steal.Submission) bool
}

// offered hears of a value that is the workers' best now.
func (b *bests) offered(now time.Duration, no RunNo, s steal.Stamp) []membership.Effect {
	if r := b.runs.numbered(no); r != nil {
		return r.best.offered(now, b.self, s)
	}
	return nil
}

// compared hears what came of a comparison.
func (b *bests) compared(now time.Duration, no RunNo, digest steal.Key, v Merit, why steal.Result) []membership.Effect {
	if r := b.runs.numbered(no); r != nil {
		return r.best.compared(now, digest, v, why)
	}
	return nil
}

// stamp names the best of a run for a message to a peer, if the run goes on.
func (b *bests) stamp(run steal.Instance, to life) (stamp steal.Stamp, on bool) {
	if r := b.runs.find(run); r != nil {
		return r.best.stamp(to.peer, to.incarnation), true
	}
	return stamp, false
}

// hearWantBest hears that somebody lacks a best that this peer has named.
func (b *bests) hearWantBest(now time.Duration, from membership.PeerID, w WantBest) []membership.Effect {
	if r := b.runs.find(w.Run); r != nil {
		return r.best.hearWantBest(now, lifeOf(b.members, from), w)
	}
	return nil
}

// hearBestIs hears what the best of a run is, or only its name: by that whoever waits for the run
// asks for it.
func (b *bests) hearBestIs(now time.Duration, from life, m BestIs) []membership.Effect {
	switch r := b.runs.find(m.Run); {
	case r == nil:
	case m.Best.Value != nil:
		return r.best.came(now, from, m)
	case b.awaits(r.submissions):
		return r.best.named(now, lifeOf(b.members, from.peer), m.Best.Digest)
	}
	return nil
}

// hearHaveBest hears that somebody holds a best that was named to it.
func (b *bests) hearHaveBest(from life, h HaveBest) {
	if r := b.runs.find(h.Run); r != nil {
		r.best.hadBy(from, h)
	}
}

// lost forgets what one held that is gone.
func (b *bests) lost(id membership.PeerID) {
	for _, r := range b.runs.all {
		r.best.lost(id)
	}
}
