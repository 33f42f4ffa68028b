package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Submit asks for a run, and names the submission: Deliver will name it again.
func (p *Peer) Submit(now time.Duration, root Root) (nonce steal.Nonce, effects []Effect, err error) {
	p.begin(now)
	s, err := p.submissions.begin(root)
	if err != nil {
		return 0, p.end(), err
	}
	p.reports.submitted(s.id.Nonce, s.begins())
	p.apply(p.submissions.submit(p.now, s))
	return s.id.Nonce, p.end(), nil
}

// Attach asks for the answer of a run that is on, or kept, by its id, and names the submission:
// Admitted, NotOn and Deliver will name it again. Ending it ends nothing else.
func (p *Peer) Attach(now time.Duration, run steal.Key) (nonce steal.Nonce, effects []Effect, err error) {
	p.begin(now)
	s, err := p.submissions.beginJoin(run)
	if err != nil {
		return 0, p.end(), err
	}
	p.reports.submitted(s.id.Nonce, steal.Instance{})
	p.apply(p.submissions.submit(p.now, s))
	return s.id.Nonce, p.end(), nil
}

// Release lets go of a submission: nothing will be delivered for it here, and if it is to be kept
// the grid goes on with it.
func (p *Peer) Release(now time.Duration, nonce steal.Nonce) []Effect {
	p.begin(now)
	p.apply(p.submissions.release(nonce))
	p.reports.cancelled(nonce)
	return p.end()
}

// Cancel withdraws a submission, and what it keeps. Nothing will be delivered for it.
func (p *Peer) Cancel(now time.Duration, nonce steal.Nonce) []Effect {
	p.begin(now)
	p.apply(p.submissions.cancel(nonce))
	p.reports.cancelled(nonce)
	return p.end()
}

// Command has something done to the run of that id, as somebody here wants it: [Cancel] or
// [Reshare]. The effect [CommandDone] says when it is done as far as is known here, maybe at once,
// or that there is no such run.
func (p *Peer) Command(now time.Duration, run steal.Key, what Commanded) (CommandNo, []Effect, error) {
	p.begin(now)
	command, effects, err := p.commands.give(p.now, run, what)
	p.apply(effects)
	return command, p.end(), err
}

// Order tells a member, this peer or another, to leave. It is repeated until that one is seen to be
// leaving or gone, or nobody is at the site to which it is bound: the effect [OrderDone] says so,
// maybe at once.
func (p *Peer) Order(now time.Duration, id membership.PeerID, o Order) (OrderNo, []Effect, error) {
	p.begin(now)
	no, effects, err := p.orders.give(p.now, id, o)
	p.apply(effects)
	return no, p.end(), err
}

// Recall hears that nobody waits for an order any more: it is not repeated.
func (p *Peer) Recall(now time.Duration, no OrderNo) []Effect {
	p.begin(now)
	p.orders.recall(no)
	return p.end()
}

// Leave makes this peer leave in order, at the latest at the deadline, with an heir at heirSite if
// there is one. It is a crash with a will, on the same path: jobs are withdrawn like orphans. The
// effect [Left] says when all is done. Called again, it may only shorten the deadline.
func (p *Peer) Leave(now, deadline time.Duration, heirSite membership.Site) []Effect {
	p.begin(now)
	p.applyOwn(departs{deadline: deadline, heirs: heirSite})
	return p.end()
}

// Move is Leave for as long as somebody is at heirSite who stays there. When nobody is any more,
// this peer stays, too, with the effect [Stayed]: what it has handed back is elsewhere, and a root
// that it has stopped starts again.
func (p *Peer) Move(now, deadline time.Duration, heirSite membership.Site) []Effect {
	p.begin(now)
	p.applyOwn(departs{deadline: deadline, heirs: heirSite, bound: true})
	return p.end()
}
