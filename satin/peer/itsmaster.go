package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// itsMaster is who is master of a run, as this peer believes, and since when. Who is believed, and
// who follows, [mastership] decides.
type itsMaster struct {
	epoch  membership.Epoch
	master membership.PeerID
	since  time.Duration      // when this epoch was heard of
	epochs membership.Ceiling // up to which number an epoch is believed
	// the greatest epoch number heard of, held by a master that is dead to this side
	above uint64
	// the greatest epoch number that was heard of when this peer became master
	heardOf uint64
	// when a master that is not known here counts as gone; 0: it is known
	strangerAt time.Duration
	lookAt     time.Duration // when to look at the master again; 0: when something changes
	support    support       // at the master
}

// admits tells whether an epoch that somebody tells of is to be believed.
func (m *itsMaster) admits(now time.Duration, e membership.Epoch) bool {
	return m.epochs.Admits(now, e.Number)
}

// heardAbove hears of an epoch that is not taken, so that the next one is greater.
func (m *itsMaster) heardAbove(e membership.Epoch) { m.above = max(m.above, e.Number) }

// begins takes an epoch, and tells whether its master is another. With that one goes what was
// known of a former.
func (m *itsMaster) begins(now time.Duration, e membership.Epoch, master membership.PeerID) (isNew bool) {
	isNew = m.master != master
	m.epoch, m.master, m.since, m.heardOf = e, master, now, 0
	if isNew {
		m.support, m.lookAt, m.strangerAt = support{}, 0, 0
	}
	return isNew
}

// next is the epoch that this peer begins, above all that it has heard of, and the greatest number
// of these.
func (m *itsMaster) next(self membership.Incarnation) (e membership.Epoch, over uint64) {
	over = max(m.epoch.Number, m.above)
	e = membership.Epoch{Number: over + 1, Master: self}
	return e, over
}

// lives hears that the master is known, and lives.
func (m *itsMaster) lives() { m.strangerAt, m.lookAt = 0, 0 }

// strangerUntil is until when the master may be a stranger. It is looked at now.
func (m *itsMaster) strangerUntil(now time.Duration) time.Duration {
	if m.strangerAt == 0 {
		m.strangerAt = now + strangerMax
	}
	return m.strangerAt
}

// isDue tells whether the master is to be looked at now.
func (m *itsMaster) isDue(now time.Duration) bool {
	due := m.lookAt != 0 && now >= m.lookAt
	if due {
		m.lookAt = 0
	}
	return due
}

// deadline is when the master is to be looked at, if it is before something changes.
func (m *itsMaster) deadline() time.Duration {
	if m.lookAt == 0 {
		return steal.Never
	}
	return m.lookAt
}

// isHeardBefore tells whether somebody is master under an epoch of which it had heard.
func (m *itsMaster) isHeardBefore(self membership.PeerID) bool {
	return m.master == self && m.epoch.Number <= m.heardOf
}
