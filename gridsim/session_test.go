package gridsim

import (
	"slices"
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// apartFor is how long groups of a grid are cut off from each other: all sessions between them have
// ended, and each holds the others dead.
const apartFor = 25 * time.Second

// idle is a grid of one site without a run, played until everybody knows everybody.
func idle(t *testing.T, peers int) *World {
	t.Helper()
	o := quiet(&Tree{Seed: 1, Depth: 1, Width: 1, Leaf: time.Millisecond}, time.Millisecond, steal.CRS, peers)
	o.CheckAll = true
	w := newWorld(o)
	w.who.asker = w.populate()
	w.passes(t, 3*time.Second)
	w.isOne(t)
	return w
}

// passes lets time pass.
func (w *World) passes(t *testing.T, d time.Duration) {
	t.Helper()
	w.play(w.now+d, func() bool { return false })
	if w.err != nil {
		t.Fatal(w.err)
	}
}

// isOne demands that all are one grid in time.
func (w *World) isOne(t *testing.T) {
	t.Helper()
	began := w.now
	w.demandOne(w.now + time.Minute)
	if w.err != nil {
		t.Fatal(w.err)
	}
	t.Logf("one after %v, with %d members", w.now-began, len(w.who.members()))
}

// apart cuts the hosts into groups, until it is called off.
func (w *World) apart(group func(*host) int) (heal func()) {
	w.hidden = true // the living are held dead, as they should be
	var all []*cut
	for n := range 3 {
		c := &cut{kind: CutTwoWay, until: steal.Never, side: func(h *host) bool { return group(h) == n }}
		all = append(all, c)
		w.net.cuts = append(w.net.cuts, c)
		w.net.cutEnds(c)
	}
	return func() {
		w.net.cuts = slices.DeleteFunc(w.net.cuts, func(c *cut) bool { return slices.Contains(all, c) })
	}
}

// back starts a host again from its folder.
func (w *World) back(dead *host, at string) *host {
	return w.restartAt(dead, at)
}

// The founder leaves in order. Then two halves are cut off from each other for so long that nothing
// of the other is left but its addresses.
func TestHalvesHealWithoutTheFounder(t *testing.T) {
	w := idle(t, 7)
	w.end(w.who.asker, false) // clients stand between the halves of a cut
	w.who.hosts[0].leave(time.Second, "")
	w.passes(t, 5*time.Second)
	heal := w.apart(func(h *host) int { return h.no % 2 })
	w.passes(t, apartFor)
	if w.report.Silenced == 0 || w.who.whole() == "" {
		t.Fatalf("the halves were not apart: %d sessions ended in silence", w.report.Silenced)
	}
	heal()
	w.isOne(t)
}

// Many machines of a site have died one by one and answer nothing, as those do that are cut off
// then: halves find each other all the same, and so does one that was alone.
func TestHalvesHealAmongDeadMachines(t *testing.T) {
	w := idle(t, 4)
	w.end(w.who.asker, false)
	w.hidden = true
	for range 60 {
		w.join(w.who.hosts[0].site, 1)
		w.passes(t, 3*time.Second)
		w.kill(w.who.hosts[len(w.who.hosts)-1], true)
		w.passes(t, 10*time.Second)
	}
	first := w.who.members()[0]
	for _, half := range []func(h *host) bool{
		func(h *host) bool { return h.no%2 == 0 }, func(h *host) bool { return h == first }, func(h *host) bool { return h.no%2 == 0 },
	} {
		heal := w.apart(func(h *host) int {
			if half(h) {
				return 1
			}
			return 0
		})
		w.passes(t, 15*time.Minute)
		if w.who.whole() == "" {
			t.Error("they were not apart")
		}
		heal()
		w.isOne(t)
	}
}

// Three groups meet, two of them first.
func TestThreeGroupsMeet(t *testing.T) {
	for first := range 3 {
		w := idle(t, 6)
		w.end(w.who.asker, false)
		w.apart(func(h *host) int { return h.no % 3 })
		w.passes(t, apartFor)
		w.net.cuts = nil
		group := func(h *host) int { return min((h.no+first)%3, 1) }
		heal := w.apart(group)
		w.passes(t, wholeWithin)
		for _, x := range w.who.members() {
			for _, y := range w.who.members() {
				if _, ok := x.peer.Sight().Member(y.id); x != y && ok != (group(x) == group(y)) {
					t.Errorf("of groups %d and %d %s knows %s: %v", group(x), group(y), x.id, y.id, ok)
				}
			}
		}
		heal()
		w.isOne(t)
	}
}

// All leave in order, and any one of them starts first, some at another address: by the one that
// stays where it was they meet.
func TestAnyOneStartsFirst(t *testing.T) {
	for first := range 4 {
		w := idle(t, 4)
		w.end(w.who.asker, false)
		all := w.who.members()
		for _, h := range all {
			h.leave(time.Second, "")
			w.passes(t, 2*time.Second)
		}
		for n := range all {
			dead := all[(first+n)%len(all)]
			at := dead.place
			if n == 1 {
				at = place(100 + first)
			}
			w.back(dead, at)
			w.passes(t, 3*time.Second)
		}
		if w.report.WentOn == 0 {
			t.Error("the first did not go on alone")
		}
		w.isOne(t)
		if n := len(w.who.members()); n != len(all) {
			t.Errorf("%d of %d are there", n, len(all))
		}
	}
}

// All die with their machines, and come back at once beside two newcomers, some of them elsewhere.
// At the old addresses nothing answers, for longer than who is silent is taken for alive.
func TestAllComeBackElsewhere(t *testing.T) {
	t.Parallel()
	moved := 0
	for seed := range uint64(60) {
		o := quiet(&Tree{Seed: 1, Depth: 1, Width: 1, Leaf: time.Millisecond}, time.Millisecond, steal.CRS)
		o.Seed, o.CheckAll, o.Sites = seed, true, SitesOf(2, 2, 1, 1, 1)
		o.Near = Link{Delay: 283 * time.Microsecond, Jitter: 20 * time.Millisecond}
		o.Far = Link{Delay: 88 * time.Millisecond, Jitter: 300 * time.Millisecond}
		w := newWorld(o)
		w.who.asker = w.populate()
		w.passes(t, 3*time.Second)
		all := w.who.members()
		for _, h := range all {
			w.kill(h, true)
		}
		w.passes(t, time.Second/2)
		w.join("a", 1)
		w.join("b", 1)
		w.passes(t, 2650*time.Millisecond)
		for _, h := range all {
			w.restart(h)
			if w.who.byID[h.id].place != h.place {
				moved++
			}
		}
		w.passes(t, wholeWithin)
		w.isOne(t)
	}
	if moved == 0 {
		t.Error("nobody came back elsewhere")
	}
}

// Two restart, each where the other was.
func TestTwoSwapPlaces(t *testing.T) {
	w := idle(t, 2)
	w.end(w.who.asker, false)
	two := w.who.members()
	for _, h := range two {
		w.kill(h, false)
	}
	w.back(two[0], two[1].place)
	w.back(two[1], two[0].place)
	w.passes(t, 5*time.Second)
	w.isOne(t)
	if n := len(w.who.members()); n != 2 {
		t.Errorf("%d of 2 are there", n)
	}
}

// All peers die while a client lives. One of them comes back, or a new host with a ticket that has
// the client's address.
func TestClientOutlivesAllPeers(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		w := idle(t, 3)
		all := w.who.members()
		for _, h := range all {
			w.kill(h, false)
		}
		w.passes(t, 20*time.Second)
		came := all[2]
		if fresh {
			came = w.start("a", 1, false, w.who.asker)
		} else {
			came = w.back(came, came.place)
		}
		w.passes(t, wholeWithin)
		if _, ok := w.who.asker.peer.Sight().Member(came.id); !ok || !came.member() {
			t.Errorf("fresh %v: the client does not know the one that came", fresh)
		}
	}
}

// A host that nobody can dial is reached through another, and by those that it dials.
func TestBehindNAT(t *testing.T) {
	o := quiet(&Tree{Seed: 1, Depth: 1, Width: 1, Leaf: time.Millisecond}, time.Millisecond, steal.CRS, 7)
	o.CheckAll, o.Natted = true, 3
	w := newWorld(o)
	w.who.asker = w.populate()
	w.passes(t, wholeWithin)
	relayed := 0
	for _, s := range w.net.all(func(s *session) bool { return s.relay != nil }) {
		if relayed++; !s.ends[0].natted && !s.ends[1].natted {
			t.Error("two that can be dialled are relayed")
		}
	}
	if who := w.who.whole(); who != "" || relayed == 0 {
		t.Errorf("%d sessions are relayed; %s", relayed, who)
	}
}

// A host comes to be elsewhere, once behind a NAT, and another takes its address. Nobody takes the
// one for the other, and all are one grid again.
func TestAddressChanges(t *testing.T) {
	for _, behind := range []int{0, 1} {
		w := idle(t, 4)
		w.hidden = true
		h := w.who.members()[2]
		old := h.place
		w.fire(Fault{Kind: Moves, Host: 3, For: time.Second, N: behind})
		w.passes(t, 2*time.Second)
		if o := w.net.places[old]; h.place == old || o == nil || o == h {
			t.Fatalf("the old address was not taken")
		}
		w.isOne(t)
		if n := len(w.who.members()); n != 5 || h.natted != (behind > 0) {
			t.Errorf("%d of 5 are there", n)
		}
		if w.report.Broken == 0 || w.report.Fired[Moves] != 1 {
			t.Errorf("%d sessions ended", w.report.Broken)
		}
	}
}

// A ticket that leads nowhere founds nothing: the host ends.
func TestStrangerReachesNobody(t *testing.T) {
	w := idle(t, 2)
	dead := w.who.members()[0]
	for _, h := range w.who.hosts {
		w.kill(h, false)
	}
	w.start("a", 1, false, dead)
	w.passes(t, 2*wholeWithin)
	if w.report.Stranded != 1 || len(w.who.members()) != 0 {
		t.Errorf("%d are stranded, %d members", w.report.Stranded, len(w.who.members()))
	}
}

// What is said where there is neither a session nor a dial is a finding.
func TestSaidNowhere(t *testing.T) {
	w := idle(t, 2)
	two := w.who.members()
	w.who.hosts[0].do([]peer.Effect{peer.Send{To: "nobody", Message: peer.Message{Body: peer.Pull{}}}})
	if w.err == nil || len(two) != 2 {
		t.Error("it is not found")
	}
}

// TestTheBarredAreToldBySessions: whoever is barred hears so as its sessions end, though no message
// reaches it any more; it stays away, and so it does when it starts again where it was.
func TestTheBarredAreToldBySessions(t *testing.T) {
	w := idle(t, 4)
	w.hidden = true // what is barred is held dead, and lives for a moment
	all := w.who.members()
	out, by := all[1], all[2]
	w.net.spoil = func(m *peer.Message) bool { return m.To != out.peer.Sight().Self().Incarnation }
	out.barred = true
	by.do(by.peer.Bar(w.now, out.id, true))
	w.passes(t, 100*time.Millisecond)
	if out.up {
		t.Fatal("the one that is barred goes on")
	}
	w.net.spoil = nil
	w.passes(t, 3*time.Second)
	back := w.back(out, out.place)
	back.barred = true
	w.passes(t, 10*time.Second)
	if back.up && back.member() {
		t.Error("it is back in the grid")
	}
	w.kill(by, false)
	w.passes(t, 3*time.Second)
	by = w.back(by, by.place)
	w.passes(t, 5*time.Second)
	if !by.refuses[out.id] {
		t.Error("one that starts again has forgotten whom it barred")
	}
	w.isOne(t)
}
