package steal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
)

// lackOf is a run whose jobs a peer is likely to have.
func lackOf(n int, likely membership.PeerID) Lack {
	return Lack{Run: Instance{Run: KeyOf([]byte{byte(n), byte(n >> 8)})}, Likely: likely}
}

// busyThief is one of whose workers none is idle, among many peers.
func busyThief(peers int) *Thief {
	th := NewThief("a", CRS, rand.New(rand.NewPCG(1, 1)))
	for n := range peers {
		th.Joined(member(fmt.Sprint("p", n), "a"))
	}
	th.Open(0, true)
	return th
}

// request is the one that is among the effects, if there is one.
func request(effects []membership.Effect) (to membership.PeerID, ask Ask, some bool) {
	for _, e := range effects {
		if s, ok := e.(membership.Send); ok {
			return s.To, s.Body.(Ask), true
		}
	}
	return "", Ask{}, false
}

// requests has a thief ask for so long, in vain, and calls each with what it asks.
func (t *Thief) requests(from, until time.Duration, effects []membership.Effect, each func(now time.Duration, to membership.PeerID, ask Ask)) {
	for now := from; ; effects = t.Tick(now) {
		for to, ask, some := request(effects); some; to, ask, some = request(effects) {
			each(now, to, ask)
			if len(ask.Of) > LacksMax {
				panic("a request names too many runs")
			}
			effects = t.HearNothing(now, member(string(to), "a"), ask.Number)
		}
		if now = max(t.Deadline(), now); now >= until {
			return
		}
	}
}

// TestEachLackingRunIsNamed: there are many runs of which nobody has anything, and have been for
// long. Each is named within a second all the same, for any of them may unfold.
func TestEachLackingRunIsNamed(t *testing.T) {
	for _, n := range []int{1, LacksMax, LacksMax + 1, 3 * LacksMax, 64} {
		th := busyThief(20)
		var all []Lack
		for k := range n {
			all = append(all, lackOf(k, "p0"))
		}
		last, asked := map[Instance]time.Duration{}, 0
		for _, l := range all {
			last[l.Run] = 0
		}
		const lasts = time.Minute
		th.requests(0, lasts, th.Lacks(0, all), func(now time.Duration, _ membership.PeerID, ask Ask) {
			asked++
			for _, run := range ask.Of {
				last[run] = now
			}
			for run, at := range last {
				if now-at > time.Second {
					t.Fatalf("of %d runs %v has not been named between %v and %v", n, run.Run.Short(), at, now)
				}
			}
		})
		if most := (n + LacksMax - 1) / LacksMax * int(lasts/lackPauseOld) * 5 / 2; asked > most {
			t.Errorf("of %d runs nobody has anything, and in a minute the thief asks %d times", n, asked)
		}
	}
}

// TestAYoungRunIsAskedFor: one that begins to lack behind many others is asked for at once, of the
// peer that is likely to have jobs of it, whoever gave some last.
func TestAYoungRunIsAskedFor(t *testing.T) {
	for _, n := range []int{0, 1, 2, LacksMax - 1, LacksMax, 63} {
		th := busyThief(20)
		var all []Lack
		for k := range n {
			all = append(all, lackOf(k, "p0"))
		}
		th.requests(0, time.Minute, th.Lacks(0, all), func(time.Duration, membership.PeerID, Ask) {})
		th.lacks.giver = "p7"
		young, asked, began := lackOf(99, "p13"), 0, th.now
		if th.lacks.asked != "" {
			t.Fatal("a request is out")
		}
		all = append(all, young)
		found := false
		th.requests(began, began+time.Second, th.Lacks(began, all), func(_ time.Duration, to membership.PeerID, ask Ask) {
			asked++
			found = found || to == "p13" && slices.Contains(ask.Of, young.Run) && asked <= 2
		})
		if !found {
			t.Errorf("behind %d runs: the first requests do not ask the peer that is likely to have jobs", n)
		}
	}
}

// TestFlickeringRunHidesNone: a run of short jobs begins to lack again with each job that it gets.
// The others are named all the same.
func TestFlickeringRunHidesNone(t *testing.T) {
	th := busyThief(20)
	var others []Lack
	for k := range 3 * LacksMax {
		others = append(others, lackOf(k, "p0"))
	}
	flickers := lackOf(99, "p13")
	named := map[Instance]bool{}
	now := time.Duration(0)
	for range 40 {
		_, ask, some := request(th.Lacks(now, append(slices.Clone(others), flickers)))
		if !some {
			_, ask, _ = request(th.Tick(th.Deadline()))
		}
		for _, run := range ask.Of {
			named[run] = true
		}
		now = max(now, th.now) + ms
		th.Got(now, member(string(th.lacks.asked), "a"), ask.Number, 1)
		th.Lacks(now, others)
		now += gotPause
		if th.lacks.asked != "" {
			th.HearNothing(now, member(string(th.lacks.asked), "a"), th.number)
		}
	}
	if len(named) != len(others)+1 {
		t.Errorf("of %d runs %d are ever named", len(others)+1, len(named))
	}
}

// TestLacksEnd: a run that is over is asked for no more, young or not.
func TestLacksEnd(t *testing.T) {
	th := busyThief(1)
	one, two := lackOf(1, "p0"), lackOf(2, "elsewhere")
	th.Lacks(0, []Lack{one, two})
	th.Ended(two.Run)
	th.requests(0, time.Second, th.HearNothing(ms, member("p0", "a"), th.number), func(_ time.Duration, _ membership.PeerID, ask Ask) {
		if len(ask.Of) != 1 || ask.Of[0] != one.Run {
			t.Errorf("it asks for %v", ask.Of)
		}
	})
	th.Ended(one.Run)
	if got := asked(th.Tick(time.Hour)); got != "" || len(th.lacks.young) != 0 || th.Deadline() != Never {
		t.Errorf("nobody lacks anything, and it asks %q", got)
	}
}
