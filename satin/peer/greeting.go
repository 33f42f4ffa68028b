package peer

import (
	"time"

	"satingrid/membership"
)

// remindEvery is how often somebody is told that this peer has another life now. It is a limit for
// all together: each needs to hear it once.
const remindEvery = 100 * time.Millisecond

// greeting decides who it is that says something, whether it may, and who is told who this peer is.
type greeting struct {
	outbox
	client  bool
	view    acquaintance
	clients clients
	join    *joining
	again   time.Duration // no reminder of who this peer is before this
}

// acquaintance is who is known, in which life; it is a [membership.View].
type acquaintance interface {
	Self() membership.Member
	Known(membership.PeerID) *membership.Member
	IsBarred(membership.PeerID) bool
	Heard(time.Duration, membership.PeerID, membership.Incarnation) (known bool, effects []membership.Effect)
	Beats(time.Duration, membership.PeerID, membership.Incarnation) bool
	Stranger(membership.PeerID, membership.Incarnation) []membership.Effect
}

// meets looks up who the sender of a message is, and what it is to this peer.
func (g *greeting) meets(a *arrival) {
	a.member = g.view.Known(a.peer)
	switch i := a.incarnation; {
	case g.clients.has(a.peer):
		a.as = client
	case a.member != nil && a.member.Incarnation.Compare(i) <= 0:
		a.as = member
	case i.Join == 0 && i.Random != 0:
		a.as = client
	case i.Join != 0 && (g.join.active || g.join.isLonely()):
		// nobody is known here: what comes early is merged, and the first snapshot settles
		// it
		a.as = member
	default:
		a.as = stranger
	}
}

// beats tells whether a message is a heartbeat from which nothing follows but that it was heard,
// which is noted. Most messages are, in a grid that has nothing to do. This is what admits does of
// such a one.
func (g *greeting) beats(now time.Duration, from membership.PeerID, m *Message) bool {
	if _, is := m.Body.(membership.Heartbeat); !is || g.join.active {
		return false
	}
	self := g.view.Self()
	return entered(self) && isFor(&self, m) && !g.clients.has(from) && g.view.Beats(now, from, m.From)
}

// isFor tells whether a message is meant for this life of the peer, and not for an earlier one.
func isFor(self *membership.Member, m *Message) bool {
	return m.To.IsZero() || m.To == self.Incarnation
}

// admits tells whether a message is to be heard, and notes who says it.
func (g *greeting) admits(now time.Duration, a *arrival) (ok bool, effects []membership.Effect) {
	self := g.view.Self()
	switch in := self.State != 0; {
	case !isFor(&self, &a.message):
		g.remind(now, a.peer)
	case in && g.view.IsBarred(a.peer):
		g.hears(now, a)
	default:
		ok = g.lets(now, a, in)
	}
	return ok, g.flush()
}

// lets tells whether the sender of a message may say it; in is whether this peer has entered.
func (g *greeting) lets(now time.Duration, a *arrival, in bool) (ok bool) {
	if g.meets(a); a.as == member {
		g.join.hears(now, a.peer)
	}
	k := &byNumber[a.message.Body.Kind()]
	if !k.may(a) {
		g.unheard(now, a, in)
		return false
	}
	business := k.by == living
	if a.isPresent() {
		g.hears(now, a)
		return in || !business
	}
	if _, greets := a.message.Body.(membership.Hello); g.client && !g.join.active && !greets {
		// its greeting was lost, and all that this client knows may be dead
		g.also(g.view.Stranger(a.peer, a.incarnation))
	}
	if business && in {
		g.hears(now, a) // it is asked who it is
	}
	return !business
}

// comesAgain tells whether a message that was held back is to be heard now, and notes who says it.
func (g *greeting) comesAgain(a *arrival) (ok bool) {
	g.meets(a)
	self := g.view.Self()
	return byNumber[a.message.Body.Kind()].by != living || a.isPresent() && isFor(&self, &a.message)
}

// hears notes that one has been heard, who is asked who it is where it is not present in that life.
func (g *greeting) hears(now time.Duration, a *arrival) {
	_, effects := g.view.Heard(now, a.peer, a.incarnation)
	g.also(effects)
}

// unheard asks who somebody is that may not say what it said: a peer whose greeting was lost, or
// one whose life is over.
func (g *greeting) unheard(now time.Duration, a *arrival, in bool) {
	switch {
	case a.as != stranger || a.incarnation.Join == 0:
	case in:
		g.hears(now, a)
	case g.client:
		g.also(g.view.Stranger(a.peer, a.incarnation))
	}
}

// remind tells one that speaks to an earlier life of this peer who it is now: its greeting was lost
// there, and a client compares knowledge with nobody but those that it speaks to.
func (g *greeting) remind(now time.Duration, who membership.PeerID) {
	if now >= g.again && entered(g.view.Self()) && !g.view.IsBarred(who) {
		g.again = now + remindEvery
		g.greet(who)
	}
}

// greet tells one who this peer is.
func (g *greeting) greet(who membership.PeerID) {
	g.send(life{peer: who}, membership.Hello{Member: g.view.Self()})
}

// connected greets whoever a connection stands to, as a member: what it said when it entered may
// have been lost where there was no connection yet.
func (g *greeting) connected(id membership.PeerID) []membership.Effect {
	if entered(g.view.Self()) {
		g.greet(id)
	}
	return g.flush()
}

// entering greets, now that this peer has entered, those that a connection stands to as members, if
// they are any. A client is none: when all others have just left, it alone knows the runs, and
// nobody else would tell it of this peer.
func (g *greeting) entering() []membership.Effect {
	for _, id := range g.join.contacts {
		if m := g.view.Known(id); m == nil || !m.State.Present() {
			g.greet(id)
		}
	}
	return g.flush()
}
