package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestDeathsAreCounted: of a process that was seen to die, for the root when it was the master's
// and for the oldest jobs that it had borrowed, one for each worker; what was lent, all hear of.
func TestDeathsAreCounted(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", asks("u", 1, "root"))
	other := s.of("b1", asks("u", 2, "other"))
	keyNames[r.instance.Run] = "root"
	who, _ := s.view.Member("a1")
	for n, key := range []string{"oldest", "older", "young"} {
		at := time.Duration(n) * time.Second
		s.ledger.Lend(at, "a1", who.Incarnation, r.instance, keyOf(key), steal.Ref(n+1))
	}
	does(t, "a1 dies", s.deaths.died(5*time.Second, s.dies("a1")), `all: Record epoch 1 master a1 submissions 1 root "root"`)
	var got []string
	for _, d := range r.poison.told() {
		got = append(got, tellKey(d.Key))
		if age := map[string]uint32{"root": 5000, "oldest": 5000, "older": 4000}[tellKey(d.Key)]; d.Millis != age || d.Victim != "a1" || d.Site != "a" {
			t.Errorf("%s of %s at %s was %d ms old", tellKey(d.Key), d.Victim, d.Site, d.Millis)
		}
	}
	if len(got) != 3 || got[0] != "root" || len(other.poison.deaths) > 0 {
		t.Errorf("counted are %v, and of the other run %v", got, other.poison.deaths)
	}
}

// TestWhatIsNoDeath: a leave, a kick and silence count for no job. Silence, which may have been a
// death, is remembered beside those of others.
func TestWhatIsNoDeath(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.of("a1", asks("u", 1, "root"))
	m, _ := s.view.Member("a1")
	m.State = membership.Dead
	for _, how := range []membership.How{membership.Went, membership.Kicked, membership.Silent} {
		m.How = how
		does(t, how.String(), s.deaths.died(0, membership.Lost{Member: m}))
	}
	left := m
	left.State, left.How = membership.Left, membership.Killed
	does(t, "it had left", s.deaths.died(0, membership.Lost{Member: left}))
	if len(r.poison.deaths) > 0 || len(s.deaths.obituary.fallen) != 1 {
		t.Errorf("counted are %v of %v", r.poison.deaths, s.deaths.obituary.fallen)
	}
	m.How = membership.Killed
	r.answer = new(panicked)
	if s.deaths.died(0, membership.Lost{Member: m}); len(r.poison.deaths) > 0 {
		t.Error("a run that has its answer is blamed")
	}
}

// TestPoisonedRunFails: when its root has killed enough masters, far enough apart, and once.
func TestPoisonedRunFails(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("u", 1, "root"))
	now := time.Duration(0)
	for n := range poisonDeaths {
		now = time.Duration(n) * time.Minute
		does(t, "too few", s.deaths.tick(now))
		m := membership.Member{ID: membership.PeerID(rune('p' + n)), Site: "p", State: membership.Dead, How: membership.Killed}
		r.master, r.epoch.Master, r.since = m.ID, m.Incarnation, now-time.Second
		s.deaths.died(now, membership.Lost{Member: m})
	}
	does(t, "they may not be all", s.deaths.tick(now))
	now += 2 * poisonWait
	const why = `fails: panic ": the root t was executing on 5 peers when they died, at about the same age each time: it kills its process"`
	does(t, "enough", s.deaths.tick(now), why)
	r.failure = new(panicked)
	does(t, "it fails already", s.deaths.tick(now))
}

// TestMasterOfAnotherLife: the root counts when the process that died is the one that executed it,
// in whatever life. One that was started again under its id, and has died before anybody
// succeeded the former, did not.
func TestMasterOfAnotherLife(t *testing.T) {
	for name, c := range map[string]struct {
		life  func(*membership.Incarnation)
		count int
	}{
		"as it took over":    {func(*membership.Incarnation) {}, 1},
		"it has gone on":     {func(i *membership.Incarnation) { i.Rejoin, i.Random = 3, 9 }, 1},
		"it was started new": {func(i *membership.Incarnation) { i.Join = 77 }, 0},
	} {
		s := newOfRuns(t, "a1", "b1")
		// two may join at once, on two sides of a cut
		r, other := s.of("a1", asks("u", 1, "root")), s.of("b1", asks("u", 2, "other"))
		r.since, other.epoch.Master.Join = 3*time.Second, r.epoch.Master.Join
		m, _ := s.view.Member("a1")
		m.State, m.How = membership.Dead, membership.Killed
		c.life(&m.Incarnation)
		does(t, name, s.deaths.died(10*time.Second, membership.Lost{Member: m}))
		if n := len(r.poison.deaths); n != c.count || len(other.poison.deaths) > 0 {
			t.Errorf("%s: %d deaths of its root are counted, %d of another's", name, n, len(other.poison.deaths))
		}
		if c.count > 0 && r.poison.deaths[0].Millis != 7000 {
			t.Errorf("%s: the root was %d ms old", name, r.poison.deaths[0].Millis)
		}
	}
}

// TestDeathOfOneThatHasBorrowed: of two runs, and of one that has ended meanwhile. Each run that
// goes on is told of once, whatever was lent of it, with the names of the tasks.
func TestDeathOfOneThatHasBorrowed(t *testing.T) {
	s := newOfRuns(t, "a1")
	who, _ := s.view.Member("a1")
	who.Workers = 4
	one, two, over := s.own(asks("u", 1, "one")), s.own(asks("u", 2, "two")), asks("u", 3, "over")
	gone := s.own(over)
	for n, r := range []*run{gone, one, two, one} {
		s.ledger.Lend(0, "a1", who.Incarnation, r.instance, keyOf("job"), steal.Ref(n+1))
	}
	s.verifier.notes = append(s.verifier.notes, note{ref: 2, task: "sort"})
	s.runs.end(gone)
	who.State, who.How = membership.Dead, membership.Killed
	does(t, "it dies", s.deaths.died(time.Second, membership.Lost{Member: who}),
		`all: Record epoch 1 master me submissions 1 root "one"`, `all: Record epoch 1 master me submissions 1 root "two"`)
	for name, r := range map[string]*run{"sort": one, "": two} {
		if d := r.poison.told(); len(d) != 1 || d[0].Task != name || d[0].Key != keyOf("job") {
			t.Errorf("counted are %+v, want one of task %q", d, name)
		}
	}
	if d := gone.poison.told(); len(d) > 0 {
		t.Errorf("counted are %v of a run that has ended", d)
	}
}

// TestWhoNamesPoison: one that is in, of a run that has no answer yet, and every run by itself.
func TestWhoNamesPoison(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *ofRuns, r *run)
		want   []string
	}{
		"a member":        {func(*ofRuns, *run) {}, []string{jobIsPoison}},
		"it has failed":   {func(_ *ofRuns, r *run) { r.failure = new(panicked) }, nil},
		"it has answered": {func(_ *ofRuns, r *run) { r.answer = new(value("4")) }, nil},
		"on its way in":   {func(s *ofRuns, _ *run) { s.deaths.members = outside(false).view }, nil},
	} {
		s := newOfRuns(t)
		s.own(asks("u", 1, "innocent"))
		r := s.own(asks("u", 2, "root"))
		for n := range poisonDeaths {
			m := membership.Member{ID: membership.PeerID(rune('p' + n)), Site: membership.Site(rune('p' + n))}
			s.deaths.obituary.add(0, m)
			r.poison.count(0, Death{Victim: m.ID, Site: m.Site, Key: steal.Key{7}, Task: "t"})
		}
		c.change(s, r)
		does(t, name, s.deaths.tick(poisonWait), c.want...)
	}
}
