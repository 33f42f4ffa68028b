package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// mastership decides who is master of which run, and tells masters who works for their roots.
type mastership struct {
	outbox
	self       membership.PeerID
	workers    uint32
	members    electorate
	runs       *runs
	tombstones *tombstones
	leaves     func() bool // whether this peer is leaving

	// who is master of what must be looked at: the view or a record has changed
	due       bool
	supportAt time.Duration // when masters are told again
}

// electorate is who is a member, who was, and who succeeds whom; it is a [membership.View].
type electorate interface {
	Member(membership.PeerID) (membership.Member, bool)
	Self() membership.Member
	Lives(membership.PeerID, membership.Incarnation) bool
	Buried(membership.PeerID, membership.Incarnation) bool
	Fate(membership.PeerID, membership.Incarnation) (how membership.How, at time.Duration, over bool)
	Successor(membership.PeerID, membership.Incarnation) (membership.Member, bool)
	Oldest() (membership.Member, bool)
	OldestOther() (membership.Member, bool)
	Draw() (membership.Member, bool)
}

// succeeds says that this peer succeeds the master of a run, which is gone.
type succeeds struct {
	run    RunNo
	master membership.PeerID // that is gone
}

// changed hears that something has changed of what it depends on who is master.
func (m *mastership) changed() { m.due = true }

// looks tells whether that must be looked at, which is being done then.
func (m *mastership) looks() bool {
	due := m.due
	m.due = false
	return due
}

// began hears that a run is known here whose master is to be told soon who works for it.
func (m *mastership) began(now time.Duration) { m.supportAt = now }

func (m *mastership) entered() bool { return entered(m.members.Self()) }

// adopt takes a greater epoch. A master that hears of one leaves its root: nobody
// waits for it any more.
func (m *mastership) adopt(now time.Duration, r *run, e membership.Epoch, master membership.PeerID) {
	former := r.master
	isNew := r.itsMaster.begins(now, e, master)
	if r.begunAgain() {
		m.do(opens{})
	}
	if isNew {
		r.demand.heard, r.trust = nil, trust{again: steal.Never}
		m.forsake(now, r, former)
	}
	m.do(Mastered{Run: r.no, Master: master, Epoch: e})
	if r.root.borrow != 0 && master != m.self {
		m.do(steal.Stop{Borrow: r.root.borrow, Run: r.instance, Key: r.instance.Run, Orphaned: true})
		r.root.borrow = 0
	}
}

// forsake tells a former master that this peer works for another root now.
func (m *mastership) forsake(now time.Duration, r *run, former membership.PeerID) {
	m.supportAt = now
	if _, present := m.members.Member(former); present && former != m.self && former != r.master && m.entered() {
		m.do(tells{former, Support{[]RunEpoch{{r.instance, r.epoch}}}})
	}
}

// compareEpochs adopts a greater epoch, but not as a master: two that live settle it between
// them; see claim. Nor when its master is dead to this side of a cut while the present one
// is not: a side that left its root for a master that it cannot work for would take over at
// once. With somebody between the sides who reaches both, the two would do so for ever. When it
// is the present master that tells of the greater epoch, it has left its root itself, and
// there is none to be kept.
func (m *mastership) compareEpochs(now time.Duration, from membership.PeerID, r *run, h *Head) []membership.Effect {
	if !r.itsMaster.admits(now, h.Epoch) {
		return nil
	}
	lives := m.entered() && m.members.Lives(r.master, r.epoch.Master)
	kept := r.master == m.self || from != r.master && m.members.Buried(h.Master, h.Epoch.Master)
	switch {
	case h.Epoch == r.epoch:
	case lives && r.master == m.self && h.Master != m.self && m.members.Lives(h.Master, h.Epoch.Master):
		m.claim(now, r, h.Master, h.Master)
	case h.Epoch.Compare(r.epoch) <= 0:
	case lives && !m.members.Lives(h.Master, h.Epoch.Master) && kept:
		r.itsMaster.heardAbove(h.Epoch)
	case h.Master == m.self && !m.leaves() && m.entered() && m.members.Lives(m.self, h.Epoch.Master):
		// All submissions that it knew were withdrawn, so that it ended the run, and one
		// more has come. Others still work under that epoch, of which nothing is left here.
		r.itsMaster.heardAbove(h.Epoch)
		m.takeOver(now, r)
	default:
		m.adopt(now, r, h.Epoch, h.Master)
	}
	return m.flush()
}

// takeOver makes this peer the master of a run, or keeps it so, under an epoch above all
// that it has heard of.
func (m *mastership) takeOver(now time.Duration, r *run) {
	e, over := r.itsMaster.next(m.members.Self().Incarnation)
	if r.master != m.self {
		m.do(succeeds{r.no, r.master})
	}
	m.adopt(now, r, e, m.self)
	r.heardOf = over
	m.publish(r.record(now))
}

// succeed makes this peer the master of a run whose master is gone, where it is the one
// that follows, and tells whether it is.
func (m *mastership) succeed(now time.Duration, r *run) (bool, []membership.Effect) {
	if next, ok := m.successor(now, r); !ok || next.ID != m.self {
		return false, nil
	}
	m.takeOver(now, r)
	return true, m.flush()
}

// mayStart tells whether a run's root is to be executed here, if it is still wanted.
func (m *mastership) mayStart(r *run) bool {
	return r.master == m.self && r.root.borrow == 0 && r.answer == nil && r.root.isHere() && !m.leaves()
}

// successor is who follows a run's master. An heir may not know that it is one, when the leaver's
// last word did not reach it: then the oldest takes over.
func (m *mastership) successor(now time.Duration, r *run) (membership.Member, bool) {
	next, ok := m.members.Successor(r.master, r.epoch.Master)
	_, at, over := m.members.Fate(r.master, r.epoch.Master)
	switch oldest, _ := m.members.Oldest(); {
	case !ok || !over || next.ID == oldest.ID || next.ID == m.self:
		return next, ok
	case now < at+heirMax:
		r.lookAt = at + heirMax
		return next, true
	default:
		return oldest, true
	}
}

// isVacant tells whether there is nobody who could be master: this is a client that has lost all.
func (m *mastership) isVacant() bool {
	_, some := m.members.Oldest()
	return !some
}

// isGone tells whether a run's master has left or died, or has been a stranger for so long
// that it must have. One that was silent has a moment to come back: after a cut has healed, either
// side believes for a moment what the other does of its peers.
func (m *mastership) isGone(now time.Duration, r *run) bool {
	how, at, over := m.members.Fate(r.master, r.epoch.Master)
	var until time.Duration
	switch {
	case m.members.Lives(r.master, r.epoch.Master):
		r.itsMaster.lives()
		return false
	case over && how == membership.Silent:
		until = at + returnMax
	case over || r.master == m.self:
		return true
	default:
		until = r.itsMaster.strangerUntil(now)
	}
	if now >= until {
		return true
	}
	r.lookAt = until
	return false
}
