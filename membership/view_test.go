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

func record(id string, join uint32, s State) Member {
	return Member{ID: PeerID(id), Incarnation: Incarnation{Join: join, Random: uint64(join)}, Site: "a", State: s}
}

// TestMergeIsALattice: whatever the order and number in which records arrive, and from whichever snapshot, views come to agree.
func TestMergeIsALattice(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var records []Member
	for range 300 {
		m := record(fmt.Sprint("p", rng.IntN(30)), 1+rng.Uint32N(4), []State{Here, Leaving, Left, Dead}[rng.IntN(4)])
		m.Incarnation.Rejoin = rng.Uint32N(3)
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
		all, bars := v.Snapshot()
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

// TestRestart: a process that starts again under its old id is a new life, and the death of the old one.
func TestRestart(t *testing.T) {
	other := newView("other", "a")
	other.Enter(0)
	other.Merge(0, []Member{record("p", 5, Here)})
	again := newView("p", "a")
	all, _ := other.Snapshot()
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

// TestRefused: one that is held dead comes back with a greater incarnation, but not more than once a second.
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
	if got := v.RefusedBy(2*time.Second, Refused{Incarnation: v.Self().Incarnation}); got != nil {
		t.Errorf("again at once: %v", got)
	}
	if got := v.RefusedBy(4*time.Second, Refused{Incarnation: old}); got != nil {
		t.Errorf("an old refusal: %v", got)
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
	if b, _ := v.bar("x"); !b.Barred {
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

// TestRing: the relation is symmetric, everybody is watched, and by few, whatever the size of the grid.
func TestRing(t *testing.T) {
	for _, n := range []int{1, 2, 8, 9, 10, 11, 12, 40, 200} {
		var all []Member
		for k := range n {
			all = append(all, record(fmt.Sprint("p", k), uint32(k+1), Here))
		}
		watch := map[PeerID][]PeerID{}
		for _, m := range all {
			v := newView(string(m.ID), "a")
			v.Merge(0, all)
			v.self.State = Here
			v.arrange()
			for _, s := range v.watched {
				watch[m.ID] = append(watch[m.ID], s.ID)
			}
			want := 6
			if n <= AllPairsMax {
				want = n - 1
			}
			if len(v.watched) != want {
				t.Errorf("of %d peers one watches %d", n, len(v.watched))
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
		v.Merge(time.Duration(n), []Member{record(fmt.Sprint("x", n), uint32(n+1), Dead)})
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
			m.Incarnation = Incarnation{Join: uint32(b % 5), Rejoin: uint32(c % 3), Random: uint64(a)}
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
				v.RefusedBy(now, Refused{Incarnation: v.Self().Incarnation, Barred: b == 9})
			case 6:
				v.MergeBars(now, []Bar{{ID: m.ID, Counter: uint32(b), Barred: c%2 == 0}})
			case 7:
				v.Reset(now, m.ID)
				v.ConnectRefused(now, m.ID)
			case 8:
				v.Reset(now, m.ID)
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

// TestWatchesWhoGreetedEarly: a peer on its way in hears a greeting, and time passes before it enters. It must watch that member all the same: when nothing else
// changes its view, nothing else makes it look.
func TestWatchesWhoGreetedEarly(t *testing.T) {
	v := New(Config{ID: "b", Site: "b", Workers: 1}, rand.New(rand.NewPCG(1, 2)))
	other := Member{ID: "a", Site: "a", Incarnation: Incarnation{Join: 1, Random: 7}, State: Here, Workers: 1}
	v.Greeted(0, "a", Hello{other})
	v.Tick(tickEvery)
	v.Enter(2 * tickEvery)
	for now := 3 * tickEvery; now < 10*time.Second; now += tickEvery {
		v.Tick(now)
	}
	if v.Has("a", other.Incarnation) {
		t.Error("a member that was silent for 10 s is present")
	}
}
