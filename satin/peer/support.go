package peer

import (
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Times of support and claims. Whoever has not said for supportFor that it works for a root is not
// behind it. What a master claims stays as it is for claimFor, or two masters whose numbers move
// could both win for ever.
const (
	supportEvery = 2 * time.Second
	supportFor   = 3 * supportEvery
	// a claim is about so long ago: when a cut heals, supporters change sides before
	// the masters have met
	claimLag   = time.Second
	claimFor   = 10 * time.Second
	claimEvery = 500 * time.Millisecond
	// a tick that is later than this: meanwhile the others may have gone elsewhere
	sleptMin = time.Second
)

// RunEpoch is a run under one of its masters.
type RunEpoch struct {
	Run   steal.Instance
	Epoch membership.Epoch
}

// Support tells a master, or a former one, for which roots the sender works.
type Support struct{ Epochs []RunEpoch }

// Claim tells the other master of a run how many workers are behind this one's root.
type Claim struct {
	Run     steal.Instance
	By      membership.PeerID // the master under Epoch
	To      membership.PeerID // the other master; whoever else receives it passes it on
	Epoch   membership.Epoch
	Workers uint32
}

func (Support) Kind() uint8 { return KindSupport }
func (Claim) Kind() uint8   { return KindClaim }

// support is what a master knows of those who work for its root.
type support struct {
	supporters []supporter // by id
	claim      uint32      // the workers behind the root, as claimed …
	claimUntil time.Duration
	claimAt    time.Duration // no second Claim before this
	claims     int           // that were sent
}

type supporter struct {
	id      membership.PeerID
	workers uint32
	since   time.Duration
	// when it last said so, and supportFor; or when it left
	until time.Duration
}

func (s *support) find(id membership.PeerID) (int, bool) {
	return slices.BinarySearchFunc(s.supporters, id, func(x supporter, id membership.PeerID) int {
		return strings.Compare(string(x.id), string(id))
	})
}

// gains notes that a peer works for this root.
func (s *support) gains(now time.Duration, id membership.PeerID, workers uint32) {
	at, ok := s.find(id)
	if !ok { // a run may outlive more supporters than there are ever members
		s.supporters = slices.DeleteFunc(s.supporters, func(x supporter) bool { return x.until <= now-claimLag })
		if len(s.supporters) >= membership.MembersMax {
			return
		}
		at, _ = s.find(id)
		s.supporters = slices.Insert(s.supporters, at, supporter{})
	}
	x := &s.supporters[at]
	if now >= x.until {
		x.since = now
	}
	x.id, x.workers, x.until = id, workers, now+supportFor
}

// loses notes that a peer works for another root, or for none.
func (s *support) loses(now time.Duration, id membership.PeerID) {
	if at, ok := s.find(id); ok {
		s.supporters[at].until = min(s.supporters[at].until, now)
	}
}

// claimed is how many workers are behind the root, its master's own among them.
func (s *support) claimed(now time.Duration, own uint32) uint32 {
	if now < s.claimUntil {
		return s.claim
	}
	s.claim, s.claimUntil, s.claims = own, now+claimFor, 0
	for _, x := range s.supporters {
		if x.since <= now-claimLag && now-claimLag < x.until {
			s.claim += x.workers
		}
	}
	return s.claim
}
