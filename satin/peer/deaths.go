package peer

import (
	"slices"

	"satingrid/membership"
)

// died counts a death for the jobs that were executing there: the root, when it was a run's master,
// and the oldest of what it had borrowed here, one for each of its workers. Only a process that was
// seen to die counts: not silence, a cut, a leave or a kick.
func (p *Peer) died(l membership.Lost) {
	m := l.Member
	if m.State != membership.Dead || m.How != membership.Killed && m.How != membership.Silent {
		return
	}
	p.obituary.add(p.now, m)
	if m.How != membership.Killed {
		return
	}
	for _, r := range p.runs.all {
		if r.master == m.ID && r.epoch.Master.Join == m.Incarnation.Join && r.answer == nil {
			r.poison.count(p.now, Death{m.ID, m.Incarnation, m.Site, r.instance.Run, r.task, millis(p.now - r.since)})
		}
	}
	var news []*run
	for _, j := range p.ledger.LentTo(m.ID, int(m.Workers)) {
		r := p.runs.find(j.Run)
		if r == nil {
			continue
		}
		task := p.verifier.task(j.Ref)
		r.poison.count(p.now, Death{m.ID, m.Incarnation, m.Site, j.Key, task, millis(p.now - j.At)})
		if !slices.Contains(news, r) {
			news = append(news, r)
		}
	}
	for _, r := range news {
		p.publish(r.record())
	}
}

// tickPoison fails the runs of which a job has killed its processes.
func (p *Peer) tickPoison() {
	for _, r := range slices.Clone(p.runs.all) { // one that fails may end
		if r.failure == nil && r.answer == nil && p.entered() {
			p.apply(r.poison.tick(p.now, &p.obituary))
		}
	}
}
