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
	return r.reign.claimed(now, m.workers)
}

// contest tells another living master of a run that there are two. Nobody yields to a number: the
// root with more workers behind it stays, of equals the elder's.
func (m *mastership) contest(now time.Duration, r *run, rival, by membership.PeerID) {
	if now < r.reign.contestAt {
		return
	}
	r.reign.contestAt = now + contestEvery
	// The link between the two may be dead while others reach both.
	if r.reign.contests++; by == rival && r.reign.contests%2 == 0 {
		if other, ok := m.members.Draw(); ok {
			by = other.ID
		}
	}
	m.do(tells{by, Contest{Run: r.instance, By: m.self, To: rival, Epoch: r.epoch, Workers: m.claimed(now, r)}})
}

// hearContest hears of another master of a run. The one that wins raises the epoch above both, and
// the other adopts that.
func (m *mastership) hearContest(now time.Duration, sender membership.PeerID, c Contest) []membership.Effect {
	r := m.runs.find(c.Run)
	from, present := m.members.Member(c.By)
	switch {
	case !present || !m.members.Lives(c.By, c.Epoch.Master) || c.By == m.self || r != nil && !m.admits(now, r, c.Epoch):
	case c.To != m.self:
		if _, ok := m.members.Member(c.To); ok && sender == c.By && c.To != c.By {
			m.do(tells{c.To, c})
		}
	case r == nil:
		m.tellOver(now, from.ID, c.Run)
	case r.master != m.self:
		m.do(tells{from.ID, r.record()}) // this is who reigns
	default:
		m.settle(now, r, sender, &from, c)
	}
	return m.flush()
}

// settle decides between this master of a run and another.
func (m *mastership) settle(now time.Duration, r *run, sender membership.PeerID, rival *membership.Member, c Contest) {
	r.above = max(r.above, c.Epoch.Number)
	self, own := m.members.Self(), m.claimed(now, r)
	switch wins := own > c.Workers || own == c.Workers && self.ElderThan(rival); {
	case !wins && c.Epoch.Compare(r.epoch) > 0:
		m.adopt(now, r, c.Epoch, rival.ID)
		return
	case wins && r.epoch.Compare(c.Epoch) < 0:
		m.reignOver(now, r)
		r.reign.contestAt = now // it must hear of that at once
	}
	m.contest(now, r, rival.ID, sender)
}

// tellOver tells one that a run has ended, if that is known here.
func (m *mastership) tellOver(now time.Duration, to membership.PeerID, run steal.Instance) {
	if over, some := m.tombstones.over(now, run.First); some {
		m.do(tells{to, over})
	}
}

// tick tells each master that this peer works for its root. It tells whether that was due.
func (m *mastership) tick(now time.Duration) (due bool, effects []membership.Effect) {
	if now < m.followAt {
		return false, nil
	}
	m.followAt = steal.Never
	if !m.entered() || len(m.runs.all) == 0 {
		return false, nil
	}
	m.followAt = now + followEvery
	var masters []membership.PeerID
	for _, r := range m.runs.all {
		if r.master != m.self && m.members.Lives(r.master, r.epoch.Master) && !slices.Contains(masters, r.master) {
			masters = append(masters, r.master)
			m.do(tells{r.master, m.following(r.master)})
		}
	}
	return true, m.flush()
}

// following is what a master is told about the runs that it reigns over, as far as this peer knows.
func (m *mastership) following(master membership.PeerID) Follow {
	var f Follow
	for _, r := range m.runs.all {
		if r.master == master {
			f.Reigns = append(f.Reigns, Reign{r.instance, r.epoch})
		}
	}
	return f
}

// hearFollow hears under which reigns a peer works.
func (m *mastership) hearFollow(now time.Duration, from membership.Member, f Follow) []membership.Effect {
	for _, told := range f.Reigns[:min(len(f.Reigns), RunsMax)] {
		r := m.runs.find(told.Run)
		switch {
		case r == nil:
			m.tellOver(now, from.ID, told.Run)
		case told.Epoch == r.epoch && r.master == m.self:
			r.reign.follows(now, from.ID, uint32(from.Workers))
		default:
			r.reign.leaves(now, from.ID)
			if told.Epoch.Compare(r.epoch) < 0 {
				m.do(tells{from.ID, r.record()})
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
		r.reign.leaves(now, l.Member.ID)
	}
}

// slept forgets what may have changed while this process stood still: who follows it, and whether
// its runs are still wanted.
func (m *mastership) slept() {
	for _, r := range m.runs.all {
		r.reign = reign{}
		r.vouched = false
	}
}

// fences tells whether jobs of a root are refused as another has superseded it: whatever came of
// them would be for a master that leaves it, as it now hears.
func (m *mastership) fences(r *run, from membership.Member, e membership.Epoch) bool {
	reigned := e.Master.Join == from.Incarnation.Join && e.Master.Rejoin <= from.Incarnation.Rejoin
	return reigned && from.ID != r.master && e.Compare(r.epoch) < 0 && m.members.Lives(r.master, r.epoch.Master)
}
