package peer

import (
	"iter"

	"satingrid/membership"
	"satingrid/steal"
)

// outbox is what a component of a peer wants done, in order. A component knows nothing of [Peer]:
// what it is told are its methods, and each that is an event returns what is in here, for
// [Peer.apply].
//
// A method's name says by whom it is told. What a message tells is hear and the message's name, as
// in hearCovered; what time tells is tick. What the workers or other components tell is a
// participle, as in settled.
type outbox struct{ out []membership.Effect }

func (o *outbox) do(e membership.Effect) { o.out = append(o.out, e) }

// also has done what another component wants done, in its turn.
func (o *outbox) also(effects []membership.Effect) { o.out = append(o.out, effects...) }

func (o *outbox) send(to life, body membership.Body) {
	o.do(membership.Send{To: to.peer, Incarnation: to.incarnation, Body: body})
}

func (o *outbox) publish(body membership.Body) { o.do(membership.Publish{Body: body}) }

// flush is all that is to be done. The caller keeps it.
func (o *outbox) flush() []membership.Effect {
	out := o.out
	o.out = nil
	return out
}

// life is an incarnation of a peer.
type life struct {
	peer        membership.PeerID
	incarnation membership.Incarnation
}

// lifeOf is somebody in the life in which it is known, if it is a member.
func lifeOf(among interface {
	Member(membership.PeerID) (membership.Member, bool)
}, id membership.PeerID) life {
	m, _ := among.Member(id)
	return life{id, m.Incarnation}
}

// members tells who is present; it is a [membership.View].
type members interface {
	Member(membership.PeerID) (membership.Member, bool)
	Has(membership.PeerID, membership.Incarnation) bool
	Present() iter.Seq[*membership.Member]
	Len() int
	Self() membership.Member
}

// entered tells whether a peer, by its own record, is a member.
func entered(self membership.Member) bool { return self.State != 0 }

// What components ask of their peer.
type (
	// fails says that a run fails, with that result. It is told though the run has
	// failed before, with again.
	fails struct {
		run    steal.Instance
		result steal.Result
		again  bool
	}

	// tells says something to a peer, or client, in the life in which it is known.
	tells struct {
		to   membership.PeerID
		body membership.Body
	}

	// submits says that it is this peer itself that is to hear a submission.
	submits struct{ Submit }

	// buries says that submissions have ended.
	buries Ended

	// withdraws says that submissions are over, as this peer has found.
	withdraws Ended

	// employs says that the workers have been given a job.
	employs struct{}

	// settles says that the result of a lent job is used.
	settles struct {
		run    steal.Instance
		number steal.LoanNo
		ref    steal.Ref
		result steal.Result
	}

	// reuses says that a result was found that spares its work, here or at another that was
	// asked.
	reuses struct {
		Use
		fetched bool
		stored  bool // there, for an earlier submission
	}

	// goesOn says that what a leave may have waited for has come.
	goesOn struct{}

	// unblocks says that messages that wait for a best or a record must be looked at.
	unblocks struct{}
)

// runFailure makes the result that fails a run; see Config.Failure.
type runFailure func(task string, key steal.Key, peer, text string) steal.Result

// failure is what the configuration says, or else the sentence alone.
func (c *Config) failure(task string, key steal.Key, peer, text string) steal.Result {
	if c.Failure == nil {
		return steal.Result{Outcome: steal.Panicked, Bytes: []byte(text)}
	}
	return c.Failure(task, key, peer, text)
}

// refusal is likewise what the configuration says of a run that is not begun.
func (c *Config) refusal(text string) steal.Result {
	if c.Refusal == nil {
		return c.failure("", steal.Key{}, "", text)
	}
	return c.Refusal(text)
}

// askable are members of whom one is asked; it is a [membership.View].
type askable interface {
	Member(membership.PeerID) (membership.Member, bool)
	Oldest() (membership.Member, bool)
	Draw() (membership.Member, bool)
}
