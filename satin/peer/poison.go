package peer

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// What makes a job poison. A death counts when no other peer of its site died within aloneFor,
// unless that one may have died of the same job. Ages are about the same when they differ by
// ageSlack and a sixteenth: a job that kills its process does so at the same place each time,
// and what lies between is how late the loan began and the death was seen. Losses of spot
// machines fall anywhere.
//
// Kills at regular times give the jobs that die of them one age too, and where peers are few they
// meet the same job again and again: of four peers one of which was killed every two seconds,
// three deaths failed 34 of 800 runs, and five none of 5,000. So a job takes its fifth process
// with it before it is named.
const (
	poisonDeaths = 5
	aloneFor     = 10 * time.Second
	ageSlack     = 50 * time.Millisecond
	poisonWait   = time.Second // the deaths of a site are noticed one after the other
	DeathsMax    = 32          // of one run, that are remembered
	fallenMax    = 64          // peers that have died, that are remembered
)

// Death is a job that was executing where a process was seen to die.
type Death struct {
	Victim membership.PeerID
	Life   membership.Incarnation
	Site   membership.Site
	Key    steal.Key
	Task   string
	Millis uint32 // the age of the job: since it was lent, or since the master's reign began
}

// toll is a Death as this peer knows it.
type toll struct {
	Death
	at time.Duration // when this peer heard of it
}

// fallen is a peer that has died, in whatever way.
type fallen struct {
	id   membership.PeerID
	site membership.Site
	at   time.Duration
}

// died counts a death for the jobs that were executing there: the root, when it was a run's master,
// and the oldest of what it had borrowed here, one for each of its workers. Only a process that was
// seen to die counts: not silence, a cut, a leave or a kick.
func (p *Peer) died(l membership.Lost) {
	m := l.Member
	if l.Member.State != membership.Dead || m.How != membership.Killed && m.How != membership.Silent {
		return
	}
	if len(p.fallen) == fallenMax {
		p.fallen = p.fallen[1:]
	}
	p.fallen = append(p.fallen, fallen{m.ID, m.Site, p.now})
	if m.How != membership.Killed {
		return
	}
	for _, r := range p.runs {
		if r.master == m.ID && r.epoch.Master.Join == m.Incarnation.Join && r.answer == nil {
			p.count(r, Death{m.ID, m.Incarnation, m.Site, r.instance.Run, r.task, millis(p.now - r.since)})
		}
	}
	var news []*run
	for _, j := range p.ledger.LentTo(m.ID, int(m.Workers)) {
		r := p.run(j.Run)
		if r == nil {
			continue
		}
		p.count(r, Death{m.ID, m.Incarnation, m.Site, j.Key, p.taskOf(j.Ref), millis(p.now - j.At)})
		if !slices.Contains(news, r) {
			news = append(news, r)
		}
	}
	for _, r := range news {
		p.publish(p.recordFor(r, false, "", membership.Incarnation{}))
	}
}

func millis(d time.Duration) uint32 { return uint32(min(d/time.Millisecond, 1<<31)) }

// count remembers a death, if it is news.
func (p *Peer) count(r *run, d Death) {
	for _, t := range r.deaths {
		if t.Victim == d.Victim && t.Life == d.Life && t.Key == d.Key {
			return
		}
	}
	r.deaths = append(r.deaths, toll{d, p.now})
	if len(r.deaths) > DeathsMax {
		r.forgetDeath()
	}
}

// forgetDeath drops a death of the job that has the fewest, the oldest of these: what was beside a
// job that kills its processes changes, the job does not.
func (r *run) forgetDeath() {
	of := map[steal.Key]int{}
	for _, t := range r.deaths {
		of[t.Key]++
	}
	least := 0
	for n, t := range r.deaths {
		if of[t.Key] < of[r.deaths[least].Key] {
			least = n
		}
	}
	r.deaths = slices.Delete(r.deaths, least, least+1)
}

// learnDeaths takes the deaths that a record tells of.
func (p *Peer) learnDeaths(r *run, all []Death) {
	for _, d := range all[:min(len(all), DeathsMax)] {
		if len(d.Task) <= TaskNameMax && len(d.Victim) <= membership.IDBytesMax && len(d.Site) <= membership.NameBytesMax {
			p.count(r, d)
		}
	}
}

func (r *run) deathsTold() (out []Death) {
	for _, t := range r.deaths {
		out = append(out, t.Death)
	}
	return out
}

// tickPoison fails the runs of which a job has killed its processes.
func (p *Peer) tickPoison() {
	for _, r := range slices.Clone(p.runs) {
		if len(r.deaths) < poisonDeaths || r.failure != nil || r.answer != nil || !p.entered() {
			continue
		}
		for _, t := range r.deaths {
			if p.isPoison(r, t.Key) {
				what := "job"
				if t.Key == r.instance.Run {
					what = "root"
				}
				p.failed(r, p.conf.failure(t.Task, t.Key, "", fmt.Sprintf(
					"the %s %s was executing on %d peers when they died, at about the same age each time: it kills its process", what, t.Task, poisonDeaths)))
				break
			}
		}
	}
}

// isPoison tells whether there were so many deaths at about the same age of that job, and most that
// died meanwhile died of it.
func (p *Peer) isPoison(r *run, key steal.Key) bool {
	type death struct{ age, at time.Duration }
	var all []death
	for _, t := range r.deaths {
		if t.Key != key {
			continue
		}
		at, alone := p.isAlone(r, &t)
		if !alone {
			continue
		}
		if p.now-t.at < poisonWait {
			// the others may be enough: where peers wait for the job, one dies more often than that
			continue
		}
		all = append(all, death{time.Duration(t.Millis) * time.Millisecond, at})
	}
	slices.SortFunc(all, func(a, b death) int { return cmp.Or(cmp.Compare(a.age, b.age), cmp.Compare(a.at, b.at)) })
	for n := poisonDeaths; n <= len(all); n++ {
		some := all[n-poisonDeaths : n]
		first, last := some[0].at, some[0].at
		for _, d := range some {
			first, last = min(first, d.at), max(last, d.at)
		}
		if oldest := some[poisonDeaths-1].age; oldest-some[0].age <= ageSlack+oldest/16 && p.isToBlame(r, key, first, last) {
			return true
		}
	}
	return false
}

// isToBlame tells whether more peers died of a job in that time than of anything else.
// Where processes are killed at regular times a long job is soon lost several times at one
// age, but so are others.
func (p *Peer) isToBlame(r *run, key steal.Key, first, last time.Duration) bool {
	more := 0
	for _, f := range p.fallen {
		switch {
		case f.at < first || f.at > last:
		case slices.ContainsFunc(r.deaths, func(t toll) bool { return t.Victim == f.id && t.Key == key }):
			more++
		default:
			more--
		}
	}
	return more > 0
}

// isAlone tells when a victim died, and whether no other peer of a victim's site died within 10 s
// of it, unless of the same job: one that kills its process at once goes through a site in seconds.
// Only who saw the victim die can tell: whoever came later does not know who else died then. For
// roots there is no such exception, since masters that die one after the other all had the root.
func (p *Peer) isAlone(r *run, t *toll) (at time.Duration, ok bool) {
	victim := -1
	for n, f := range p.fallen {
		if f.id == t.Victim && (victim < 0 || (f.at-t.at).Abs() < (p.fallen[victim].at-t.at).Abs()) {
			victim = n
		}
	}
	if victim < 0 {
		return 0, false
	}
	at = p.fallen[victim].at
	for _, f := range p.fallen {
		if f.id == t.Victim || f.site != t.Site || (f.at-at).Abs() > aloneFor {
			continue
		}
		explained := slices.ContainsFunc(r.deaths, func(o toll) bool {
			return o.Victim == f.id && o.Key == t.Key && t.Key != r.instance.Run
		})
		if !explained {
			return at, false
		}
	}
	return at, true
}
