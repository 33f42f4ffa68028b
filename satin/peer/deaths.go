package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// deaths are what is counted of processes that die, for the jobs that were executing there.
type deaths struct {
	outbox
	obituary obituary
	members  members
	runs     *runs
	ledger   *steal.Ledger
	verifier *verifier
}

// died counts a death for the jobs that were executing there: the root, when it was a run's master,
// and the oldest of what it had borrowed here, one for each of its workers. Only a process that was
// seen to die counts: not silence, a cut, a leave or a kick.
func (d *deaths) died(now time.Duration, l membership.Lost) []membership.Effect {
	m := l.Member
	if m.State != membership.Dead || m.How != membership.Killed && m.How != membership.Silent {
		return nil
	}
	d.obituary.add(now, m)
	if m.How != membership.Killed {
		return nil
	}
	for _, r := range d.runs.all {
		if r.master == m.ID && r.epoch.Master.Join == m.Incarnation.Join && r.answer == nil {
			r.poison.count(now, Death{m.ID, m.Incarnation, m.Site, r.instance.Run, r.task, millis(now - r.since)})
		}
	}
	var news []*run
	for _, j := range d.ledger.LentTo(m.ID, int(m.Workers)) {
		r := d.runs.find(j.Run)
		if r == nil {
			continue
		}
		task := d.verifier.task(j.Ref)
		r.poison.count(now, Death{m.ID, m.Incarnation, m.Site, j.Key, task, millis(now - j.At)})
		if !slices.Contains(news, r) {
			news = append(news, r)
		}
	}
	for _, r := range news {
		d.publish(r.record(now))
	}
	return d.flush()
}

// tick fails the runs of which a job has killed its processes.
func (d *deaths) tick(now time.Duration) []membership.Effect {
	for _, r := range d.runs.all {
		if r.failure == nil && r.answer == nil && entered(d.members.Self()) {
			d.also(r.poison.tick(now, &d.obituary))
		}
	}
	return d.flush()
}
