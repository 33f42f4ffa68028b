package peer

import (
	"time"

	"satingrid/membership"
)

// presence hears what is said of who is here. The view decides what of that is so; where hosts are,
// who may be master and who may be asked for jobs follows.
type presence struct {
	outbox
	view       *membership.View
	hosts      *hosts
	mastership *mastership
	leaving    *leaving
}

// hearHello hears who somebody is, or another, which this peer may not know.
func (x *presence) hearHello(now time.Duration, from membership.PeerID, h membership.Hello) []membership.Effect {
	if h.Member.ID == from {
		x.hosts.member(now, h.Member, true)
	}
	return x.view.HearHello(now, from, h)
}

// hearGone hears that somebody is gone, or leaves. Who its heir is may be news of one that was
// known to be gone.
func (x *presence) hearGone(now time.Duration, g membership.Gone) []membership.Effect {
	x.hosts.member(now, g.Member, false)
	x.also(x.view.Merge(now, []membership.Member{g.Member}))
	x.mastership.changed()
	x.do(spares{g.Member.ID})
	return x.flush()
}

// hearPong hears that a member is there, for which a leave may have waited.
func (x *presence) hearPong(now time.Duration, a *arrival, b membership.Pong) []membership.Effect {
	x.also(x.view.Received(now, a.peer, b))
	if x.leaving.hearPong(*a.member) {
		x.do(goesOn{})
	}
	return x.flush()
}
