package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

const failEvery = time.Second

// panicking is a job of a run that panicked here, and of which its master must hear. It is told
// again until the run has ended, every other time to any member: the one that this peer takes for
// the master may be dead, with a greater epoch than the one that lives.
type panicking struct {
	outbox
	of      steal.Instance
	members askable

	failure *steal.Result // nil: none has panicked
	failAt  time.Duration // when it is told again
	fails   int           // how often it was told
}

// tell tells the master, or whom else it is the turn of.
func (x *panicking) tell(now time.Duration, master membership.PeerID, result steal.Result) []membership.Effect {
	x.failure, x.failAt = &result, now+failEvery
	to := master
	if x.fails++; x.fails%2 == 0 {
		if m, ok := x.members.Draw(); ok {
			to = m.ID
		}
	}
	x.do(tells{to, Fail{Run: x.of, Result: result}})
	return x.flush()
}

// deadline is when it is told again.
func (x *panicking) deadline() time.Duration {
	if x.failure == nil {
		return steal.Never
	}
	return x.failAt
}
