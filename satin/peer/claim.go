package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// claimed is how many workers are behind the root of a run that this peer is master of. One that
// has its answer need not yield to anybody.
func (m *mastership) claimed(now time.Duration, r *run) uint32 {
	if r.answer != nil {
		return 1 << 31
	}
	return r.support.claimed(now, m.workers)
}

// claim tells another living master of a run that there are two. Nobody yields to a number: the
// root with more workers behind it stays, of equals the elder's.
func (m *mastership) claim(now time.Duration, r *run, rival, by membership.PeerID) {
	if now < r.support.claimAt {
		return
	}
	r.support.claimAt = now + claimEvery
	// The link between the two may be dead while others reach both.
	if r.support.claims++; by == rival && r.support.claims%2 == 0 {
		if other, ok := m.members.Draw(); ok {
			by = other.ID
		}
	}
	m.do(tells{by, Claim{Run: r.instance, By: m.self, To: rival, Epoch: r.epoch, Workers: m.claimed(now, r)}})
}

// hearClaim hears of another master of a run. The one that wins raises the epoch above both, and
// the other adopts that.
func (m *mastership) hearClaim(now time.Duration, sender membership.PeerID, c Claim) []membership.Effect {
	r := m.runs.find(c.Run)
	from, present := m.members.Member(c.By)
	switch {
	case !present || !m.members.Lives(c.By, c.Epoch.Master) || c.By == m.self || r != nil && !r.itsMaster.admits(now, c.Epoch):
	case c.To != m.self:
		if _, ok := m.members.Member(c.To); ok && sender == c.By && c.To != c.By {
			m.do(tells{c.To, c})
		}
	case r == nil:
		m.tellOver(now, from.ID, c.Run)
	case r.master != m.self:
		m.do(tells{from.ID, r.record(now)}) // this is who is master
	default:
		m.settle(now, r, sender, &from, c)
	}
	return m.flush()
}

// settle decides between this master of a run and another.
func (m *mastership) settle(now time.Duration, r *run, sender membership.PeerID, rival *membership.Member, c Claim) {
	r.itsMaster.heardAbove(c.Epoch)
	self, own := m.members.Self(), m.claimed(now, r)
	switch wins := own > c.Workers || own == c.Workers && self.ElderThan(rival); {
	case !wins && c.Epoch.Compare(r.epoch) > 0:
		m.adopt(now, r, c.Epoch, rival.ID)
		return
	case wins && r.epoch.Compare(c.Epoch) < 0:
		m.takeOver(now, r)
		r.support.claimAt = now // it must hear of that at once
	}
	m.claim(now, r, rival.ID, sender)
}

// tellOver tells one that a run has ended, if that is known here.
func (m *mastership) tellOver(now time.Duration, to membership.PeerID, run steal.Instance) {
	if over, some := m.tombstones.over(now, run.First); some {
		m.do(tells{to, over})
	}
}

// saysOver is tellOver for who is told by another component.
func (m *mastership) saysOver(now time.Duration, to membership.PeerID, run steal.Instance) []membership.Effect {
	m.tellOver(now, to, run)
	return m.flush()
}

// tick tells each master that this peer works for its root. It tells whether that was due.
func (m *mastership) tick(now time.Duration) (due bool, effects []membership.Effect) {
	if now < m.supportAt {
		return false, nil
	}
	m.supportAt = steal.Never
	if !m.entered() || len(m.runs.all) == 0 {
		return false, nil
	}
	m.supportAt = now + supportEvery
	var masters []membership.PeerID
	for _, r := range m.runs.all {
		if r.master != m.self && m.members.Lives(r.master, r.epoch.Master) && !slices.Contains(masters, r.master) {
			masters = append(masters, r.master)
			m.do(tells{r.master, m.supporting(r.master)})
		}
	}
	return true, m.flush()
}

// supporting is what a master is told about its runs, as far as this peer knows.
func (m *mastership) supporting(master membership.PeerID) Support {
	var s Support
	for _, r := range m.runs.all {
		if r.master == master {
			s.Epochs = append(s.Epochs, RunEpoch{r.instance, r.epoch})
		}
	}
	return s
}

// hearSupport hears for which roots a peer works.
func (m *mastership) hearSupport(now time.Duration, from membership.Member, s Support) []membership.Effect {
	for _, told := range s.Epochs[:min(len(s.Epochs), RunsMax)] {
		r := m.runs.find(told.Run)
		switch {
		case r == nil:
			m.tellOver(now, from.ID, told.Run)
		case told.Epoch == r.epoch && r.master == m.self:
			r.support.gains(now, from.ID, uint32(from.Workers))
		default:
			r.support.loses(now, from.ID)
			if told.Epoch.Compare(r.epoch) < 0 {
				m.do(tells{from.ID, r.record(now)})
			}
		}
	}
	return m.flush()
}

// lost notes that a peer is gone, as this one found out itself, or as it said. What others
// believe of it says nothing about this side.
func (m *mastership) lost(now time.Duration, l membership.Lost) {
	if l.Noticed == 0 && l.Member.How != membership.Went {
		return
	}
	for _, r := range m.runs.all {
		r.support.loses(now, l.Member.ID)
	}
}

// slept forgets what may have changed while this process stood still: who works for its roots, and
// whether its runs are still wanted.
func (m *mastership) slept() {
	for _, r := range m.runs.all {
		r.support = support{}
		r.demand.vouched = false
	}
}

// fences tells whether jobs of a root are refused as another has superseded it: whatever came of
// them would be for a master that leaves it, as it now hears.
func (m *mastership) fences(r *run, from membership.Member, e membership.Epoch) bool {
	wasMaster := e.Master.Join == from.Incarnation.Join && e.Master.Rejoin <= from.Incarnation.Rejoin
	return wasMaster && from.ID != r.master && e.Compare(r.epoch) < 0 && m.members.Lives(r.master, r.epoch.Master)
}
