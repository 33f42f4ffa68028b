package membership

import (
	"math"
	"math/rand/v2"
	"time"
)

// own is a peer's own record, and decides when it takes another life. Who took one has all others
// told.
type own struct {
	Member // State is 0 before it enters and always for a client
	client bool
	rng    *rand.Rand
	former Incarnation   // the greatest that others know of this peer, from before it entered
	rejoin time.Duration // no second rejoin before this
}

func newOwn(c Config, rng *rand.Rand) own {
	m := Member{ID: c.ID, Site: c.Site, Name: c.Name, Workers: c.Workers, Addrs: c.Addrs}
	if c.Client {
		m.Incarnation.Random = rng.Uint64()
	}
	return own{Member: m, client: c.Client, rng: rng}
}

// isNear tells whether a member is in this peer's site.
func (o *own) isNear(m *Member) bool { return m.Site == o.Site }

// above makes this peer enter as one that is younger than all with that join number.
func (o *own) above(join uint64) { o.former.Join = max(o.former.Join, join) }

// enter makes this peer a member, the youngest, where others have join numbers up to that.
func (o *own) enter(join uint64) {
	if o.client {
		panic("membership: BUG: a client enters the view")
	}
	if o.State != 0 {
		panic("membership: BUG: entered twice")
	}
	o.Incarnation = Incarnation{Join: max(o.former.Join, join) + 1, Random: o.rng.Uint64()}
	o.State = Here
}

// enterAnew takes a life that those believe who know that join number. Nobody has believed the one
// before.
func (o *own) enterAnew(join uint64) {
	o.Was = o.Incarnation
	o.Incarnation = Incarnation{Join: join + 1, Random: o.rng.Uint64()}
}

// heldFor hears what others believe of this peer. When they hold this life gone, or ending though
// it is not, it takes another.
func (o *own) heldFor(now time.Duration, m *Member) (again bool) {
	switch c := m.Incarnation.Compare(o.Incarnation); {
	case o.client:
	case o.State == 0:
		if m.Incarnation.Compare(o.former) > 0 {
			o.former = m.Incarnation
		}
	case m.Incarnation.Rejoin > o.Incarnation.Rejoin+RaiseMax: // and nobody else believes it
	case c > 0 || c == 0 && (!m.State.Present() || m.State == Leaving && o.State == Here):
		return o.comeBack(now, m.Incarnation)
	}
	return false
}

// comeBack takes an incarnation above old. Their rate is limited: everybody must hear of each one.
func (o *own) comeBack(now time.Duration, old Incarnation) (again bool) {
	if now < o.rejoin || !o.State.Present() {
		return false
	}
	o.rejoin = now + rejoinEvery
	i := &o.Incarnation
	o.Was = *i
	i.Join, i.Rejoin, i.Random = max(i.Join, old.Join), max(i.Rejoin, old.Rejoin)+1, o.rng.Uint64()
	return true
}

// leaves says that this peer is going to leave, within grace; false when it is not here.
func (o *own) leaves(grace time.Duration) bool {
	if o.State != Here {
		return false
	}
	o.State, o.Grace = Leaving, uint32(min(max(grace, 0)/time.Millisecond, math.MaxUint32))
	return true
}

// stays takes that back, in another life; false when it may not take one yet.
func (o *own) stays(now time.Duration) bool {
	if o.State != Leaving || now < o.rejoin {
		return false
	}
	o.State, o.Grace = Here, 0
	return o.comeBack(now, o.Incarnation)
}

// left says that this peer has left, and who has its will; false when it was not here.
func (o *own) left(heir PeerID) bool {
	if !o.State.Present() {
		return false
	}
	o.State, o.How, o.Heir = Left, Went, heir
	return true
}
