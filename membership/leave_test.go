package membership

import (
	"testing"
	"time"
)

// TestLeaverIsWatched: one that is leaving counts as present, and when it falls silent it is
// noticed like any other.
func TestLeaverIsWatched(t *testing.T) {
	g := newGrid(t, 3, 0)
	g.run(3 * time.Second)
	g.carry("p02", g.views["p02"].Leaving(20*time.Second))
	m, ok := g.views["p00"].Member("p02")
	if !ok || m.State != Leaving || m.Grace != 20000 {
		t.Fatalf("p02 is %v, %v, and takes %d ms", m.State, ok, m.Grace)
	}
	if o, _ := g.views["p01"].Oldest(); o.ID != "p00" {
		t.Errorf("the oldest is %s", o.ID)
	}
	g.mute["p02"] = true
	g.run(3 * time.Second)
	if len(g.lost) != 2 {
		t.Errorf("a leaver that died was lost by %v", g.lost)
	}
}

// TestLeaverComesBack: one that was held dead while it leaves takes another incarnation,
// and goes on leaving.
func TestLeaverComesBack(t *testing.T) {
	v := newView("p", "a")
	v.Enter(0)
	v.Leaving(time.Minute)
	dead := v.Self()
	dead.State, dead.How = Dead, Silent
	v.Merge(2*time.Second, []Member{dead})
	if s := v.Self(); s.State != Leaving || s.Incarnation.Rejoin != 1 {
		t.Errorf("it is %v in incarnation %v", s.State, s.Incarnation)
	}
}

// TestSuccessor: the heir that was named, or the heir's heir, else the oldest that stays.
func TestSuccessor(t *testing.T) {
	v := newView("me", "a")
	v.Enter(0)
	left := func(id string, join uint64, heir PeerID) Member {
		m := record(id, join, Left)
		m.How, m.Heir = Went, heir
		return m
	}
	for _, c := range []struct {
		about string
		add   Member
		want  PeerID
	}{
		{"nobody left a will", record("x", 9, Dead), "me"},
		{"an older one that is leaving", record("old", 1, Leaving), "me"},
		{"an heir", left("x", 10, "heir"), "me"}, // not here yet
		{"the heir is known", record("heir", 20, Here), "heir"},
		{"the heir has left, too", left("heir", 20, "second"), "me"},
		{"the second heir", record("second", 30, Here), "second"},
		{"the second heir is leaving", record("second", 30, Leaving), "me"},
	} {
		v.Merge(0, []Member{c.add})
		i := Incarnation{Join: 10, Random: 10}
		if m, ok := v.Successor("x", i); !ok || m.ID != c.want {
			t.Errorf("%s: %s succeeds, not %s", c.about, m.ID, c.want)
		}
	}
}

// TestLives: a process that was held dead and came back is the same one, a process that was
// started again is not.
func TestLives(t *testing.T) {
	v := newView("me", "a")
	v.Enter(0)
	first := record("x", 5, Here)
	back := first
	back.Incarnation.Rejoin, back.Incarnation.Random = 1, 77
	again := record("x", 6, Here)
	v.Merge(0, []Member{first})
	v.Merge(0, []Member{back})
	if !v.Lives("x", first.Incarnation) || v.Has("x", first.Incarnation) {
		t.Error("it came back, and counts as gone")
	}
	v.Merge(0, []Member{again})
	if v.Lives("x", first.Incarnation) || v.Lives("x", back.Incarnation) {
		t.Error("it was started again, and counts as the same process")
	}
	if how, _, ok := v.Fate("x", first.Incarnation); !ok || how != Renewed {
		t.Errorf("its first life ended by %v", how)
	}
}

// TestElder: between roots on two sides of a cut a flapping peer is the youngest.
func TestElder(t *testing.T) {
	old, young := record("a", 1, Here), record("b", 9, Here)
	if !old.ElderThan(&young) {
		t.Error("the older is not the elder")
	}
	old.Incarnation.Rejoin++
	if old.ElderThan(&young) || !old.OlderThan(&young) {
		t.Error("a rejoined peer is the elder")
	}
}

// TestGreetingOfTheDeadIsRefused: when both hold each other dead, a connection that stands again
// is enough to find out.
func TestGreetingOfTheDeadIsRefused(t *testing.T) {
	v := newView("me", "a")
	v.Enter(0)
	x := record("x", 5, Here)
	v.Merge(0, []Member{x})
	v.Disconnected(0, "x")
	v.ConnectRefused(0, "x")
	effects := v.HearHello(time.Second, "x", Hello{x})
	if s, ok := effects[0].(Send); !ok || s.Body != (Refused{Incarnation: x.Incarnation}) {
		t.Errorf("the dead is answered %v", effects)
	}
	v.Bar(time.Second, "y", true)
	effects = v.HearHello(time.Second, "y", Hello{record("y", 6, Here)})
	if s, ok := effects[len(effects)-1].(Send); !ok || s.Body != (Refused{Incarnation: record("y", 6, Here).Incarnation, Barred: true}) {
		t.Errorf("the barred is answered %v", effects)
	}
}

// TestSlowPeerSuspectsNobody: ticks that are each a little late add up.
func TestSlowPeerSuspectsNobody(t *testing.T) {
	v := newView("p", "a")
	v.Enter(0)
	v.Merge(0, []Member{record("x", 5, Here)})
	for now := time.Duration(0); now < 10*time.Second; now += 290 * time.Millisecond {
		for _, e := range v.Tick(now) {
			if l, lost := e.(Lost); lost {
				t.Fatalf("one that gets a third of its time declares %s dead at %v", l.Member.ID, now)
			}
		}
	}
}
