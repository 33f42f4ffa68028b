package statistics

import (
	"fmt"
	"math"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// TestSumsStop: at the greatest number.
func TestSumsStop(t *testing.T) {
	const most = math.MaxInt64
	for _, x := range [][3]int64{{1, 2, 3}, {most - 1, 1, most}, {most, 1, most}, {most, most, most}, {0, most, most}} {
		if got := sum(x[0], x[1]); got != x[2] {
			t.Errorf("%d and %d are %d, want %d", x[0], x[1], got, x[2])
		}
	}
	for seconds, want := range map[float64]time.Duration{
		0: 0, 1.5: 1500 * time.Millisecond, 1 << 33: 1 << 33 * time.Second, 1 << 34: most, math.Inf(1): most,
	} {
		if got := ofSeconds(seconds); got != want {
			t.Errorf("%v seconds are %v, want %v", seconds, got, want)
		}
	}
}

// TestTheGreatestNumbersAddUp: many report the greatest numbers that one may, of many losses. What
// the submitter is told is still no less than nothing, and finite.
func TestTheGreatestNumbersAddUp(t *testing.T) {
	const losses, reporters = 8, 2048
	const each = min(math.MaxInt64/reporters, math.MaxInt)
	most := time.Duration(math.MaxInt64)
	busy := most.Seconds() * (1 - 1e-9)
	var a Tally
	var shares []peer.LossShare
	for n := range losses {
		m := member(fmt.Sprint("x", n), membership.Killed)
		m.Workers = math.MaxUint16
		a.Joined(m)
		a.Lost(membership.Lost{Member: m}, m.How)
		shares = append(shares, peer.LossShare{
			Peer: m.ID, Life: peer.LifeOf(m.Incarnation), Noticed: most, Restarted: each, Reused: each,
			Saved: most, Spent: most, Longest: most, Root: n%2 == 0,
		})
	}
	for n := range reporters {
		a.Told(0, membership.PeerID(fmt.Sprint("r", n)), peer.Report{
			Stats:  PeerStats{State: "left", Workers: math.MaxUint16, Busy: busy, Jobs: math.MaxInt64 / reporters, Aborted: int64(n % 2)},
			Losses: shares,
		})
	}
	for _, x := range shares { // who is lost has told, too
		a.Told(0, x.Peer, peer.Report{Stats: PeerStats{State: "dead", Workers: math.MaxUint16, Busy: busy}, Losses: shares})
	}
	for name, useful := range map[string]time.Duration{"no answer": 0, "an answer": time.Second, "the dearest": most} {
		a.Answered(useful)
		s := a.Stats(0, most)
		if len(s.Losses) != losses {
			t.Fatalf("%s: %d losses", name, len(s.Losses))
		}
		for n, x := range s.Losses {
			if min(x.Restarted, x.Reused) < each || !(x.SavedSeconds >= most.Seconds()/2) || !(x.RedoneSeconds >= 0) || math.IsInf(x.RedoneSeconds, 0) {
				t.Errorf("%s: loss %d is %+v", name, n, x)
			}
		}
		if a.executed() != most || a.untold() < 0 || a.most("x1", most) != most {
			t.Errorf("%s: executed %v, untold %v, most %v", name, a.executed(), a.untold(), a.most("x1", most))
		}
	}
}
