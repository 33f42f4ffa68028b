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
	Millis uint32 // the age of the job: since it was lent, or since the master took over
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

// obituary is which peers have died, the latest.
type obituary struct{ fallen []fallen }

// add notes that a peer has died.
func (o *obituary) add(now time.Duration, m membership.Member) {
	if len(o.fallen) == fallenMax {
		o.fallen = o.fallen[1:]
	}
	o.fallen = append(o.fallen, fallen{m.ID, m.Site, now})
}

// within is how many died so lately.
func (o *obituary) within(now, window time.Duration) (n int) {
	for _, f := range o.fallen {
		if now-f.at < window {
			n++
		}
	}
	return n
}

// poison is what a peer knows of the jobs of a run that were executing where processes died.
type poison struct {
	outbox
	run     steal.Instance
	failure runFailure
	deaths  []toll
}

func millis(d time.Duration) uint32 { return uint32(min(d/time.Millisecond, 1<<31)) }

// count remembers a death, if it is news.
func (x *poison) count(now time.Duration, d Death) {
	for _, t := range x.deaths {
		if t.Victim == d.Victim && t.Life == d.Life && t.Key == d.Key {
			return
		}
	}
	x.deaths = append(x.deaths, toll{d, now})
	if len(x.deaths) > DeathsMax {
		x.forget()
	}
}

// forget drops a death of the job that has the fewest, the oldest of these: what was beside a
// job that kills its processes changes, the job does not.
func (x *poison) forget() {
	of := map[steal.Key]int{}
	for _, t := range x.deaths {
		of[t.Key]++
	}
	least := 0
	for n, t := range x.deaths {
		if of[t.Key] < of[x.deaths[least].Key] {
			least = n
		}
	}
	x.deaths = slices.Delete(x.deaths, least, least+1)
}

// learn takes the deaths that a record tells of.
func (x *poison) learn(now time.Duration, all []Death) {
	for _, d := range all[:min(len(all), DeathsMax)] {
		if IsTask(d.Task) && membership.IsPrintable(string(d.Victim), membership.IDBytesMax) &&
			membership.IsPrintable(string(d.Site), membership.NameBytesMax) {
			x.count(now, d)
		}
	}
}

// told are the deaths as a record tells of them.
func (x *poison) told() (out []Death) {
	for _, t := range x.deaths {
		out = append(out, t.Death)
	}
	return out
}

// tick fails the run if one of its jobs has killed its processes.
func (x *poison) tick(now time.Duration, o *obituary) []membership.Effect {
	if len(x.deaths) < poisonDeaths {
		return nil
	}
	for _, t := range x.deaths {
		if !x.isPoison(now, t.Key, o) {
			continue
		}
		what := "job"
		if t.Key == x.run.Run {
			what = "root"
		}
		x.do(fails{run: x.run, result: x.failure(t.Task, t.Key, "", fmt.Sprintf(
			"the %s %s was executing on %d peers when they died, at about the same age each time: it kills its process",
			what, t.Task, poisonDeaths))})
		break
	}
	return x.flush()
}

// isPoison tells whether there were so many deaths at about the same age of that job, and most that
// died meanwhile died of it.
func (x *poison) isPoison(now time.Duration, key steal.Key, o *obituary) bool {
	type death struct{ age, at time.Duration }
	var all []death
	for _, t := range x.deaths {
		if t.Key != key {
			continue
		}
		at, alone := x.isAlone(&t, o)
		if !alone {
			continue
		}
		if now-t.at < poisonWait {
			// the others may be enough: where peers wait for the job, one dies more
			// often than that
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
		if oldest := some[poisonDeaths-1].age; oldest-some[0].age <= ageSlack+oldest/16 && x.isToBlame(key, first, last, o) {
			return true
		}
	}
	return false
}

// isToBlame tells whether more peers died of a job in that time than of anything else.
// Where processes are killed at regular times a long job is soon lost several times at one
// age, but so are others.
func (x *poison) isToBlame(key steal.Key, first, last time.Duration, o *obituary) bool {
	more := 0
	for _, f := range o.fallen {
		switch {
		case f.at < first || f.at > last:
		case slices.ContainsFunc(x.deaths, func(t toll) bool { return t.Victim == f.id && t.Key == key }):
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
func (x *poison) isAlone(t *toll, o *obituary) (at time.Duration, ok bool) {
	victim := -1
	for n, f := range o.fallen {
		if f.id == t.Victim && (victim < 0 || (f.at-t.at).Abs() < (o.fallen[victim].at-t.at).Abs()) {
			victim = n
		}
	}
	if victim < 0 {
		return 0, false
	}
	at = o.fallen[victim].at
	for _, f := range o.fallen {
		if f.id == t.Victim || f.site != t.Site || (f.at-at).Abs() > aloneFor {
			continue
		}
		explained := slices.ContainsFunc(x.deaths, func(d toll) bool {
			return d.Victim == f.id && d.Key == t.Key && t.Key != x.run.Run
		})
		if !explained {
			return at, false
		}
	}
	return at, true
}
