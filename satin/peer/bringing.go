package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/steal"
)

// bringing is how a peer brings the answer that it has of a run to a master that does not know it.
type bringing struct {
	to    life
	again time.Duration // when to send it; Never: it has it
	gap   backoff.Backoff
}

// begins tells whether the master is to be told now: it is told once in its life, until it says
// that it has the answer.
func (b *bringing) begins(master life, repeats backoff.Backoff) bool {
	if b.to == master {
		return false
	}
	*b = bringing{to: master, gap: repeats}
	return true
}

// known hears that somebody has the answer.
func (b *bringing) known(master life) { *b = bringing{to: master, again: steal.Never} }

// hearKept hears that somebody keeps it.
func (b *bringing) hearKept(id membership.PeerID) {
	if b.to.peer == id {
		b.again = steal.Never
	}
}

// has tells whether somebody is known to have it.
func (b *bringing) has(who life) bool { return b.to == who && b.again == steal.Never }

// livesOn hears that one goes on under another incarnation.
func (b *bringing) livesOn(was, is life) {
	if b.to == was {
		b.to = is
	}
}

// deadline is when it is brought once more.
func (b *bringing) deadline() time.Duration {
	if b.to == (life{}) {
		return steal.Never
	}
	return b.again
}

// bring brings the answer to the master, if that one is still there.
func (a *answering) bring(now time.Duration, e membership.Epoch) []membership.Effect {
	b := &a.brought
	if !a.members.Has(b.to.peer, b.to.incarnation) {
		b.again = steal.Never
		return nil
	}
	b.again = now + b.gap.Next()
	return a.sendTo(now, b.to, e)
}
