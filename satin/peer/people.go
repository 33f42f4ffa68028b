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
	p.reports.submitted(s.id.Nonce, root.Run)
	p.apply(p.submissions.submit(p.now, s))
	return s.id.Nonce, p.end(), nil
}

// Cancel withdraws a submission. Nothing will be delivered for it.
func (p *Peer) Cancel(now time.Duration, nonce steal.Nonce) []Effect {
	p.begin(now)
	p.apply(p.submissions.cancel(nonce))
	p.reports.cancelled(nonce)
	return p.end()
}

// CancelRun ends a run for all who wait for it, as somebody at this member wants. Each submitter is
// told, and delivers that.
func (p *Peer) CancelRun(now time.Duration, no RunNo) []Effect {
	p.begin(now)
	p.apply(p.endings.cancel(p.now, no))
	return p.end()
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
