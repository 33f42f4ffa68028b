package membership

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// churn lets eight peers that tell each other what they know lose one and get one every 20 s for
// two hours: the one that goes is dead to all, and all hold it dead at slightly different times.
func churn() (most int, views []*View) {
	rng := rand.New(rand.NewPCG(8, 8))
	var order []PeerID
	all := map[PeerID]*View{}
	tell := func(now time.Duration, from, to PeerID) {
		members, bars := all[from].Snapshot(now)
		all[to].Adopt(now, members, bars)
	}
	for now := time.Duration(0); now < 2*time.Hour; now += 2 * time.Second {
		if len(order) < 8 || now%(20*time.Second) == 0 {
			id := PeerID(fmt.Sprint("p", now/time.Second))
			v := New(Config{ID: id, Site: "a"}, rand.New(rand.NewPCG(1, uint64(now))))
			all[id] = v
			if len(order) > 0 {
				tell(now, order[0], id)
			}
			v.Enter(now)
			for _, o := range order {
				all[o].HearHello(now, id, Hello{v.Self()})
			}
			order = append(order, id)
		}
		if len(order) > 8 {
			dead := order[0]
			order = slices.Delete(order, 0, 1)
			gone := all[dead].Self()
			gone.State, gone.How = Dead, Killed
			delete(all, dead)
			// the rest hears of it by what is told below
			all[order[0]].Merge(now, []Member{gone})
		}
		for _, id := range order {
			all[id].seats.forget(now)
			if o := order[rng.IntN(len(order))]; o != id {
				tell(now, id, o)
			}
			most = max(most, len(all[id].seats.sorted))
		}
	}
	for _, id := range order {
		views = append(views, all[id])
	}
	return most, views
}

// TestTheDeadAreForgotten: in two hours of churn no view grows beyond those who are here and who
// was lost in the time for which the dead are kept.
func TestTheDeadAreForgotten(t *testing.T) {
	most, views := churn()
	if room := 8 + int(GoneKeptFor/(20*time.Second)) + 2; most > room {
		t.Errorf("a view holds %d seats, and there is reason for %d", most, room)
	}
	for _, v := range views {
		if v.Digest() != views[0].Digest() {
			t.Errorf("%s and %s do not agree", v.self.ID, views[0].self.ID)
		}
	}
}

// TestAnOldDeathIsNotLearned: what is about to be forgotten everywhere is no news.
func TestAnOldDeathIsNotLearned(t *testing.T) {
	v := newView("me", "a")
	v.Enter(0)
	dead := record("x", 5, Dead)
	dead.Ago = uint32((GoneKeptFor - goneLate + time.Second) / time.Second)
	v.Merge(time.Hour, []Member{dead})
	if len(v.seats.sorted) != 0 {
		t.Error("one that died nearly ten minutes ago was learned")
	}
	dead.Ago = 300
	v.Merge(time.Hour, []Member{dead})
	if all, _ := v.Snapshot(time.Hour + 7*time.Second); len(all) != 2 || all[1].Ago != 307 {
		t.Errorf("one that died five minutes ago travels as %v", all)
	}
	v.seats.forget(time.Hour + GoneKeptFor - 300*time.Second + time.Second)
	if len(v.seats.sorted) != 0 {
		t.Error("it is kept for ten minutes after it was heard of")
	}
}

// TestKickAfterManyBars: the oldest bars go, the same at all, and the next kick works.
func TestKickAfterManyBars(t *testing.T) {
	a, b := newView("a", "a"), newView("b", "a")
	a.Enter(0)
	bring := func(from, to *View) {
		members, bars := from.Snapshot(0)
		to.Adopt(0, members, bars)
	}
	bring(a, b)
	b.Enter(0)
	for n := range 5000 {
		v := []*View{a, b}[n%2]
		v.Bar(0, PeerID(fmt.Sprint("kicked", n)), true)
		if n%100 == 0 {
			bring(a, b)
			bring(b, a)
		}
	}
	for range 2 {
		bring(a, b)
		bring(b, a)
	}
	if a.Digest() != b.Digest() || !slices.Equal(a.Bars(), b.Bars()) {
		t.Errorf("%d and %d bars, and the views do not agree", len(a.Bars()), len(b.Bars()))
	}
	one := a.Digest()
	if b.Bar(0, "kicked4999", false); b.Digest() == one {
		t.Error("a bar that was lifted is not in the digest")
	}
	bring(b, a)
	if a.Digest() != b.Digest() {
		t.Error("the views do not agree about a bar that was lifted")
	}
	a.Merge(0, []Member{record("x", 9, Here)})
	effects := a.Bar(0, "x", true)
	lost := func(e Effect) bool { l, ok := e.(Lost); return ok && l.Member.How == Kicked }
	if !slices.ContainsFunc(effects, lost) || !a.IsBarred("x") {
		t.Errorf("a kick after 5,000 bars: %v", effects)
	}
	if a.Bar(0, "x", false); a.IsBarred("x") {
		t.Error("it cannot be undone")
	}
	if len(a.Bars()) != BarsMax {
		t.Errorf("%d bars", len(a.Bars()))
	}
}

// TestNoCounterLasts: whatever join number, rejoin number or bar counter somebody tells of, others
// can join, take new lives and undo it afterwards.
func TestNoCounterLasts(t *testing.T) {
	for _, n := range []uint64{1 << 20, 1<<32 - 1, 1 << 32, CounterMax, 1<<63 - 1, math.MaxUint64} {
		v := newView("me", "a")
		v.Enter(0)
		far := record("x", n, Here)
		v.HearHello(0, "x", Hello{far})
		v.Merge(0, []Member{{ID: "y", Incarnation: Incarnation{Join: 2, Rejoin: n}, Site: "a", State: Dead}, {ID: "me", Incarnation: Incarnation{Join: n, Rejoin: n}, State: Dead}})
		v.MergeBars(0, []Bar{{ID: "y", Counter: n, Barred: true}})
		v.Bar(time.Second, "y", false)
		if v.IsBarred("y") {
			t.Errorf("the bar with counter %d cannot be undone", n)
		}
		w := newView("young", "a")
		members, bars := v.Snapshot(time.Second)
		w.Adopt(time.Second, members, bars)
		w.Enter(time.Second)
		v.HearHello(time.Second, "young", Hello{w.Self()})
		if !v.Has("young", w.Self().Incarnation) || w.Self().Incarnation.Join > RaiseMax+2 {
			t.Errorf("after %d one joins with %d, and is not taken", n, w.Self().Incarnation.Join)
		}
		v.HearHello(time.Second, "y", Hello{Member{ID: "y", Incarnation: Incarnation{Join: 2 + w.Self().Incarnation.Join, Rejoin: 3}, Site: "a", State: Here}})
		if _, ok := v.Member("y"); !ok {
			t.Errorf("after %d, y cannot come back", n)
		}
		if v.Self().Incarnation.Rejoin > RaiseMax+1 {
			t.Errorf("this one took life %d", v.Self().Incarnation.Rejoin)
		}
	}
}

// TestNoBarLasts: what somebody tells one on its way in of who is barred, with whatever counter, is
// forgotten when a member's word comes, and everybody who acts by it is told. One may have gone on
// alone meanwhile, or have taken the lie for a member's word.
func TestNoBarLasts(t *testing.T) {
	for _, n := range []uint64{2 + RaiseMax, 1 << 61, CounterMax} {
		for _, how := range []string{"on its way in", "alone", "lied to"} {
			alone, out := how == "alone", map[PeerID]bool{}
			acts := func(effects []Effect) {
				for _, e := range effects {
					switch e := e.(type) {
					case Bar:
						out[e.ID] = e.Barred
					case Unbarred:
						delete(out, e.ID)
					}
				}
			}
			grid, v := newView("old", "a"), newView("me", "a")
			grid.Enter(0)
			grid.Bar(0, "kicked", true)
			members, bars := grid.Snapshot(0)
			if how == "lied to" {
				acts(v.Adopt(0, []Member{record("y", n, Here)}, []Bar{{ID: "x", Counter: 5, Barred: true}}))
			}
			acts(v.MergeBars(0, []Bar{{ID: "x", Counter: n, Barred: true}}))
			acts(v.HearHello(0, "y", Hello{record("y", n, Here)}))
			if alone {
				acts(v.Enter(0))
			}
			acts(v.Adopt(time.Second, members, bars))
			if !alone {
				v.Enter(time.Second)
			}
			grid.HearHello(time.Second, "me", Hello{v.Self()})
			if v.Digest() != grid.Digest() || v.IsBarred("x") || !v.IsBarred("kicked") {
				t.Errorf("a bar with counter %d, %s: it knows %v, the grid %v", n, how, v.Bars(), grid.Bars())
			}
			if len(out) != 1 || !out["kicked"] {
				t.Errorf("a bar with counter %d, %s: kept out are %v", n, how, out)
			}
			v.Bar(2*time.Second, "kicked", false)
			grid.MergeBars(2*time.Second, v.Bars())
			if grid.IsBarred("kicked") {
				t.Errorf("a bar with counter %d, %s: nobody believes what it says of bars", n, how)
			}
		}
	}
}

// TestAddrsOf: of what is said to be addresses those are taken that a ticket could hold.
func TestAddrsOf(t *testing.T) {
	longest := "/" + strings.Repeat("x", AddrBytesMax-1)
	good := []string{"/ip4/192.0.2.1/tcp/4001/p2p/x", longest}
	if got := AddrsOf(good); !slices.Equal(got, good) {
		t.Errorf("%q are left", got)
	}
	said := []string{"", "x", "/x y/p2p/x", good[0], "/\x7f", "/größe", longest, longest + "x", "/a\n"}
	before := slices.Clone(said)
	if got := AddrsOf(said); !slices.Equal(got, good) || !slices.Equal(said, before) {
		t.Errorf("%q are left of %q", got, said)
	}
}

// TestCeilingsMeet: who was away while somebody raised a counter with every message catches up with
// those who were there.
func TestCeilingsMeet(t *testing.T) {
	var there, away Ceiling
	there.Over(1)
	away.Over(1)
	top := uint64(1)
	for s := range time.Duration(600) {
		if n := top + RaiseMax; there.Admits(s*time.Second, n) {
			top = n
		}
	}
	if top < 500*RaiseMax {
		t.Fatalf("it was raised to %d only", top)
	}
	at := time.Duration(601)
	for ; !away.Admits(at*time.Second, top); at++ {
		if at > 1300 {
			t.Fatal("it never catches up")
		}
	}
}

// TestNamesArePrintable: what a person will read, or a file's line will hold, has no control
// characters.
func TestNamesArePrintable(t *testing.T) {
	v := newView("me", "a")
	v.Enter(0)
	for _, m := range []Member{{Name: "a\x1b[2J"}, {Name: "a\nb"}, {Site: "\x00"}, {Name: "\xff"}, {Addrs: []string{"/ip4/1\n"}}, {Addrs: []string{"/x y/p2p/x"}}, {Addrs: []string{"x"}}, {Heir: "a b"}} {
		m.ID, m.Incarnation, m.State = "x", Incarnation{Join: 2}, Here
		if v.HearHello(0, "x", Hello{m}); len(v.seats.sorted) != 0 {
			t.Fatalf("%+v is kept", m)
		}
	}
	if v.MergeBars(0, []Bar{{ID: "x 1 true\ny", Counter: 1, Barred: true}}); len(v.Bars()) != 0 {
		t.Error("a bar whose id is two lines is kept")
	}
}
