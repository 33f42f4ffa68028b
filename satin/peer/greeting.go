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
	Member(membership.PeerID) (membership.Member, bool)
	Has(membership.PeerID, membership.Incarnation) bool
	Self() membership.Member
	Knows(membership.PeerID, membership.Incarnation) bool
	IsBarred(membership.PeerID) bool
	Heard(time.Duration, membership.PeerID, membership.Incarnation) (known bool, effects []membership.Effect)
	Stranger(membership.PeerID, membership.Incarnation) []membership.Effect
}

// roleOf is what the sender of a message is.
func (g *greeting) roleOf(from life) role {
	switch i := from.incarnation; {
	case g.clients.has(from.peer):
		return client
	case g.view.Knows(from.peer, i):
		return member
	case i.Join == 0 && i.Random != 0:
		return client
	case i.Join != 0 && (g.join.active || g.join.isLonely()):
		// nobody is known here: what comes early is merged, and the first snapshot settles
		// it
		return member
	}
	return stranger
}

// isFor tells whether a message is meant for this life of the peer, and not for an earlier one.
func (g *greeting) isFor(m Message) bool {
	return m.To.IsZero() || m.To == g.view.Self().Incarnation
}

// admits tells whether a message is to be heard, and who says it.
func (g *greeting) admits(now time.Duration, from membership.PeerID, m Message) (a arrival, ok bool, effects []membership.Effect) {
	a = arrival{life: life{from, m.From}, message: m}
	if !g.isFor(m) {
		g.remind(now, from)
		return a, false, g.flush()
	}
	if entered(g.view) && g.view.IsBarred(from) {
		g.hears(now, a.life)
		return a, false, g.flush()
	}
	a.as = g.roleOf(a.life)
	k := &byNumber[m.Body.Kind()]
	if !k.may(&a) {
		g.unheard(now, a)
		return a, false, g.flush()
	}
	g.noticed(now, a)
	ok = k.by != living || entered(g.view) && g.hears(now, a.life)
	if ok && k.by == living {
		a.member, _ = g.view.Member(from)
	}
	return a, ok, g.flush()
}

// comesAgain tells whether a message that was held back is to be heard now, and who says it.
func (g *greeting) comesAgain(from membership.PeerID, m Message) (a arrival, ok bool) {
	a = arrival{life: life{from, m.From}, message: m}
	a.as = g.roleOf(a.life)
	a.member, _ = g.view.Member(from)
	return a, byNumber[m.Body.Kind()].by != living || g.view.Has(from, m.From) && g.isFor(m)
}

// hears notes that one has been heard, and tells whether it is present in that life.
func (g *greeting) hears(now time.Duration, from life) bool {
	known, effects := g.view.Heard(now, from.peer, from.incarnation)
	g.also(effects)
	return known
}

// noticed notes that a member has been heard, dead or alive.
func (g *greeting) noticed(now time.Duration, a arrival) {
	if g.view.Has(a.peer, a.incarnation) {
		g.hears(now, a.life)
	} else if _, greets := a.message.Body.(membership.Hello); g.client && !g.join.active && !greets {
		// its greeting was lost, and all that this client knows may be dead
		g.also(g.view.Stranger(a.peer, a.incarnation))
	}
}

// unheard asks who somebody is that may not say what it said: a peer whose greeting was lost, or
// one whose life is over.
func (g *greeting) unheard(now time.Duration, a arrival) {
	switch {
	case a.as != stranger || a.incarnation.Join == 0:
	case entered(g.view):
		g.hears(now, a.life)
	case g.client:
		g.also(g.view.Stranger(a.peer, a.incarnation))
	}
}

// remind tells one that speaks to an earlier life of this peer who it is now: its greeting was lost
// there, and a client compares knowledge with nobody but those that it speaks to.
func (g *greeting) remind(now time.Duration, who membership.PeerID) {
	if now >= g.again && entered(g.view) && !g.view.IsBarred(who) {
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
	if entered(g.view) {
		g.greet(id)
	}
	return g.flush()
}

// entering greets, now that this peer has entered, those that a connection stands to as members, if
// they are any. A client is none: when all others have just left, it alone knows the runs, and
// nobody else would tell it of this peer.
func (g *greeting) entering() []membership.Effect {
	for _, id := range g.join.contacts {
		if _, ok := g.view.Member(id); !ok {
			g.greet(id)
		}
	}
	return g.flush()
}
