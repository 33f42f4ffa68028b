package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// TestSilentHolderIsLeft: a holder that does not acknowledge is left for another, who gets all.
func TestSilentHolderIsLeft(t *testing.T) {
	s := newStage(t, "b1", "b2")
	effects := s.pass(0, 11*time.Second)
	if _, ok := find[WantParts](effects); !ok {
		t.Fatal("in eleven seconds nobody asked for parts")
	}
	parts := []Part{{Run: 1, Key: steal.Key{1}, Result: steal.Result{Cost: 900}}}
	first, _ := sent[orphan.Copy](s.p.Gathered(11*time.Second, parts))
	effects = s.pass(11*time.Second, 24*time.Second)
	repeated, _ := sent[orphan.Copy](effects)
	if len(first) != 1 || len(repeated) < 2 {
		t.Fatalf("sent to %v, repeated to %v", first, repeated)
	}
	if _, ok := find[WantParts](effects); !ok {
		t.Fatal("the parts were not asked for again")
	}
	second, copies := sent[orphan.Copy](s.p.Gathered(24*time.Second, parts))
	if len(second) != 1 || second[0] == first[0] || !copies[0].Whole || len(copies[0].Parts) != 1 {
		t.Errorf("then to %v: %v", second, copies)
	}
}

// TestCopiesHolder: who keeps the copies, by who is there.
func TestCopiesHolder(t *testing.T) {
	leaving := func(p present, ids ...membership.PeerID) {
		for _, id := range ids {
			m := p[id]
			m.State = membership.Leaving
			p[id] = m
		}
	}
	for name, c := range map[string]struct {
		others        []membership.PeerID
		leaving       []membership.PeerID
		avoid, holder membership.PeerID
	}{
		"nobody is there":               {},
		"one in this site":              {others: []membership.PeerID{"a2"}, holder: "a2"},
		"one in another":                {others: []membership.PeerID{"a2", "b1"}, holder: "b1"},
		"that one leaves":               {others: []membership.PeerID{"a2", "b1"}, leaving: []membership.PeerID{"b1"}, holder: "a2"},
		"all leave":                     {others: []membership.PeerID{"a2"}, leaving: []membership.PeerID{"a2"}},
		"that one did not answer":       {others: []membership.PeerID{"a2", "b1"}, avoid: "b1", holder: "a2"},
		"two, of whom one did not":      {others: []membership.PeerID{"b1", "c1"}, avoid: "b1", holder: "c1"},
		"only one, that did not answer": {others: []membership.PeerID{"b1"}, avoid: "b1", holder: "b1"},
	} {
		g := newGiver(t, c.others...)
		leaving(g.present, c.leaving...)
		g.held[0].avoid = c.avoid
		if g.reviewHolders(); g.held[0].holder.peer != c.holder {
			t.Errorf("%s: %q is to keep the copies, not %q", name, g.held[0].holder.peer, c.holder)
		}
	}
	g := newGiver(t, "a2")
	now, _ := g.round(listed("left")...)
	g.has(now)
	g.present["b1"] = presentOf("b1")["b1"]
	now = g.at
	does(t, "one comes in another site", g.tick(now), "a2: Copy round 2, anew:", "want parts")
	does(t, "and gets all", g.gathered(now, listed("left")), `b1: Copy round 3, anew: +left "left" with best "best"`)
	g.has(now)
	leaving(g.present, "b1")
	does(t, "it leaves", g.tick(g.at), "b1: Copy round 4, anew:", "want parts")
	g.open = false
	before := g.at
	if g.lost(now, "b1"); g.at != before {
		t.Error("one that keeps nothing any more is lost, and that is news")
	}
	g.lost(now+1, "a2")
	if g.held[0].holder != (life{}) || g.at != now+1 {
		t.Errorf("the holder is lost, and %v is the next, at %v", g.held[0].holder, g.at)
	}
	g.held[0].holder = in("b1")
	if g.livesOn(in("b1"), life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}}); g.held[0].holder.incarnation.Rejoin != 1 {
		t.Error("the holder lives on, and is not known by that")
	}
}

// TestHolderOfLongParts: it is not given up while they may be on their way, on a slow link too, and
// then all is moved in one step.
func TestHolderOfLongParts(t *testing.T) {
	g := newGiver(t, "b1", "c1")
	long := listed("long")
	long[0].Result.Bytes, long[0].Result.Cost = make([]byte, 8<<20), 1<<20
	now, effects := g.round(long...)
	first, until := g.held[0].holder.peer, now+copyWait+8<<20*time.Second/slowestLink
	if len(effects) != 1 || g.givenUp(g.runs[0], 0) != until {
		t.Errorf("it is given up at %v, not %v", g.givenUp(g.runs[0], 0), until)
	}
	g.at = steal.Never
	if again := g.tick(until - 1); len(again) != 1 || g.held[0].holder.peer != first || g.deadline() != until {
		t.Errorf("it does %q, and is to keep it until %v", told(again), g.deadline())
	}
	if does(t, "time is over", g.tick(until)); g.held[0].holder != (life{}) || g.held[0].avoid != first || g.deadline() != steal.Never {
		t.Errorf("%v keeps it, and something is due at %v", g.held[0].holder, g.deadline())
	}
}

// TestHolderIsLeftInOrder: it is told, of each run of which it has something or something is on its
// way; of others not. One that nobody can follow stays, though it leaves.
func TestHolderIsLeftInOrder(t *testing.T) {
	g := newGiver(t, "b1")
	on, empty := steal.Instance{Run: steal.Key{2}}, steal.Instance{Run: steal.Key{3}}
	g.began(on, 8, g)
	g.began(empty, 9, g)
	now, _ := g.round(append(listed("left"), Part{Run: 8, Key: keyOf("right"), Result: steal.Result{Cost: 200}})...)
	g.has(now)
	m := g.present["b1"]
	m.State = membership.Leaving
	g.present["b1"] = m
	if g.reviewHolders(); g.held[0].holder.peer != "b1" || len(g.flush()) != 0 {
		t.Errorf("nobody else is there, and %v keeps it", g.held[0].holder)
	}
	g.present["a2"] = presentOf("a2")["a2"]
	g.reviewHolders()
	does(t, "one comes", g.flush(), "b1: Copy round 2, anew:", "b1: Copy round 2, anew:")
	for _, y := range g.runs {
		if x := &y.with[0]; !x.whole || x.out != nil || x.has != nil || x.again != steal.Never {
			t.Errorf("of run %d the next is held to have something", y.no)
		}
	}
	g.present["b2"] = presentOf("b2")["b2"]
	g.held[0].holder, m = in("a2"), g.present["a2"]
	m.Incarnation.Rejoin++
	g.present["a2"] = m
	g.reviewHolders()
	if does(t, "it has another life, in which it has nothing", g.flush()); g.held[0].holder.peer != "b2" {
		t.Errorf("%v keeps it, and not one in another site", g.held[0].holder)
	}
}

// TestHoldersAreDrawn: of those that are as good each is taken as often, so that no peer keeps the
// parts of all.
func TestHoldersAreDrawn(t *testing.T) {
	g := newGiver(t, "a2", "b1", "b2", "c1")
	drawn := map[membership.PeerID]int{}
	for range 300 {
		g.held[0].holder = life{}
		g.reviewFirst()
		drawn[g.held[0].holder.peer]++
	}
	for _, id := range []membership.PeerID{"b1", "b2", "c1"} {
		if drawn[id] < 70 {
			t.Errorf("%s is drawn %d times of 300", id, drawn[id])
		}
	}
	if len(drawn) != 3 {
		t.Errorf("drawn are %v", drawn)
	}
}

// TestHolderThatIsAnother: a process that came in the place of the holder has nothing, though it
// has its id; where there is nobody, nobody is taken for the holder.
func TestHolderThatIsAnother(t *testing.T) {
	g := newGiver(t, "b1")
	now, _ := g.round(listed("left")...)
	g.has(now)
	m := g.present["b1"]
	m.Incarnation.Random++
	g.present["b1"] = m
	_, effects := g.round(listed("left")...)
	does(t, "another process", effects, `b1: Copy round 2, anew: +left "left" with best "best"`)
	if g.held[0].holder.incarnation != m.Incarnation {
		t.Errorf("it is given to %v", g.held[0].holder)
	}
	delete(g.present, "b1")
	if does(t, "nobody is there", g.tick(g.at)); g.held[0].holder != (life{}) {
		t.Errorf("%v is to keep it", g.held[0].holder)
	}
}
