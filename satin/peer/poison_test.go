package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// die lets another be seen to die.
func (s *stage) die(now time.Duration, id membership.PeerID) (all []Effect) {
	delete(s.life, id)
	all = append(all, s.p.Reset(now, id)...)
	return append(all, s.p.DialFailed(now, id, DialRefused)...)
}

// TestPoisonIsToBlame: a job is lost five times at one age. It is poison when nothing else died
// meanwhile, or less than of it, and not when as many others did.
func TestPoisonIsToBlame(t *testing.T) {
	for _, c := range []struct {
		others int
		poison bool
	}{{0, true}, {1, true}, {4, true}, {5, false}} {
		s := newStage(t, "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1", "k1")
		s.p.Idle(0, 0)
		others := []membership.PeerID{"g1", "h1", "i1", "j1", "k1"}[:c.others]
		now, failed := time.Duration(0), false
		look := func(effects []Effect) {
			if d, ok := find[Deliver](effects); ok {
				failed = d.Result.Outcome == steal.Panicked
			}
		}
		for n, id := range []membership.PeerID{"b1", "c1", "d1", "e1", "f1"} {
			s.from(now, id, steal.Ask{Number: 1, Jobs: 1, Bytes: 1 << 10})
			if to, _ := sent[steal.Lend](s.p.Taken(now, []Job{{Ref: steal.Ref(n + 1), Run: 1, Key: steal.Key{1}, Task: "t", Args: []byte("x")}})); len(to) != 1 {
				t.Fatal("the job is not lent")
			}
			look(s.pass(now, now+2*time.Second))
			now += 2 * time.Second
			look(s.die(now, id))
			if n == 0 {
				for _, o := range others {
					look(s.die(now+50*time.Millisecond, o))
				}
			}
			now += 100 * time.Millisecond
		}
		look(s.pass(now, now+3*time.Second))
		if failed != c.poison {
			t.Errorf("while %d others died the run failed: %v", c.others, failed)
		}
	}
}

// scene is the deaths that a run's poison is told of.
type scene struct {
	*poison
	obituary
	now time.Duration
}

func newScene() *scene {
	return &scene{poison: &poison{run: steal.Instance{Run: steal.Key{9}}, failure: failing}}
}

// dies lets a peer die that was executing a job of that age, if it was.
func (s *scene) dies(after time.Duration, id membership.PeerID, site membership.Site, job byte, age time.Duration) {
	s.now += after
	s.add(s.now, membership.Member{ID: id, Site: site})
	if job > 0 {
		s.count(s.now, Death{
			Victim: id, Life: in(id).incarnation, Site: site, Key: steal.Key{job}, Task: "t", Millis: millis(age),
		})
	}
}

// TestPoisonNamed: which rows of deaths are poison. Each peer dies 20 s after the one before, in
// its own site, unless it is said.
func TestPoisonNamed(t *testing.T) {
	type death struct {
		site  membership.Site
		after time.Duration
		job   byte
		age   time.Duration
	}
	row := func(n int, change func(n int, d *death)) (all []death) {
		for i := range n {
			all = append(all, death{membership.Site(rune('a' + i)), 20 * time.Second, 1, time.Second})
			if change != nil {
				change(i, &all[i])
			}
		}
		return all
	}
	const job = `fails: panic ": the job t was executing on 5 peers when they died, at about the same age each time: it kills its process"`
	const root = `fails: panic ": the root t was executing on 5 peers when they died, at about the same age each time: it kills its process"`
	for name, c := range map[string]struct {
		deaths []death
		want   string
	}{
		"five of one age":              {row(5, nil), job},
		"four":                         {row(4, nil), ""},
		"ages within a sixteenth":      {row(5, func(n int, d *death) { d.age += time.Duration(n) * 30 * time.Millisecond }), job},
		"ages farther apart":           {row(5, func(n int, d *death) { d.age += time.Duration(n) * 31 * time.Millisecond }), ""},
		"five of one age among others": {row(7, func(n int, d *death) { d.age += time.Duration(max(0, 2-n)) * time.Hour }), job},
		"of two jobs":                  {row(6, func(n int, d *death) { d.job = byte(n%2) + 1 }), ""},
		"in one site, of one job":      {row(5, func(_ int, d *death) { d.site, d.after = "a", time.Second }), job},
		"in one site, masters":         {row(5, func(_ int, d *death) { d.site, d.after, d.job = "a", time.Second, 9 }), ""},
		"masters far apart":            {row(5, func(_ int, d *death) { d.job = 9 }), root},
		"each beside another": {row(10, func(n int, d *death) {
			d.site, d.after, d.job = membership.Site(rune('a'+n/2)), time.Duration(n%2)*time.Second+time.Second, byte(n+1)%2
		}), ""},
		"fewer died of other things": {row(9, func(n int, d *death) { d.after, d.job = 5*time.Second, byte(n+1)%2 }), job},
		"more died of other things":  {row(13, func(n int, d *death) { d.after, d.job = 5*time.Second, byte(1-min(n%3, 1)) }), ""},
	} {
		s := newScene()
		for n, d := range c.deaths {
			s.dies(d.after, membership.PeerID(rune('A'+n)), d.site, d.job, d.age)
		}
		if c.want != "" {
			does(t, name+", at once", s.tick(s.now+poisonWait-1, &s.obituary))
			does(t, name, s.tick(s.now+poisonWait, &s.obituary), c.want)
		} else {
			does(t, name, s.tick(s.now+poisonWait, &s.obituary))
		}
	}
}

// TestPoisonSeenElsewhere: deaths that another tells of count only for who saw
// the peers die itself.
func TestPoisonSeenElsewhere(t *testing.T) {
	s, other := newScene(), newScene()
	for n := range poisonDeaths {
		s.dies(20*time.Second, membership.PeerID(rune('A'+n)), membership.Site(rune('a'+n)), 1, time.Second)
	}
	other.learn(s.now, s.told())
	other.learn(s.now, s.told())
	if len(other.deaths) != poisonDeaths {
		t.Fatalf("%d deaths were learnt, one after the other", len(other.deaths))
	}
	does(t, "who came later", other.tick(s.now+time.Minute, &other.obituary))
	if effects := other.tick(s.now+time.Minute, &s.obituary); len(effects) != 1 {
		t.Errorf("who saw them die does %q", told(effects))
	}
	other.learn(0, []Death{{Victim: "v", Task: string(make([]byte, TaskNameMax+1))}, {Victim: membership.PeerID(make([]byte, membership.IDBytesMax+1))}})
	if len(other.deaths) != poisonDeaths {
		t.Error("names without bounds are kept")
	}
}

// TestPoisonForgets: the deaths of what has the fewest are forgotten first, and peers that have
// died the oldest first.
func TestPoisonForgets(t *testing.T) {
	s := newScene()
	for n := range poisonDeaths {
		s.dies(0, membership.PeerID(rune('A'+n)), "a", 1, 0)
	}
	for n := range 2 * fallenMax {
		s.dies(time.Second, membership.PeerID(rune(1000+n)), "b", byte(n%100)+2, 0)
	}
	kept := 0
	for _, d := range s.deaths {
		if d.Key == (steal.Key{1}) {
			kept++
		}
	}
	if len(s.deaths) != DeathsMax || kept != poisonDeaths {
		t.Errorf("of %d deaths that are remembered %d are of the job that has most", len(s.deaths), kept)
	}
	if len(s.fallen) != fallenMax || s.within(s.now, 10*time.Second) != 10 || s.fallen[0].at != (fallenMax+1)*time.Second {
		t.Errorf("%d have died, %d of them in ten seconds, the first at %v", len(s.fallen), s.within(s.now, 10*time.Second), s.fallen[0].at)
	}
}
