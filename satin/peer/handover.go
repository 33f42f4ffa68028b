package peer

import (
	"time"

	"satingrid/membership/backoff"
	"satingrid/steal"
)

// How soon a leaver's heir is asked anew, once others rely on that leaver: in a ring of leavers
// each question makes another.
const (
	anewGapMin = 20 * time.Millisecond
	anewGapMax = time.Second // an heir that is asked so late still has heirWait to answer
)

// handover is how a leaver has a run held by its heir that is to be kept: all that had its root may
// be leaving. The heir is told of it as a master is brought an answer, until it says that it holds
// the run. Of leavers that are each other's heirs in a ring, of any length, each would go on the
// next one's word, and nobody would hold it in the end. So what an heir has said counts only if it
// was asked since this peer last told anybody that it holds the run itself: around a ring each such
// word would have to be younger than itself.
type handover struct {
	bringing
	number uint64          // by which the heir is asked
	pause  backoff.Backoff // between a question and another, of one that others rely on
	soon   time.Duration   // when it is asked anew; 0: nobody is …
	anew   life            // … and who
}

// questions is how many questions were asked.
type questions uint64

// next is the number of the next one.
func (q *questions) next() uint64 {
	*q++
	return uint64(*q)
}

// begins tells whether somebody is to be asked now: each is asked once in its life, and then again
// until it has answered.
func (h *handover) begins(now time.Duration, heir life, asks *questions) bool {
	if h.to == heir || h.anew == heir && now < h.soon {
		return false
	}
	h.bringing = bringing{to: heir, gap: backoff.New(willGapMin, steal.Never)}
	h.number, h.soon, h.anew = asks.next(), 0, life{}
	return true
}

// asks is when to ask again, which is being done.
func (h *handover) asks(now time.Duration, rootBytes uint32) {
	h.again = now + h.gap.Next() + timeFor(int(rootBytes))
}

// relied hears that another is told that this peer holds the run: the heir that was asked is asked
// anew.
func (h *handover) relied(now time.Duration) {
	if h.to == (life{}) {
		return
	}
	if h.pause == (backoff.Backoff{}) {
		h.pause = backoff.New(anewGapMin, anewGapMax)
	}
	h.anew, h.soon = h.to, now+h.pause.Next()
	h.bringing = bringing{}
}

// forget forgets who was asked: whoever is the heir is asked at once.
func (h *handover) forget() { h.bringing, h.soon, h.anew = bringing{}, 0, life{} }

// livesOn hears that one goes on under another incarnation.
func (h *handover) livesOn(was, is life) {
	if h.bringing.livesOn(was, is); h.anew == was {
		h.anew = is
	}
}

// deadline is when somebody is to be asked.
func (h *handover) deadline() time.Duration {
	if h.anew != (life{}) {
		return h.soon
	}
	return h.bringing.deadline()
}

// hearHolds hears that somebody holds the run, as it was asked by a number.
func (h *handover) hearHolds(who life, number uint64) {
	if h.to == who && h.number == number {
		h.again = steal.Never
	}
}
