package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// rootHere is the root of a run, as far as this peer has it: on its way, here, or executing.
type rootHere struct {
	digest  steal.Key
	size    uint32
	bytes   []byte        // nil until it has come
	fetchAt time.Duration // when to ask for it again
	fetches int           // how often it was asked for in vain
	asker   holdAsker     // who is to be told when it has come; zero: nobody
	borrow  steal.Borrow  // as which it is executing here; 0: it is not
}

// rootlessAfter is how often a root is asked for in vain, here and there, before nobody is thought
// to have it any more: all that had it, and who submitted it, have gone.
const rootlessAfter = 12

// holdAsker is one that asks whether a run is held here, by a number of its own.
type holdAsker struct {
	id     membership.PeerID
	number uint64
	leaver bool // it goes when it is told so
}

func (h *rootHere) isHere() bool { return h.bytes != nil }

// isBig tells whether it does not travel with the record of its run.
func (h *rootHere) isBig() bool { return h.size > rootAlong }

// lacks tells whether it is this that has not come yet.
func (h *rootHere) lacks(digest steal.Key, root []byte) bool {
	return !h.isHere() && root != nil && digest == h.digest && len(root) == int(h.size)
}

// isDue tells whether it is to be asked for now.
func (h *rootHere) isDue(now time.Duration) bool { return !h.isHere() && now >= h.fetchAt }

// asked hears that it is asked for, or would be where there was room for it.
func (h *rootHere) asked(now time.Duration) { h.fetchAt = now + fetchEvery + timeFor(int(h.size)) }

// isToCome waits for it: it comes in the Record that follows a Snapshot.
func (h *rootHere) isToCome(now time.Duration) { h.fetchAt = now + fetchEvery }

// isLost tells whether nobody seems to have it.
func (h *rootHere) isLost() bool { return !h.isHere() && h.fetches >= rootlessAfter }

// along is what goes with the record of its run.
func (h *rootHere) along() []byte {
	if len(h.bytes) > rootAlong {
		return nil
	}
	return h.bytes
}

// deadline is when it is to be asked for.
func (h *rootHere) deadline() time.Duration {
	if h.isHere() {
		return steal.Never
	}
	return h.fetchAt
}
