package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/steal"
)

// keepBigAfter is how long a big answer has to reach its submitters before a copy of it is sent to
// another peer: nearly always it does.
const keepBigAfter = 500 * time.Millisecond

// answering is a run's answer, on its way to those who wait for it, and to one more peer that keeps
// it meanwhile.
type answering struct {
	outbox
	self    membership.PeerID
	of      steal.Instance
	members answerHolders
	bestFor func(membership.PeerID, membership.Incarnation) steal.Stamp

	// what the root came to; known to the master, and to the peer that keeps it for the master
	answer     *steal.Result
	delivering bool          // it is this peer that sends the answer
	over       bool          // the run has its answer, here or elsewhere …
	failed     bool          // … which is an error, as those say who have it
	isDated    bool          // it has it, or had it under another master, …
	answered   time.Duration // … since then, as far as it is kept since then
	deliveries []delivery    // to whom, until they acknowledge it
	passed     []passed      // to whom it went back lately the way that a submission came
	keptBy     answerHolder  // at the master: the other peer that keeps the answer
	brought    bringing      // elsewhere
}

// answerHolders are members of whom one may hold an answer; it is a [membership.View].
type answerHolders interface {
	Member(membership.PeerID) (membership.Member, bool)
	Has(membership.PeerID, membership.Incarnation) bool
	OldestOther() (membership.Member, bool)
	Draw() (membership.Member, bool)
}

// answers says that one of this peer's own submissions has its answer.
type answers struct {
	nonce  steal.Nonce
	result steal.Result
}

// delivery is an answer on its way to a submitter.
type delivery struct {
	to    steal.Submission
	tries int
	again time.Duration
	gap   backoff.Backoff
}

// passed is a submission to which the answer went back the way that it came: none goes again
// before.
type passed struct {
	to    steal.Submission
	until time.Duration
}

// answerHolder is the peer by which a master has its answer kept, and when that is asked to again.
type answerHolder struct {
	by          membership.PeerID
	incarnation membership.Incarnation
	again       time.Duration // when to send it; Never: it is kept, or there is nothing to keep
	gap         backoff.Backoff
}

// begin makes this peer the one that sends the answer.
func (a *answering) begin(now time.Duration) {
	a.delivering = true
	if a.over = true; !a.isDated {
		a.dates(now, 0)
	}
}

// isOver hears that the run has had its answer for so long.
func (a *answering) isOver(now time.Duration, seconds uint32) {
	a.over = true
	a.dates(now, seconds)
}

// hasFailed tells whether the answer that the run has is an error.
func (a *answering) hasFailed() bool {
	if a.answer != nil {
		return a.answer.Outcome != steal.Value
	}
	return a.over && a.failed
}

// dates hears since when the answer is kept: the latest that is heard holds.
func (a *answering) dates(now time.Duration, seconds uint32) {
	if at := now - time.Duration(seconds)*time.Second; !a.isDated || at > a.answered {
		a.isDated, a.answered = true, at
	}
}

// owe sends the answer to one more submitter.
func (a *answering) owe(now time.Duration, s steal.Submission, e membership.Epoch) []membership.Effect {
	a.deliveries = append(a.deliveries, delivery{to: s, gap: a.repeats()})
	return a.deliver(now, len(a.deliveries)-1, e)
}

// repeats are the times between two sendings of the answer to one who does not acknowledge it.
func (a *answering) repeats() backoff.Backoff {
	return backoff.New(answerGapMin+timeFor(len(a.answer.Bytes)), answerGapMax)
}

// deliver sends the answer once more; when it stays unacknowledged, every other time by way of any
// member: the link to the submitter may be dead.
func (a *answering) deliver(now time.Duration, n int, e membership.Epoch) []membership.Effect {
	d := &a.deliveries[n]
	d.again = now + d.gap.Next()
	d.tries++
	if d.to.Submitter == a.self {
		a.do(answers{d.to.Nonce, *a.answer})
		return a.flush()
	}
	by := d.to.Submitter
	if m, ok := a.members.Draw(); ok && d.tries > 2 && d.tries%2 == 0 {
		by = m.ID
	}
	return a.sendBy(d.to, by, e)
}

// sendBy sends the answer to a submitter, in person or by way of another.
func (a *answering) sendBy(s steal.Submission, by membership.PeerID, e membership.Epoch) []membership.Effect {
	m, _ := a.members.Member(by)
	a.do(tells{by, Answer{
		Run: a.of, Nonce: s.Nonce, To: s.Submitter, Epoch: e, Best: a.bestFor(by, m.Incarnation), Result: *a.answer,
	}})
	return a.flush()
}

// sendKeep sends the answer to the peer that would succeed this one: the oldest other.
func (a *answering) sendKeep(now time.Duration, e membership.Epoch) []membership.Effect {
	k := &a.keptBy
	if !a.members.Has(k.by, k.incarnation) {
		m, ok := a.members.OldestOther()
		if !ok {
			k.again = now + answerGapMax // nobody is there to keep it yet
			return nil
		}
		k.by, k.incarnation, k.gap = m.ID, m.Incarnation, a.repeats()
	}
	k.again = now + k.gap.Next()
	return a.sendTo(now, life{k.by, k.incarnation}, e)
}

// sendTo sends the answer to one that is to keep it.
func (a *answering) sendTo(now time.Duration, to life, e membership.Epoch) []membership.Effect {
	a.send(to, Keep{
		Run: a.of, Epoch: e, Best: a.bestFor(to.peer, to.incarnation), Result: *a.answer, Seconds: secondsSince(a.answered, now),
	})
	return a.flush()
}

// keepElsewhere has the answer kept by one more peer: a big one only when it does not reach its
// submitters meanwhile.
func (a *answering) keepElsewhere(now time.Duration, e membership.Epoch) []membership.Effect {
	if len(a.answer.Bytes) <= rootAlong {
		return a.sendKeep(now, e)
	}
	a.keptBy.again = now + keepBigAfter
	return nil
}

// sendBack sends the answer back the way that a submission came, when the straight way seems
// not to work.
func (a *answering) sendBack(now time.Duration, s steal.Submission, from membership.PeerID, e membership.Epoch) []membership.Effect {
	a.passed = slices.DeleteFunc(a.passed, func(p passed) bool { return now >= p.until })
	justNow := slices.ContainsFunc(a.passed, func(p passed) bool { return p.to == s })
	if a.answer == nil || from == a.self || justNow {
		return nil
	}
	for _, d := range a.deliveries {
		if d.to == s && (from == s.Submitter || d.tries < 2) {
			return nil // it is on its way
		}
	}
	a.passed = append(a.passed, passed{s, now + answerGapMin + timeFor(len(a.answer.Bytes))})
	return a.sendBy(s, from, e)
}

// hearKept hears that somebody keeps the answer.
func (a *answering) hearKept(id membership.PeerID) {
	if a.keptBy.by == id {
		a.keptBy.again = steal.Never
	}
	a.brought.hearKept(id)
}

// lost has the answer kept by another when the one that kept it is gone.
func (a *answering) lost(now time.Duration, id membership.PeerID) {
	if a.delivering && a.keptBy.by == id {
		a.keptBy = answerHolder{again: now}
	}
}

// livesOn hears that one goes on under another incarnation.
func (a *answering) livesOn(was, is life) {
	if a.keptBy.by == was.peer && a.keptBy.incarnation == was.incarnation {
		a.keptBy.incarnation = is.incarnation
	}
	a.brought.livesOn(was, is)
}

// drops forgets one that waits for it no more.
func (a *answering) drops(s steal.Submission) {
	a.deliveries = slices.DeleteFunc(a.deliveries, func(d delivery) bool { return d.to == s })
}

// deadline is when it is to be sent again, to anybody.
func (a *answering) deadline() time.Duration {
	at := min(a.keptBy.again, a.brought.deadline())
	for _, d := range a.deliveries {
		at = min(at, d.again)
	}
	return at
}

// isOnlyHere tells whether there is an answer here that nobody else is known to keep yet.
func (a *answering) isOnlyHere() bool { return a.delivering && a.keptBy.again != steal.Never }
