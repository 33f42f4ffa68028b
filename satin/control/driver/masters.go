package driver

import (
	"maps"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// mastersMax bounds what is remembered of runs whose root never came.
const mastersMax = 4 * peer.RunsMax

// masters are those of the runs, as people are told of them.
type masters struct {
	of      map[peer.RunNo]membership.PeerID
	unnamed map[membership.PeerID]peer.RunNo // that are not known as members yet
}

func newMasters() masters {
	return masters{
		of: map[peer.RunNo]membership.PeerID{}, unnamed: map[membership.PeerID]peer.RunNo{},
	}
}

// mastered notes who a run's master is now. Of runs that are not on those go first that are older
// than this one.
// It tells whether that is another than before, not the same under a greater epoch.
func (m *masters) mastered(no peer.RunNo, id membership.PeerID, isOn func(peer.RunNo) bool) (isNew bool) {
	if len(m.of) >= mastersMax {
		maps.DeleteFunc(m.of, func(other peer.RunNo, _ membership.PeerID) bool {
			return other < no && !isOn(other)
		})
	}
	isNew = m.of[no] != id
	m.of[no] = id
	return isNew
}

// isUnnamed notes that nobody knows a run's master as a member yet: a record may come before the
// greeting of one that has just joined.
func (m *masters) isUnnamed(no peer.RunNo, id membership.PeerID) {
	if len(m.unnamed) >= mastersMax {
		clear(m.unnamed)
	}
	m.unnamed[id] = no
}

// named hears that somebody is a member, and says of which run it is the master that had no name.
func (m *masters) named(id membership.PeerID) (no peer.RunNo, is bool) {
	no, ok := m.unnamed[id]
	delete(m.unnamed, id)
	return no, ok && m.of[no] == id
}

// ended forgets a run.
func (m *masters) ended(no peer.RunNo) { delete(m.of, no) }

// mastered hears of a run's master.
func (d *Driver) mastered(no peer.RunNo, id membership.PeerID) {
	if d.masters.mastered(no, id, func(no peer.RunNo) bool { return d.telling.of(no) != nil }) {
		d.tellMaster(no, id)
	}
}

// tellMaster tells of a run's master, as soon as its name is known.
func (d *Driver) tellMaster(no peer.RunNo, id membership.PeerID) {
	self := d.machine.Sight().Self()
	m, known := d.machine.Sight().Member(id)
	switch {
	case id == self.ID:
		m = self
	case !known:
		d.masters.isUnnamed(no, id)
		return
	}
	d.owner.Tell(Master{no, id, m.Name})
	for _, s := range d.submissions.of(no, d.machine.Sight().RunOf) {
		s.statistics.Mastered(id, m.Name)
	}
}

// Master is the master of a run, if that is known.
func (d *Driver) Master(no peer.RunNo) membership.PeerID { return d.masters.of[no] }
