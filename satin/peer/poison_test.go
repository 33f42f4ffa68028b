package peer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// die lets another be seen to die.
func (s *stage) die(now time.Duration, id membership.PeerID) (all []Effect) {
	delete(s.life, id)
	all = append(all, s.p.Disconnected(now, id)...)
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
	const job, root = jobIsPoison, rootIsPoison
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
	other.learn(0, []Death{
		{Victim: "v", Task: strings.Repeat("t", TaskNameMax+1)}, {Victim: membership.PeerID(strings.Repeat("v", membership.IDBytesMax+1))},
		{Victim: "v", Task: "\x1b[2J"}, {Victim: "v\n"}, {Victim: "v", Site: "\a"},
	})
	if len(other.deaths) != poisonDeaths {
		t.Error("names without bounds, or that cannot be shown, are kept")
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

// TestOldestOfTheFewestIsForgotten: of jobs that have one death each the first goes, and what has
// just been heard stays.
func TestOldestOfTheFewestIsForgotten(t *testing.T) {
	s := newScene()
	for n := range DeathsMax + 1 {
		s.dies(time.Minute, membership.PeerID(rune('A'+n)), "a", byte(n+10), 0)
	}
	if first, last := s.deaths[0].Victim, s.deaths[len(s.deaths)-1].Victim; len(s.deaths) != DeathsMax || first != "B" || last != "a" {
		t.Errorf("%d are remembered, from that of %s to that of %s", len(s.deaths), first, last)
	}
}

// jobIsPoison and rootIsPoison are what a run fails with.
const (
	jobIsPoison = `fails: panic ": the job t was executing on 5 peers when they died, at about the same age each time: ` +
		`it kills its process"`
	rootIsPoison = `fails: panic ": the root t was executing on 5 peers when they died, at about the same age each time: ` +
		`it kills its process"`
)

// TestPoisonOfOneThatComesBack: a machine whose peer is started again each time, under the same id
// in the same site, with a new life. Before the job it lost its peer once together with the whole
// site, which is no reason to let the job go on.
func TestPoisonOfOneThatComesBack(t *testing.T) {
	s := newScene()
	s.dies(0, "A", "a", 0, 0)
	s.dies(0, "B", "a", 0, 0)
	for n := range poisonDeaths {
		does(t, "it may be chance", s.tick(s.now+poisonWait, &s.obituary))
		s.dies(15*time.Second, "A", "a", 0, 0)
		s.count(s.now, Death{
			Victim: "A", Life: membership.Incarnation{Join: uint64(n) + 9}, Site: "a", Key: steal.Key{1}, Task: "t", Millis: 1000,
		})
	}
	does(t, "it is none", s.tick(s.now+poisonWait, &s.obituary), jobIsPoison)

	s = newScene()
	for n := range poisonDeaths {
		s.dies(time.Minute, membership.PeerID(rune('A'+n)), membership.Site(rune('a'+n)), 1, time.Second)
	}
	s.dies(time.Minute, "A", "a", 0, 0)
	s.dies(0, "X", "a", 0, 0)
	does(t, "the first comes back, and dies with its site", s.tick(s.now+poisonWait, &s.obituary), jobIsPoison)
}

// TestDeathToldLate: another saw a victim die with which it had the job, and its record comes
// seconds later, when somebody elsewhere has died meanwhile. What counts is when the victim itself
// was seen to die here: with another of its site, ten seconds after that one.
func TestDeathToldLate(t *testing.T) {
	s := newScene()
	for n := range poisonDeaths {
		id, site := membership.PeerID(rune('A'+n)), membership.Site(rune('a'+n))
		if n < poisonDeaths-1 {
			s.dies(time.Minute, id, site, 1, time.Second)
			continue
		}
		s.dies(time.Minute, "X", site, 0, 0)
		s.dies(aloneFor-time.Second, id, site, 0, 0)
		s.dies(3*time.Second, "Y", "y", 0, 0)
		s.learn(s.now, []Death{{Victim: id, Site: site, Key: steal.Key{1}, Task: "t", Millis: 1000}})
	}
	does(t, "one of five was not alone", s.tick(s.now+poisonWait, &s.obituary))
}

// TestPoisonWhilePeersWaitForIt: peers of all sites steal the job one after the other, and die of
// it twice a second. The last deaths may not be all of their site, and those before them are
// enough.
func TestPoisonWhilePeersWaitForIt(t *testing.T) {
	s, named := newScene(), time.Duration(0)
	for n := 0; named == 0 && n < 20; n++ {
		s.dies(poisonWait/2, membership.PeerID(rune('A'+n)), membership.Site(rune('a'+n)), 1, time.Second)
		if len(s.tick(s.now, &s.obituary)) > 0 {
			named = s.now
		}
	}
	if want := poisonDeaths*poisonWait/2 + poisonWait; named != want {
		t.Errorf("it is named after %v, want %v", named, want)
	}
}

// TestDeathsOfOneSite: one that dies in the site of a victim within ten seconds, before it or
// after, may be why that died. It does not matter in another site, nor any later.
func TestDeathsOfOneSite(t *testing.T) {
	for name, c := range map[string]struct {
		site  membership.Site
		after time.Duration // the victim's death
		job   byte          // that was executing there
		want  []string
	}{
		"with it":                   {"c", 0, 0, nil},
		"ten seconds later":         {"c", aloneFor, 0, nil},
		"more than that":            {"c", aloneFor + 1, 0, []string{jobIsPoison}},
		"ten seconds before":        {"c", -aloneFor, 0, nil},
		"more than that, before":    {"c", -aloneFor - 1, 0, []string{jobIsPoison}},
		"elsewhere":                 {"x", 0, 0, []string{jobIsPoison}},
		"with it, of another job":   {"c", 0, 2, nil},
		"with it, of the same job":  {"c", 0, 1, []string{jobIsPoison}},
		"of the same job elsewhere": {"x", 0, 1, []string{jobIsPoison}},
	} {
		s := newScene()
		for n := range poisonDeaths {
			s.dies(time.Minute, membership.PeerID(rune('A'+n)), membership.Site(rune('a'+n)), 1, time.Second)
		}
		at := s.now
		s.dies(3*time.Minute+c.after-5*time.Minute, "X", c.site, c.job, time.Hour)
		does(t, name, s.tick(at+poisonWait, &s.obituary), c.want...)
	}
}

// TestDeathsMeanwhile: a job is lost five times while peers are killed. Those count that died from
// its first death to its last, both included; a site that was lost an hour ago tells nothing.
func TestDeathsMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		after time.Duration // the first of the job's deaths, four minutes before its last
		job   byte          // that was executing there
		want  []string
	}{
		"with the first":  {0, 0, nil},
		"of another job":  {0, 2, nil},
		"with the last":   {4 * time.Minute, 0, nil},
		"before":          {-1, 0, []string{jobIsPoison}},
		"after":           {4*time.Minute + 1, 0, []string{jobIsPoison}},
		"an hour earlier": {-time.Hour, 0, []string{jobIsPoison}},
	} {
		s := newScene()
		for n := range poisonDeaths {
			s.dies(time.Minute, membership.PeerID(rune('A'+n)), membership.Site(rune('a'+n)), 1, time.Second)
		}
		first, last := s.now-4*time.Minute, s.now
		for n := range poisonDeaths {
			s.now = first + c.after
			s.dies(0, membership.PeerID(rune('P'+n)), "x", c.job, time.Duration(n)*time.Hour)
		}
		does(t, name, s.tick(last+poisonWait, &s.obituary), c.want...)
	}
}

// TestDeathCountsOnce: for each job and each life of a victim, however often it is told.
func TestDeathCountsOnce(t *testing.T) {
	s := newScene()
	d := Death{Victim: "v", Life: in("v").incarnation, Site: "a", Key: steal.Key{1}, Task: "t", Millis: 5}
	again, elsewhere, root := d, d, d
	again.Life.Rejoin, elsewhere.Victim, root.Key = 1, "w", s.run.Run
	for range 2 {
		for _, d := range []Death{d, again, elsewhere, root} {
			s.count(0, d)
		}
	}
	if got := s.told(); !slices.Equal(got, []Death{d, again, elsewhere, root}) {
		t.Errorf("counted are %v", got)
	}
	old := d
	old.Millis = 7
	if s.count(time.Hour, old); len(s.deaths) != 4 || s.deaths[0].Millis != 5 || s.deaths[0].at != 0 {
		t.Error("what is told late of a death replaces what is known of it")
	}
}

// TestDeathsFromOutside: what a member tells of is bounded, in number and in length, and numbers at
// their limits do nothing.
func TestDeathsFromOutside(t *testing.T) {
	s := newScene()
	var all []Death
	for n := range 2 * DeathsMax {
		all = append(all, Death{
			Victim: membership.PeerID(fmt.Sprint("v", n)), Site: membership.Site(fmt.Sprint("s", n)), Key: steal.Key{1}, Task: "t",
			Millis: math.MaxUint32 - uint32(n),
		})
	}
	for _, d := range all[:DeathsMax] {
		s.add(0, membership.Member{ID: d.Victim, Site: d.Site})
	}
	s.learn(0, all)
	if len(s.deaths) != DeathsMax || s.deaths[DeathsMax-1].Victim != all[DeathsMax-1].Victim {
		t.Errorf("%d deaths of one record are believed", len(s.deaths))
	}
	does(t, "of the same age, if it were one", s.tick(time.Minute, &s.obituary), jobIsPoison)
	s = newScene()
	s.learn(0, []Death{{Victim: "v", Site: membership.Site(strings.Repeat("x", membership.NameBytesMax+1))}})
	if s.learn(0, nil); len(s.deaths) != 0 || millis(1<<62) != 1<<31 {
		t.Errorf("%v is known, the longest age is %d ms", s.deaths, millis(1<<62))
	}
}

// TestNamesAtTheirLimits: as long as they may be, names are believed.
func TestNamesAtTheirLimits(t *testing.T) {
	s := newScene()
	s.learn(0, []Death{{
		Victim: membership.PeerID(strings.Repeat("v", membership.IDBytesMax)),
		Site:   membership.Site(strings.Repeat("s", membership.NameBytesMax)), Task: strings.Repeat("t", TaskNameMax),
	}})
	if len(s.deaths) != 1 {
		t.Error("a death is not believed")
	}
}

// TestObituary: who died lately, by when.
func TestObituary(t *testing.T) {
	var o obituary
	for n := range 3 {
		o.add(time.Duration(n)*time.Second, membership.Member{ID: "x"})
	}
	for window, want := range map[time.Duration]int{0: 0, 1: 1, time.Second: 1, time.Second + 1: 2, time.Hour: 3} {
		if n := o.within(2*time.Second, window); n != want {
			t.Errorf("in %v %d have died, want %d", window, n, want)
		}
	}
}
