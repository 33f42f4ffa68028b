package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/steal"
)

// How long one that nobody lets in waits. Others look for a lost group every
// [addresses.GroupEvery]: one whom they know at its address is found by then.
const (
	// with a past, from its first contact on: those that it met may be on their way in, too
	aloneAfter = 2 * time.Second
	// with a past, in any case: a dial that nothing answers takes three; see pastWait
	pastMax = 5 * time.Second
	// without one, where nobody is at the addresses that it was given
	foundWithin = 6 * time.Second
	answerMax   = 5 * time.Second // without one, from when it has met or heard somebody last
	heardMax    = 4 * answerMax   // … but no longer, from its first contact on
)

// Stranded tells that this peer or client was not let in, and that it founds nothing: it has no
// past, or was refused.
type Stranded struct {
	Reached bool // somebody, who did not answer
	Full    bool // the grid has no seat for it
}

// WentOn tells that nobody of the grid that this peer was part of answers, that it goes on alone as
// that grid, and looks for the others.
type WentOn struct{}

// seeks says that it must be looked at whether this peer is stranded on its way in.
type seeks struct{}

// attempts are those to reach whom this peer was told of, and what came of them; it is an
// [addresses.Book].
type attempts interface {
	Sessions() int
	Tried() bool  // no dial may yet come to anything
	Denied() bool // somebody has refused it at the handshake
}

// pastWait is how long one with a past that knows so many hosts waits in any case. It dials one
// after the other: where it knows many, any of whom may be the only one that has come back, it
// waits longer, up to a round of them all.
func pastWait(hosts int) time.Duration {
	many := time.Duration(max(hosts, addresses.LostMany))
	return min(many*pastMax/addresses.LostMany, addresses.RoundMax)
}

// canStrand tells whether this peer is not in, and was told where the grid is.
func (j *joining) canStrand() bool { return j.active && (j.past || j.told) && !j.stranded }

// strandedDeadline is when one that nobody has let in looks at that again.
func (j *joining) strandedDeadline(now time.Duration) time.Duration {
	if !j.canStrand() {
		return steal.Never
	}
	at := j.began + pastWait(j.knows)
	if !j.past {
		at = j.began + foundWithin
	}
	if at <= now {
		at = j.overAt()
	}
	switch {
	case j.met > 0 && j.past:
		at = min(at, j.met+aloneAfter)
	case j.met > 0:
		at = j.unansweredAt()
	}
	if at <= now { // it was looked at, and a refusal is another event
		return steal.Never
	}
	return at
}

// overAt is when one that reaches nobody gives up though dials are under way. Of many hosts that
// answer nothing, as machines that were ended do, one always is.
func (j *joining) overAt() time.Duration { return j.began + foundWithin + pastWait(j.knows) }

// unansweredAt is when one gives up that has met somebody. Whoever hears others is beside them:
// what it asks, or is told, is lost on the way. It may also be that nobody hears it.
func (j *joining) unansweredAt() time.Duration {
	return min(max(j.met, j.heard)+answerMax, j.met+heardMax)
}

// tickStranded decides about one that nobody has let in. A refusal is an answer, for one with a
// past, too: whoever founded then would be a second grid.
func (j *joining) tickStranded(now time.Duration, tries attempts) []membership.Effect {
	if !j.canStrand() {
		return nil
	}
	alone, tried := tries.Sessions() == 0, tries.Tried()
	switch {
	case alone && tried && tries.Denied():
		j.strand(false)
	case j.past && !j.client:
		if alone && tried || now >= j.began+pastWait(j.knows) || j.met > 0 && now >= j.met+aloneAfter {
			j.goOn(tries)
		}
	case alone && tried && (j.client || now >= j.began+foundWithin), alone && now >= j.overAt():
		j.strand(false)
	case j.met > 0 && now >= j.unansweredAt():
		j.strand(true)
	}
	return j.flush()
}

// goOn goes on alone, unless the grid is there and has refused this peer: those who say nothing may
// be on their way in, too.
func (j *joining) goOn(tries attempts) {
	if tries.Denied() {
		j.strand(false)
		return
	}
	j.do(WentOn{})
	j.do(entersAlone{})
}

func (j *joining) strand(reached bool) {
	j.stranded = true
	j.do(Stranded{Reached: reached})
}
