package peer

import (
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
)

// entering has the other parts do what it asks of them that this peer comes in.
type entering struct {
	outbox
	client      bool
	view        enrolment
	join        *joining
	greeting    *greeting
	comparing   *comparing
	runs        *runs
	mastership  *mastership
	table       *orphan.Table
	copier      *copier
	leaving     *leaving
	opening     *opening
	submissions *submissions
}

// enrolment is how a peer becomes a member; it is a [membership.View].
type enrolment interface {
	Self() membership.Member
	Enter(now time.Duration) []membership.Effect
	Above(join uint64)
}

// enter makes this peer a member.
func (e *entering) enter(now time.Duration) []membership.Effect {
	e.also(e.view.Enter(now))
	self := e.view.Self()
	e.join.isOver()
	e.also(e.greeting.entering())
	e.comparing.soon(now)
	e.table.Reborn(now, self.Incarnation)
	// of its own, so that rounds of copies change no other draw
	lots := rand.New(rand.NewPCG(self.Incarnation.Random, 1))
	e.copier.draws(lots)
	e.leaving.draws(lots)
	e.do(Started{self})
	e.mastership.changed()
	e.also(e.opening.look(now))
	e.also(e.submissions.anew(now))
	return e.flush()
}

// letIn comes in with what a member knows.
func (e *entering) letIn(now time.Duration) []membership.Effect {
	e.join.letIn(now)
	e.comparing.soon(now)
	if e.client {
		return e.submissions.anew(now)
	}
	return e.enter(now)
}

// alone goes on with what this peer has and what a client holds: all others are gone, or cannot be
// reached. Unless all were asked for whom the client has named, one of them may still come, who
// knows better what the client has said of runs.
func (e *entering) alone(now time.Duration, asked bool) []membership.Effect {
	if !e.client {
		e.view.Above(e.join.hearsay.newest)
	}
	e.also(e.letIn(now))
	for _, r := range e.runs.all {
		// there is nothing else to be believed
		r.demand.hearsay = r.demand.hearsay && !asked
		if !r.root.isHere() {
			r.root.fetchAt = now
		}
	}
	return e.flush()
}
