package addresses

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
)

// silence lets machines answer nothing.
func silence(membership.PeerID) bool { return false }

// longest is for how long nobody was dialled of those whose ids begin so.
func longest(times map[membership.PeerID][]time.Duration, of string, from, to time.Duration) (most time.Duration) {
	var all []time.Duration
	for id, x := range times {
		if len(id) > len(of) && string(id[:len(of)]) == of {
			all = append(all, x...)
		}
	}
	slices.Sort(all)
	for _, x := range append(all, to) {
		most = max(most, x-from)
		from = x
	}
	return most
}

// Machines that have died one by one, and answer nothing as those do that are cut off, keep nobody
// of their site waiting: not who was cut off with others, before, while or after they died, nor the
// last that was.
func TestTheSilentKeepNobodyWaiting(t *testing.T) {
	const hour = time.Hour
	for _, c := range []struct {
		dead  int
		every time.Duration // one has died
		last  time.Duration // so long ago
		cut   int
		ago   time.Duration
	}{
		{0, 0, 0, 1, hour},
		{30, time.Minute, 2 * hour, 1, hour},
		{200, time.Minute, 2 * hour, 1, hour},
		{200, 20 * time.Second, 5 * time.Minute, 1, 4 * time.Minute},
		{200, time.Minute, 2 * hour, 4, hour},
		{200, time.Minute, 5 * time.Minute, 4, hour + 30*time.Second},
		{200, 20 * time.Second, 0, 4, 2 * hour},
		{200, 20 * time.Second, 0, 32, 12 * hour},
	} {
		var known []Known
		for n := range c.dead {
			known = append(known, reached(membership.PeerID(fmt.Sprint("dead", n)), "s", 100+n, c.last+time.Duration(n)*c.every))
		}
		for n := range c.cut { // some seconds apart
			known = append(known, reached(membership.PeerID(fmt.Sprint("cut", n)), "s", 10+n, c.ago+time.Duration(n%8)*time.Second))
		}
		b := bookOf(known...)
		b.Up(0, "friend", false, []string{at(9, "friend")})
		play(t, b, 0, 20*time.Minute, silence)
		from, to := 20*time.Minute, 30*time.Minute
		times := play(t, b, from, to, silence)
		if most := longest(times, "cut", from, to); most > 5*time.Second {
			t.Errorf("%+v: nobody of them is dialled for %v", c, most)
		}
		total := 0
		for n := range c.dead {
			x := times[membership.PeerID(fmt.Sprint("dead", n))]
			if total += len(x); len(x) == 0 && c.dead < 100 {
				t.Errorf("%+v: number %d of the dead is not looked for any more", c, n)
			}
		}
		if most := int((to - from) / LookEvery); total > most {
			t.Errorf("%+v: %d dials of the dead, %d at the most", c, total, most)
		}
	}
}

// TestLostTogether: hosts that were lost within some seconds are one group, as are all that were
// lost alone, but for the last. Of many groups the last and the largest stand.
func TestLostTogether(t *testing.T) {
	for what, c := range map[string]struct {
		lost          []int // seconds ago
		groups, alone string
	}{
		"nobody":                 {nil, "[]", "[]"},
		"one":                    {[]int{5}, "[[5]]", "[]"},
		"one by one":             {[]int{5, 20, 40, 60}, "[[5]]", "[20 40 60]"},
		"a half, then one":       {[]int{5, 20, 25, 30, 60}, "[[5] [20 25 30]]", "[60]"},
		"within ten seconds":     {[]int{0, 10, 11, 21, 22}, "[[0 10] [11 21]]", "[22]"},
		"many groups":            {[]int{0, 20, 21, 40, 41, 42, 60, 61, 80, 81, 82, 83, 100, 101, 102}, "[[0] [40 41 42] [80 81 82 83] [100 101 102]]", "[20 21 60 61]"},
		"large ones come before": {[]int{0, 20, 21, 22, 40, 41, 42, 60, 61, 62, 80, 81}, "[[0] [20 21 22] [40 41 42] [60 61 62]]", "[80 81]"},
	} {
		var lost []*addressee
		for _, ago := range c.lost {
			lost = append(lost, &addressee{reached: -time.Duration(ago) * time.Second})
		}
		ages := func(all []*addressee) (ago []int) {
			for _, e := range all {
				ago = append(ago, int(-e.reached/time.Second))
			}
			return ago
		}
		groups := lostTogether(nil, lost)
		alone := groups[len(groups)-1]
		groups = groups[:len(groups)-1]
		var all [][]int
		for _, g := range groups {
			all = append(all, ages(g))
		}
		slices.SortFunc(all, slices.Compare)
		one := ages(alone)
		slices.Sort(one)
		if got := fmt.Sprint(all); got != c.groups || fmt.Sprint(one) != c.alone {
			t.Errorf("%s: %v are groups, and %v alone; it should be %s and %s", what, got, one, c.groups, c.alone)
		}
	}
}

// TestRoundOfTheLost: of hosts that were lost together, at one site or several, one that is alone
// dials each once within a round, and then again and again, whether they answer nothing or nobody
// is there. A round of many takes no longer than one of 64, and costs no more dials.
func TestRoundOfTheLost(t *testing.T) {
	for _, n := range []int{10, 33, LostMany, LostMany + 1, 128, EntriesMax} {
		for _, sites := range []int{1, 4} {
			var known []Known
			for k := range n {
				site := membership.Site(fmt.Sprint("s", k%sites))
				known = append(known, reached(membership.PeerID(fmt.Sprintf("d%03d", k)), site, 100+k, time.Duration(k%8)*time.Second))
			}
			const to = time.Minute
			times := play(t, bookOf(known...), 0, to, func(membership.PeerID) bool { return n%2 == 0 })
			round := time.Duration(min(n, LostMany))*LookEvery + 2*time.Second
			total := 0
			for id, x := range times {
				total += len(x)
				if gap := longest(map[membership.PeerID][]time.Duration{id: x}, "d", 0, to); gap > round {
					t.Fatalf("of %d at %d sites %s is dialled at %v, a round is %v", n, sites, id, x, round)
				}
			}
			if most := int(to/RoundMax+1)*max(n, LostMany) + LookBurst; total > most || len(times) != n {
				t.Errorf("of %d %d are dialled, %d times in all, %d at the most", n, len(times), total, most)
			}
		}
	}
}

// TestWhoIsSaidToBeThere: one that knows a client alone hears from it of many that have died, which
// the client does not know yet, and then of one that lives. That one is dialled soon, however many
// of the others are not yet, and so is each of these in the end.
func TestWhoIsSaidToBeThere(t *testing.T) {
	for _, dead := range []int{10, 31, LostMany, HeardMax - 1} {
		b := New(Config{Self: "me", Addrs: []string{at(1, "me")}, Sessions: true})
		b.Up(0, "client", true, nil)
		say := func(now time.Duration, id membership.PeerID) {
			b.Called(now, Known{ID: id, Site: "s", Addrs: []string{at(100+len(b.entries), id)}})
		}
		for n := range dead {
			say(0, membership.PeerID(fmt.Sprintf("a%02d", n)))
		}
		play(t, b, 0, time.Second, silence)
		for n := range dead {
			say(time.Second, membership.PeerID(fmt.Sprintf("a%02d", n)))
		}
		say(1100*time.Millisecond, "lives")
		times := play(t, b, 1100*time.Millisecond, time.Minute, silence)
		if x := times["lives"]; len(x) == 0 || x[0] > 1100*time.Millisecond+GroupEvery/2 {
			t.Errorf("with %d that are dead it is dialled at %v", dead, x)
		}
		if len(times) != dead+1 {
			t.Errorf("of %d that are dead %d are dialled", dead, len(times)-1)
		}
	}
}

// TestClientsKeepNobodyFromBeingFound: clients that have lost all members meet each other, as may a
// member that has lost all others. They look on for each host that they know, among them the one
// client that those who came after know.
func TestClientsKeepNobodyFromBeingFound(t *testing.T) {
	for _, isClient := range []bool{true, false} {
		known := []Known{reached("member", "s", 2, 0), reached("c2", "s", 3, 0), reached("c3", "s", 4, 0)}
		known[1].Client, known[2].Client = true, true
		b := New(Config{Self: "me", Client: isClient, Addrs: []string{at(1, "me")}, Known: known, Sessions: true})
		b.Up(0, "c2", true, []string{at(3, "c2")})
		times := play(t, b, 0, time.Minute, silence)
		for _, id := range []membership.PeerID{"member", "c3"} {
			if n := len(times[id]); n < 30 {
				t.Errorf("client %v: %s is dialled %d times in a minute", isClient, id, n)
			}
		}
		b.Up(time.Minute, "member", false, []string{at(2, "member")})
		b.Present("member", true)
		if times := play(t, b, time.Minute, 2*time.Minute, silence); len(times) > 0 {
			t.Errorf("client %v: with a member there, these are dialled: %v", isClient, times)
		}
		b.Down(2*time.Minute, "member")
		b.Up(2*time.Minute, "fresh", false, []string{at(5, "fresh")})
		b.Learn(2*time.Minute, Known{ID: "fresh", Client: true, Addrs: []string{at(5, "fresh")}}, true)
		if times := play(t, b, 2*time.Minute, 3*time.Minute, silence); len(times["c3"]) == 0 {
			t.Errorf("client %v: with one that turned out to be a client, c3 is not looked for", isClient)
		}
	}
}
