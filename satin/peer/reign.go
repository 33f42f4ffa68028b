package peer

import (
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Times of reigns. Whoever has not said for followFor that it works for a root is not behind it.
// What a master claims in a contest stays as it is for claimFor, or two masters whose numbers move
// could both win for ever.
const (
	followEvery = 2 * time.Second
	followFor   = 3 * followEvery
	// a claim is about so long ago: when a cut heals, followers change sides before
	// the masters have met
	claimLag     = time.Second
	claimFor     = 10 * time.Second
	contestEvery = 500 * time.Millisecond
	// a tick that is later than this: meanwhile the others may have gone elsewhere
	sleptMin = time.Second
)

// Reign is a run under one master.
type Reign struct {
	Run   steal.Instance
	Epoch membership.Epoch
}

// Follow tells a master, or a former one, under which reigns the sender works.
type Follow struct{ Reigns []Reign }

// Contest tells the other master of a run how many workers are behind this one's root.
type Contest struct {
	Run     steal.Instance
	By      membership.PeerID // who reigns under Epoch
	To      membership.PeerID // the other master; whoever else receives it passes it on
	Epoch   membership.Epoch
	Workers uint32
}

func (Follow) Kind() uint8  { return KindFollow }
func (Contest) Kind() uint8 { return KindContest }

// reign is what a master knows of those who work for its root.
type reign struct {
	followers  []follower // by id
	claim      uint32     // the workers behind the root, as claimed in a contest …
	claimUntil time.Duration
	contestAt  time.Duration // no second Contest before this
	contests   int           // that were sent
}

type follower struct {
	id      membership.PeerID
	workers uint32
	since   time.Duration
	// when it was last heard of that it follows, and followFor; or when it left
	until time.Duration
}

func (g *reign) find(id membership.PeerID) (int, bool) {
	return slices.BinarySearchFunc(g.followers, id, func(f follower, id membership.PeerID) int {
		return strings.Compare(string(f.id), string(id))
	})
}

// follows notes that a peer works for this root.
func (g *reign) follows(now time.Duration, id membership.PeerID, workers uint32) {
	at, ok := g.find(id)
	if !ok { // a run may outlive more followers than there are ever members
		g.followers = slices.DeleteFunc(g.followers, func(f follower) bool { return f.until <= now-claimLag })
		if len(g.followers) >= membership.MembersMax {
			return
		}
		at, _ = g.find(id)
		g.followers = slices.Insert(g.followers, at, follower{})
	}
	f := &g.followers[at]
	if now >= f.until {
		f.since = now
	}
	f.id, f.workers, f.until = id, workers, now+followFor
}

// leaves notes that a peer works for another root, or for none.
func (g *reign) leaves(now time.Duration, id membership.PeerID) {
	if at, ok := g.find(id); ok {
		g.followers[at].until = min(g.followers[at].until, now)
	}
}

// claimed is how many workers are behind the root, its master's own among them.
func (g *reign) claimed(now time.Duration, own uint32) uint32 {
	if now < g.claimUntil {
		return g.claim
	}
	g.claim, g.claimUntil, g.contests = own, now+claimFor, 0
	for _, f := range g.followers {
		if f.since <= now-claimLag && now-claimLag < f.until {
			g.claim += f.workers
		}
	}
	return g.claim
}
