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
