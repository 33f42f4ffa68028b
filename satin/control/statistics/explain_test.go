package statistics

import (
	"math"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// TestRedoneIsNotWhatElseWasDone: a survivor tells of one second that a loss has cost, and of what
// else its workers did.
func TestRedoneIsNotWhatElseWasDone(t *testing.T) {
	for _, x := range []struct {
		what   string
		report peer.Report // of the survivor
		useful time.Duration
		want   float64
	}{
		{"nothing else", peer.Report{Stats: PeerStats{Busy: 100}}, 99 * time.Second, 1},
		{"more was done again than is told", peer.Report{Stats: PeerStats{Busy: 100}}, 96 * time.Second, 4},
		{"less", peer.Report{Stats: PeerStats{Busy: 100}}, 99500 * time.Millisecond, 0.5},
		{"as much again is verified", peer.Report{Stats: PeerStats{Busy: 190}, Verified: 90 * time.Second}, 99 * time.Second, 1},
		{"half was on a disk", peer.Report{Stats: PeerStats{Busy: 100}, Resumed: 60 * time.Second}, 150 * time.Second, 1},
		{"all was", peer.Report{Stats: PeerStats{Busy: 1}, Resumed: time.Hour}, time.Hour, 1},
		{"it was on before", peer.Report{Stats: PeerStats{Busy: 100}}, 150 * time.Second, 1},
		{"it took more than an answer can say", peer.Report{Stats: PeerStats{Busy: 1e7}}, usefulMax, 1},
	} {
		var a Tally
		if x.what == "it was on before" {
			a.IsLate()
		}
		m := member("x", membership.Killed)
		m.Workers = 1
		a.Joined(m)
		a.Lost(membership.Lost{Member: m}, m.How)
		x.report.Stats.State = membership.Here.String()
		x.report.Losses = []peer.LossShare{{
			Peer: "x", Life: peer.LifeOf(m.Incarnation), Restarted: 1, Spent: time.Second, Longest: time.Minute,
		}}
		a.Told(0, "y", x.report)
		a.Answered(x.useful)
		if got := a.Stats(0, 0).Losses[0].RedoneSeconds; math.Abs(got-x.want) > 1e-6 {
			t.Errorf("%s: %v s were redone, want %v", x.what, got, x.want)
		}
	}
}

// TestFormerLivesHaveExecuted: what a peer told before it came back counts from nothing is not
// forgotten: it is in the answer.
func TestFormerLivesHaveExecuted(t *testing.T) {
	a := new(Tally)
	for _, busy := range []float64{20, 50, 0, 30, 10} {
		a.Told(0, "x", peer.Report{Stats: PeerStats{Busy: busy, State: "here"}, Verified: ofSeconds(busy / 10)})
	}
	if got := a.executed(); got != 45*time.Second+27*time.Second+9*time.Second {
		t.Errorf("three lives of 50, 30 and 10 s, of which a tenth each was to verify, have executed %v", got)
	}
}

// TestNoticedByOthers: of a loss that this process has been told of only, whoever noticed says how
// long that took; and so it is where this process has the loss from another, and could not tell,
// though it cost who noticed nothing. What cost nobody anything, and was not seen here, is no loss
// of the run's: others may have been apart.
func TestNoticedByOthers(t *testing.T) {
	share := func(noticed time.Duration) peer.LossShare {
		return peer.LossShare{Peer: "x", Name: "x", How: membership.Silent, Noticed: noticed, Restarted: 1}
	}
	for _, x := range []struct {
		what       string
		seen       bool
		own        time.Duration
		told, want time.Duration
	}{
		{"seen, and noticed here", true, time.Second, 3 * time.Second, time.Second},
		{"seen, and noticed elsewhere", true, 0, 3 * time.Second, 3 * time.Second},
		{"seen, and noticed nowhere", true, 0, 0, 0},
		{"not seen", false, 0, 3 * time.Second, 3 * time.Second},
	} {
		a, m := new(Tally), member("x", membership.Silent)
		one := share(x.told)
		if x.seen {
			one.Restarted = 0
		}
		one.Life = peer.LifeOf(m.Incarnation)
		if x.seen {
			a.Lost(membership.Lost{Member: m, Noticed: x.own}, m.How)
		}
		a.Told(0, "y", peer.Report{Losses: []peer.LossShare{one}})
		if got := a.Stats(0, 0).Losses; len(got) != 1 || got[0].Noticed != x.want || got[0].Elsewhere == x.seen {
			t.Errorf("%s: %+v, want %v", x.what, got, x.want)
		}
	}
	apart := share(time.Second)
	apart.Restarted = 0
	a := new(Tally)
	a.Told(0, "y", peer.Report{Losses: []peer.LossShare{apart}})
	if got := a.Stats(0, 0).Losses; len(got) != 0 {
		t.Errorf("not seen, and cost nothing: %+v", got)
	}
}
