package membership

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// grid is views that hear each other over a network without delay, in steps of 10 ms. A peer in
// mute says nothing and hears nothing.
type grid struct {
	t     *testing.T
	now   time.Duration
	views map[PeerID]*View
	order []PeerID
	mute  map[PeerID]bool
	lost  map[string]time.Duration // "who lost whom" → when
	sent  int
	deaf  []PeerID                   // they are in mute, but their clocks go on
	tell  func(who PeerID, e Effect) // of each effect, if it is set
	stall map[PeerID]time.Duration   // a process gets no time until then: what arrives waits
	queue map[PeerID][]func()
}

func newGrid(t *testing.T, near, far int) *grid {
	g := &grid{t: t, views: map[PeerID]*View{}, mute: map[PeerID]bool{}, lost: map[string]time.Duration{}}
	var all []Member
	for n := range near + far {
		id, site := PeerID(fmt.Sprintf("p%02d", n)), Site("a")
		if n >= near {
			site = "b"
		}
		v := newView(string(id), site)
		v.Merge(0, all)
		v.Enter(0)
		all = append(all, v.Self())
		g.views[id], g.order = v, append(g.order, id)
	}
	for _, v := range g.views {
		v.Merge(0, all)
	}
	return g
}

func (g *grid) carry(from PeerID, effects []Effect) {
	for _, e := range effects {
		if g.tell != nil {
			g.tell(from, e)
		}
		switch e := e.(type) {
		case Send:
			g.sent++
			g.bring(from, e.To, e.Body)
		case Publish:
			for _, to := range g.order {
				if to != from {
					g.bring(from, to, e.Body)
				}
			}
		case Lost:
			g.lost[fmt.Sprintf("%s lost %s", from, e.Member.ID)] = g.now
		}
	}
}

func (g *grid) bring(from, to PeerID, b Body) {
	v := g.views[to]
	if v == nil || g.mute[from] || g.mute[to] {
		return
	}
	if g.now < g.stall[to] {
		g.queue[to] = append(g.queue[to], func() { g.bring(from, to, b) })
		return
	}
	switch b := b.(type) {
	case Hello:
		g.carry(to, v.HearHello(g.now, from, b))
		return
	case Who:
		g.carry(to, v.HearWho(from))
		return
	case Refused:
		g.carry(to, v.HearRefused(g.now, from, b))
		return
	case Gone:
		g.carry(to, v.Merge(g.now, []Member{b.Member}))
		return
	case Barred:
		g.carry(to, v.MergeBars(g.now, b.Bars))
		return
	}
	ok, effects := v.Heard(g.now, from, g.views[from].Self().Incarnation)
	g.carry(to, effects)
	if ok {
		g.carry(to, v.Received(g.now, from, b))
	}
}

func (g *grid) run(d time.Duration) {
	for end := g.now + d; g.now < end; g.now += 10 * time.Millisecond {
		for _, id := range g.order {
			if g.now < g.stall[id] || g.mute[id] && !slices.Contains(g.deaf, id) {
				continue
			}
			waiting := g.queue[id]
			delete(g.queue, id)
			for _, arrive := range waiting {
				arrive()
			}
			g.carry(id, g.views[id].Tick(g.now))
		}
	}
}

func TestSilentPeerIsDeadInTime(t *testing.T) {
	for _, sizes := range [][2]int{{2, 0}, {1, 1}, {5, 3}, {20, 20}} {
		g := newGrid(t, sizes[0], sizes[1])
		g.run(10 * time.Second)
		if len(g.lost) > 0 {
			t.Fatalf("%v peers without a fault: %v", sizes, g.lost)
		}
		victim := g.order[len(g.order)-1]
		g.mute[victim] = true
		g.run(5 * time.Second)
		limit := 2 * time.Second
		if sizes[1] == 1 {
			limit = 4 * time.Second // nobody in its site is left to notice
		}
		if len(g.lost) != len(g.order)-1 {
			t.Errorf("%v peers: %v", sizes, g.lost)
		}
		for who, at := range g.lost {
			if at-10*time.Second > limit {
				t.Errorf("%v peers: %s after %v", sizes, who, at-10*time.Second)
			}
		}
	}
}

// TestSleeperSuspectsNobody: one that was stopped for a while finds all others silent,
// and must blame itself.
func TestSleeperSuspectsNobody(t *testing.T) {
	g := newGrid(t, 3, 0)
	g.run(3 * time.Second)
	v := g.views["p00"]
	g.now += 30 * time.Second
	all := v.Tick(g.now)
	for n := range 5 {
		all = append(all, v.Tick(g.now+time.Duration(n)*100*time.Millisecond)...)
	}
	said := 0
	for _, e := range all {
		if _, ok := e.(Send); ok {
			said++
		}
		if l, ok := e.(Lost); ok {
			t.Errorf("it holds %s dead", l.Member.ID)
		}
	}
	if said == 0 {
		t.Error("it says nothing: it does not know that time has passed")
	}
}

// TestNoFalseDeathsWhenBusy: with all cores busy twice over processes get no time for up to 0.9 s,
// several at once, and what arrives waits; for ten minutes.
func TestNoFalseDeathsWhenBusy(t *testing.T) {
	g := newGrid(t, 4, 4)
	g.stall, g.queue = map[PeerID]time.Duration{}, map[PeerID][]func(){}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 10 * 60 * 10 {
		for _, id := range g.order {
			if g.now >= g.stall[id] && rng.IntN(12) == 0 {
				g.stall[id] = g.now + time.Duration(rng.IntN(900))*time.Millisecond
			}
		}
		g.run(100 * time.Millisecond)
	}
	if len(g.lost) > 0 {
		t.Errorf("false deaths: %v", g.lost)
	}
}

// TestIndirectProbe: a link between two is dead, a third reaches both; nobody dies.
func TestIndirectProbe(t *testing.T) {
	g := newGrid(t, 3, 0)
	a, b, c := g.views["p00"], g.views["p01"], g.views["p02"]
	asked := 0
	for n := range 100 {
		now := time.Duration(n) * 100 * time.Millisecond
		a.Heard(now, "p02", c.Self().Incarnation)
		for _, e := range a.Tick(now) {
			if s, ok := e.(Send); ok && s.To == "p02" {
				if _, ask := s.Body.(PingFor); ask {
					asked++
					c.Heard(now, "p00", a.Self().Incarnation)
					c.Received(now, "p00", s.Body)
					c.Heard(now, "p01", b.Self().Incarnation)
					for _, e := range c.Received(now, "p01", Pong{}) {
						a.Received(now, "p02", e.(Send).Body)
					}
				}
			}
		}
		if !a.Has("p01", b.Self().Incarnation) {
			t.Fatalf("dead at %v, though a third hears it", now)
		}
	}
	if asked == 0 {
		t.Error("the third was never asked: the link was not dead")
	}
}

func TestResetThenRefusedIsDead(t *testing.T) {
	v := newView("p", "a")
	v.Enter(0)
	v.Merge(0, []Member{record("x", 5, Here)})
	if got := v.ConnectRefused(0, "x"); got != nil {
		t.Errorf("a refusal without a reset: %v", got)
	}
	if d, ok := v.Disconnected(0, "x")[0].(Dial); !ok || d.ID != "x" {
		t.Error("a reset is followed by one dial")
	}
	if got := v.Disconnected(0, "x"); got != nil {
		t.Errorf("a second reset: %v", got)
	}
	effects := v.ConnectRefused(50*time.Millisecond, "x")
	if l, ok := effects[0].(Lost); !ok || l.Member.How != Killed || l.Noticed != 50*time.Millisecond {
		t.Errorf("effects %v", effects)
	}
}

func TestDetectorLearns(t *testing.T) {
	var d estimator
	if d.allows(true) != SilenceMin {
		t.Errorf("at first it allows %v", d.allows(true))
	}
	for range 50 {
		d.heard(200 * time.Millisecond)
		d.heard(time.Microsecond)
	}
	if d.allows(false) != SilenceMin {
		t.Errorf("regular heartbeats: it allows %v", d.allows(false))
	}
	for range 20 {
		d.heard(200 * time.Millisecond)
		d.heard(900 * time.Millisecond)
	}
	if near, far := d.allows(true), d.allows(false); near != SilenceMaxNear || far <= SilenceMaxNear || far > SilenceMaxFar {
		t.Errorf("gaps of 0.9 s: it allows %v near and %v far", near, far)
	}
}

func BenchmarkHeard(b *testing.B) {
	v := newView("p", "a")
	v.Enter(0)
	var all []Member
	for n := range 64 {
		all = append(all, record(fmt.Sprint("x", n), uint64(n+2), Here))
	}
	v.Merge(0, all)
	now := time.Duration(0)
	for b.Loop() {
		now += time.Millisecond
		v.Heard(now, "x7", all[7].Incarnation)
		v.Tick(now)
	}
}
