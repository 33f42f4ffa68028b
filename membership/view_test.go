package membership

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func newView(id string, site Site) *View {
	return New(Config{ID: PeerID(id), Site: site, Workers: 1}, rand.New(rand.NewPCG(1, uint64(len(id)))))
}

func record(id string, join uint64, s State) Member {
	return Member{ID: PeerID(id), Incarnation: Incarnation{Join: join, Random: uint64(join)}, Site: "a", State: s}
}

// TestMergeIsALattice: whatever the order and number in which records arrive, and from whichever
// snapshot, views come to agree.
func TestMergeIsALattice(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var records []Member
	for range 300 {
		m := record(fmt.Sprint("p", rng.IntN(30)), 1+rng.Uint64N(4), []State{Here, Leaving, Left, Dead}[rng.IntN(4)])
		m.Incarnation.Rejoin = rng.Uint64N(3)
		records = append(records, m)
	}
	var first uint64
	for try := range 20 {
		v := newView("me", "a")
		for _, n := range rng.Perm(len(records)) {
			v.Merge(0, records[n:n+1])
			if rng.IntN(3) == 0 {
				v.Merge(0, records[rng.IntN(len(records)):][:1])
			}
		}
		v.Merge(0, records)
		if err := v.Check(); err != nil {
			t.Fatal(err)
		}
		if try == 0 {
			first = v.Digest()
		} else if v.Digest() != first {
			t.Fatal("another order, another view")
		}
		o := newView("other", "b")
		all, bars := v.Snapshot(0)
		o.Merge(0, all)
		o.MergeBars(0, bars)
		if o.Digest() != first {
			t.Fatal("a snapshot does not make the same view")
		}
	}
}

func TestEnterAndOldest(t *testing.T) {
	v := newView("m", "a")
	v.Merge(0, []Member{record("x", 4, Here), record("y", 9, Dead), record("c", 2, Leaving)})
	v.Enter(0)
	if got := v.Self().Incarnation.Join; got != 10 {
		t.Errorf("join number %d, the largest seen was 9", got)
	}
	if m, _ := v.Oldest(); m.ID != "x" {
		t.Errorf("the oldest is %s; c is leaving", m.ID)
	}
	v.Merge(0, []Member{record("b", 10, Here)})
	v.Merge(0, []Member{record("x", 4, Dead)})
	if m, _ := v.Oldest(); m.ID != "b" {
		t.Errorf("of two with join number 10 the smaller id is older, not %s", m.ID)
	}
}

// TestRestart: a process that starts again under its old id is a new life, and the
// death of the old one.
func TestRestart(t *testing.T) {
	other := newView("other", "a")
	other.Enter(0)
	other.Merge(0, []Member{record("p", 5, Here)})
	again := newView("p", "a")
	all, _ := other.Snapshot(0)
	again.Merge(0, all)
	again.Enter(0)
	effects := other.Merge(time.Second, []Member{again.Self()})
	if len(effects) != 2 {
		t.Fatalf("effects %v", effects)
	}
	if l, ok := effects[0].(Lost); !ok || l.Member.How != Renewed {
		t.Errorf("first %v", effects[0])
	}
	if j, ok := effects[1].(Joined); !ok || j.Member.Incarnation != again.Self().Incarnation {
		t.Errorf("then %v", effects[1])
	}
	if ok, _ := other.Heard(2*time.Second, "p", record("p", 5, Here).Incarnation); ok {
		t.Error("the old life is still heard")
	}
}

// TestRefused: one that is held dead comes back with a greater incarnation, but not
// more than once a second.
func TestRefused(t *testing.T) {
	v := newView("p", "a")
	v.Enter(0)
	old := v.Self().Incarnation
	dead := v.Self()
	dead.State, dead.How = Dead, Silent
	effects := v.Merge(2*time.Second, []Member{dead})
	if _, ok := effects[0].(Rejoined); !ok || v.Self().Incarnation.Compare(old) <= 0 || v.Self().Incarnation.Join != old.Join {
		t.Fatalf("effects %v, incarnation %v", effects, v.Self().Incarnation)
	}
	if got := v.HearRefused(2*time.Second, "x", Refused{Incarnation: v.Self().Incarnation}); got != nil {
		t.Errorf("again at once: %v", got)
	}
	if got := v.HearRefused(4*time.Second, "x", Refused{Incarnation: old}); got != nil {
		t.Errorf("an old refusal: %v", got)
	}
}

// TestRefusedBelowALaterLife: another process had its identity meanwhile, and is gone. Who is
// refused comes back above that one.
func TestRefusedBelowALaterLife(t *testing.T) {
	v, other := newView("p", "a"), newView("q", "b")
	v.Enter(0)
	other.Enter(0)
	later := record("p", 99, Left)
	other.Merge(0, []Member{v.Self(), later})
	for now := time.Second; !other.Has("p", v.Self().Incarnation); now += 2 * time.Second {
		if now > 10*time.Second {
			t.Fatalf("it is %v, and refused below %v", v.Self().Incarnation, later.Incarnation)
		}
		for _, e := range other.HearHello(now, "p", Hello{v.Self()}) {
			s, _ := e.(Send)
			switch b := s.Body.(type) {
			case Refused:
				v.HearRefused(now, "q", b)
			case Gone:
				v.Merge(now, []Member{b.Member})
			}
		}
	}
}

func TestBars(t *testing.T) {
	v := newView("p", "a")
	v.Enter(0)
	v.Merge(0, []Member{record("x", 5, Here)})
	effects := v.Bar(0, "x", true)
	if l, ok := effects[0].(Lost); !ok || l.Member.How != Kicked {
		t.Fatalf("effects %v", effects)
	}
	v.Merge(0, []Member{record("x", 6, Here)})
	if v.Has("x", record("x", 6, Here).Incarnation) {
		t.Error("the barred came back in a new life")
	}
	v.MergeBars(0, []Bar{{ID: "x", Counter: 1, Barred: false}})
	if !v.IsBarred("x") {
		t.Error("an older bar won")
	}
	v.Bar(0, "x", false)
	v.Merge(0, []Member{record("x", 7, Here)})
	if !v.Has("x", record("x", 7, Here).Incarnation) {
		t.Error("the allowed is kept out")
	}
	if got := v.MergeBars(0, []Bar{{ID: "p", Counter: 1, Barred: true}}); len(got) != 1 || got[0] != (Banned{}) {
		t.Errorf("barred itself: %v", got)
	}
}

// TestRing: the relation is symmetric, everybody is watched, and by few, whatever
// the size of the grid.
func TestRing(t *testing.T) {
	for _, n := range []int{1, 2, 8, 9, 10, 11, 12, 40, 200} {
		var all []Member
		for k := range n {
			all = append(all, record(fmt.Sprint("p", k), uint64(k+1), Here))
		}
		watch := map[PeerID][]PeerID{}
		for _, m := range all {
			v := newView(string(m.ID), "a")
			v.Merge(0, all)
			v.self.State = Here
			v.watch.choose(0)
			for _, s := range v.watch.watched {
				watch[m.ID] = append(watch[m.ID], s.ID)
			}
			want := 6
			if n <= AllPairsMax {
				want = n - 1
			}
			if len(v.watch.watched) != want {
				t.Errorf("of %d peers one watches %d", n, len(v.watch.watched))
			}
		}
		for a, others := range watch {
			for _, b := range others {
				if a == b || !slices.Contains(watch[b], a) {
					t.Fatalf("of %d peers %s watches %s, but not the other way", n, a, b)
				}
			}
		}
	}
}

func TestFullViewForgetsTheGone(t *testing.T) {
	v := newView("p", "a")
	for n := range MembersMax + 50 {
		v.Merge(time.Duration(n), []Member{record(fmt.Sprint("x", n), uint64(n+1), Dead)})
	}
	v.Merge(time.Hour, []Member{record("late", 5000, Here)})
	if err := v.Check(); err != nil || !v.Has("late", record("late", 5000, Here).Incarnation) {
		t.Errorf("%v; the view is full of the gone", err)
	}
}

// FuzzView brings any records, of any peers, and lets time pass.
func FuzzView(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Fuzz(func(t *testing.T, in []byte) {
		v := newView("p0", "a")
		v.Enter(0)
		now := time.Duration(0)
		for len(in) >= 4 {
			op, a, b, c := in[0], in[1], in[2], in[3]
			in = in[4:]
			m := Member{ID: PeerID(fmt.Sprint("p", a%12)), State: State(c % 7), How: How(b % 7), Site: Site(fmt.Sprint(c % 3))}
			m.Incarnation = Incarnation{Join: uint64(b % 5), Rejoin: uint64(c % 3), Random: uint64(a)}
			switch op % 10 {
			case 0, 1:
				v.Merge(now, []Member{m})
			case 2:
				v.Received(now, m.ID, PingFor{Target: PeerID(fmt.Sprint("p", b%12)), Incarnation: m.Incarnation})
			case 3:
				v.Received(now, m.ID, Pong{})
				v.Received(now, m.ID, Alive{Target: PeerID(fmt.Sprint("p", b%12)), Incarnation: m.Incarnation})
			case 4:
				v.Heard(now, m.ID, m.Incarnation)
			case 5:
				v.HearRefused(now, "x", Refused{Incarnation: v.Self().Incarnation, Barred: b == 9})
			case 6:
				v.MergeBars(now, []Bar{{ID: m.ID, Counter: uint64(b), Barred: c%2 == 0}})
			case 7:
				v.Disconnected(now, m.ID)
				v.ConnectRefused(now, m.ID)
			case 8:
				v.Disconnected(now, m.ID)
				v.Unreached(now, m.ID)
			case 9:
				now += time.Duration(b) * 20 * time.Millisecond
				v.Tick(now)
			}
			if err := v.Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestWatchesWhoGreetedEarly: a peer on its way in hears a greeting, and time passes before
// it enters. It must watch that member all the same: when nothing else changes its view,
// nothing else makes it look.
func TestWatchesWhoGreetedEarly(t *testing.T) {
	v := New(Config{ID: "b", Site: "b", Workers: 1}, rand.New(rand.NewPCG(1, 2)))
	other := Member{ID: "a", Site: "a", Incarnation: Incarnation{Join: 1, Random: 7}, State: Here, Workers: 1}
	v.HearHello(0, "a", Hello{other})
	v.Tick(tickEvery)
	v.Enter(2 * tickEvery)
	for now := 3 * tickEvery; now < 10*time.Second; now += tickEvery {
		v.Tick(now)
	}
	if v.Has("a", other.Incarnation) {
		t.Error("a member that was silent for 10 s is present")
	}
}

// TestMemberLivesOn: a member that others held dead goes on under another incarnation, and nothing
// of it is lost here. One that is not known in the life from which it goes on, or was held dead
// here too, hears that its loans are void.
func TestMemberLivesOn(t *testing.T) {
	x := record("x", 5, Here)
	next := x
	next.Was, next.Incarnation.Rejoin, next.Incarnation.Random = x.Incarnation, 1, 77
	third := next
	third.Was, third.Incarnation.Rejoin, third.Incarnation.Random = next.Incarnation, 2, 78
	dead := x
	dead.State, dead.How = Dead, Killed
	for _, c := range []struct {
		name        string
		known, came Member
		lost, void  bool
	}{
		{"it goes on", x, next, false, false},
		{"a life between was missed", x, third, true, true},
		{"it was held dead here", dead, next, false, true},
		{"it was held dead here, and a life was missed", dead, third, false, true},
		{"it has started again", x, record("x", 6, Here), true, false},
	} {
		v := newView("me", "a")
		v.Enter(0)
		v.Merge(0, []Member{c.known})
		var lost, void, livesOn, joined bool
		for _, e := range v.Merge(time.Second, []Member{c.came}) {
			switch e := e.(type) {
			case Lost:
				lost = true
			case Joined:
				joined = true
			case LivesOn:
				livesOn = e.Was == c.known.Incarnation && e.Member.Incarnation == c.came.Incarnation
			case Send:
				void = e.To == "x" && e.Body == Refused{Incarnation: c.came.Was, Void: true}
			}
		}
		if goesOn := !c.lost && !c.void; lost != c.lost || void != c.void || livesOn != goesOn || joined == goesOn || !v.Has("x", c.came.Incarnation) {
			t.Errorf("%s: lost %v, void %v, lives on %v, joined %v", c.name, lost, void, livesOn, joined)
		}
	}
}

// TestForsaken: who is told that the loans of a former life are void passes that on;
// its present life stays.
func TestForsaken(t *testing.T) {
	v := newView("p", "a")
	v.Enter(0)
	first := v.Self().Incarnation
	v.HearRefused(0, "x", Refused{Incarnation: first})
	if v.Self().Was != first {
		t.Fatalf("it goes on from %v", v.Self().Was)
	}
	life := v.Self().Incarnation
	effects := v.HearRefused(3*time.Second, "x", Refused{Incarnation: first, Void: true})
	if len(effects) != 1 || effects[0] != (Forsaken{"x"}) || v.Self().Incarnation != life {
		t.Errorf("effects %v", effects)
	}
}

// TestDeathOfTheHeardIsDoubted: who has just heard a member does not believe another's word that it
// is dead, and tells it, so that it takes another life. It believes what stays so for two seconds,
// what is said of one that it does not hear, and that a process was seen to die.
func TestDeathOfTheHeardIsDoubted(t *testing.T) {
	x := record("x", 5, Here)
	for _, c := range []struct {
		how   How
		quiet time.Duration // since it was heard
		again time.Duration // when the same is said once more, while it is heard; 0: never
		lost  bool
	}{
		{Silent, 300 * time.Millisecond, 0, false},
		{Silent, 300 * time.Millisecond, time.Second, false},
		{Silent, 300 * time.Millisecond, 3 * time.Second, true},
		{Silent, 1100 * time.Millisecond, 0, true},
		{Killed, 300 * time.Millisecond, 0, true},
	} {
		v := newView("me", "a")
		v.Enter(0)
		v.Merge(0, []Member{x})
		dead := x
		dead.State, dead.How = Dead, c.how
		effects := v.Merge(c.quiet, []Member{dead})
		if c.again > 0 {
			v.Heard(c.quiet+c.again, "x", x.Incarnation)
			v.Merge(c.quiet+c.again, []Member{dead})
		}
		if v.Has("x", x.Incarnation) == c.lost {
			t.Errorf("%+v: lost %v", c, !c.lost)
		}
		told := slices.ContainsFunc(effects, func(e Effect) bool {
			s, ok := e.(Send)
			return ok && s.To == "x" && s.Body == Refused{Incarnation: x.Incarnation}
		})
		if told != (c.how == Silent && c.quiet < SilenceMin) {
			t.Errorf("%+v: told %v", c, told)
		}
	}
}

// TestClientTakesTheOneThatIsLeft: of two processes with one identity a client has known the
// younger, which is gone. While others are there, they tell the older one that its life is over;
// when nobody is, its word is taken, or it would be refused for ever. It is asked for that word: it
// greets a client once, and may have done so while the others were not known to be gone.
func TestClientTakesTheOneThatIsLeft(t *testing.T) {
	v := New(Config{ID: "me", Client: true}, rand.New(rand.NewPCG(1, 2)))
	older, younger := Hello{record("x", 1, Here)}, Hello{record("x", 6, Here)}
	asks := func() bool { return len(v.Stranger("x", older.Member.Incarnation)) > 0 }
	knows := func(what string, want Hello) {
		t.Helper()
		if m, _ := v.Member("x"); m.Incarnation != want.Member.Incarnation {
			t.Errorf("%s: it knows %v", what, m.Incarnation)
		}
	}
	v.HearHello(0, "x", younger)
	v.HearHello(0, "y", Hello{record("y", 2, Here)})
	v.HearHello(time.Second, "x", older)
	if knows("another is there", younger); asks() {
		t.Error("one is asked whose life is over")
	}
	v.Merge(time.Second, []Member{record("y", 2, Left)})
	if !asks() {
		t.Error("the only one that is left is not asked who it is")
	}
	effects := v.HearHello(2*time.Second, "x", older)
	knows("nobody else is there", older)
	if n := slices.IndexFunc(effects, func(e Effect) bool { _, lost := e.(Lost); return lost }); n < 0 {
		t.Error("the younger is not lost")
	}
	v.HearHello(3*time.Second, "x", younger)
	knows("the younger speaks again", younger)
	member := newView("me", "a")
	member.Enter(0)
	member.HearHello(0, "x", younger)
	if member.HearHello(time.Second, "x", older); member.seats.byID["x"].Incarnation != younger.Member.Incarnation {
		t.Error("a member takes a life back that is over")
	}
}
