package statistics

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

func member(id string, how membership.How) membership.Member {
	return membership.Member{ID: membership.PeerID(id), How: how}
}

// What a loss has cost is the sum of what the survivors tell, within what the lost peer can have
// done.
func TestLossesAreExplained(t *testing.T) {
	for _, x := range []struct {
		shares []peer.LossShare
		want   Loss
	}{
		{nil, Loss{}},
		{[]peer.LossShare{{Restarted: 2, Spent: time.Second, Longest: 5 * time.Second}}, Loss{Restarted: 2, RedoneSeconds: 1}},
		{[]peer.LossShare{{Restarted: 1, Spent: 60 * time.Second, Longest: 5 * time.Second}}, Loss{Restarted: 1, RedoneSeconds: 10}},
		{
			[]peer.LossShare{
				{Restarted: 1, Reused: 3, Saved: 4 * time.Second, Spent: 20 * time.Second, Longest: 5 * time.Second},
				{Restarted: 2, Reused: 1, Saved: time.Second, Spent: 20 * time.Second, Longest: 3 * time.Second},
			},
			Loss{Restarted: 3, Reused: 4, RedoneSeconds: 5, SavedSeconds: 5},
		},
		{[]peer.LossShare{{Reused: 1, Saved: 9 * time.Second, Spent: time.Second, Longest: time.Second}}, Loss{Reused: 1, SavedSeconds: 9}},
	} {
		var a Tally
		x.want.Peer, x.want.How = "x", "kill"
		m := member("x", membership.Killed)
		m.Name, m.Workers = "x", 2
		a.Joined(m)
		a.Lost(membership.Lost{Member: m}, m.How)
		for i, s := range x.shares {
			s.Peer, s.Life = "x", peer.LifeOf(m.Incarnation)
			a.Told(0, membership.PeerID(rune('a'+i)), peer.Report{Stats: PeerStats{Busy: 100}, Losses: []peer.LossShare{s}})
			// a later report replaces the earlier
			a.Told(0, membership.PeerID(rune('a'+i)), peer.Report{Stats: PeerStats{Busy: 100}, Losses: []peer.LossShare{s}})
		}
		if got := a.Stats(0, 0).Losses; len(got) != 1 || got[0] != x.want {
			t.Errorf("%+v: %+v, want %+v", x.shares, got, x.want)
		}
	}
}

// What is found is put down to the latest loss. What it saves beyond the cost of that one is taken
// off the ones before, then off those after.
func TestSavingsOfASiteAreSpread(t *testing.T) {
	var a Tally
	for _, x := range []struct {
		id           membership.PeerID
		spent, saved time.Duration
	}{{"x", 3 * time.Second, 0}, {"y", 9 * time.Second, 0}, {"z", time.Second, 6 * time.Second}, {"v", 0, 9 * time.Second}, {"w", 5 * time.Second, 0}} {
		m := member(string(x.id), membership.Killed)
		m.Name, m.Workers = string(x.id), 1
		a.Joined(m)
		a.Lost(membership.Lost{Member: m}, m.How)
		a.Told(0, "a", peer.Report{Stats: PeerStats{Busy: 100}, Losses: []peer.LossShare{{Peer: x.id, Life: peer.LifeOf(m.Incarnation), Spent: x.spent, Saved: x.saved, Longest: 10 * time.Second}}})
	}
	losses := a.Stats(0, 0).Losses
	for i, want := range []float64{0, 0, 0, 0, 3} {
		if losses[i].RedoneSeconds != want {
			t.Errorf("%+v, want %v", losses[i], want)
		}
	}
}

// When the root is lost, what everybody had done is lost with it, but for what is found.
func TestLossOfTheRootIsThatOfAll(t *testing.T) {
	var a Tally
	for _, id := range []membership.PeerID{"master", "y"} {
		a.Joined(member(string(id), membership.Silent))
		a.Told(0, id, peer.Report{Stats: PeerStats{Busy: 10}})
	}
	m := member("master", membership.Killed)
	a.Lost(membership.Lost{Member: m}, m.How)
	a.Told(0, "y", peer.Report{Stats: PeerStats{Busy: 25}, Losses: []peer.LossShare{
		{Peer: "master", Life: peer.LifeOf(m.Incarnation), Root: true, Restarted: 1, Reused: 7, Saved: 16 * time.Second},
	}})
	if got := a.Stats(0, 0).Losses[0]; got.RedoneSeconds != 4 || got.SavedSeconds != 16 {
		t.Errorf("%+v, want 4 s of 20 redone", got)
	}
}

// Two masters that die one after the other lose what there was together, once; and no more was done
// again than was done and is not in the answer.
func TestNothingIsLostTwice(t *testing.T) {
	var a Tally
	lose := func(id membership.PeerID, at float64) {
		m := member(string(id), membership.Killed)
		m.Name, m.Workers = string(id), 1
		a.Joined(m)
		a.Told(0, "y", peer.Report{Stats: PeerStats{Busy: at}})
		a.Lost(membership.Lost{Member: m}, m.How)
		a.Told(0, "y", peer.Report{Stats: PeerStats{Busy: at}, Losses: []peer.LossShare{{Peer: id, Life: peer.LifeOf(m.Incarnation), Root: true, Restarted: 1}}})
	}
	redone := func() (each []float64) {
		for _, x := range a.Stats(0, 0).Losses {
			each = append(each, math.Round(10*x.RedoneSeconds)/10)
		}
		return each
	}
	lose("a", 20)
	lose("b", 23)
	if got := redone(); !slices.Equal(got, []float64{20, 3}) {
		t.Errorf("of 23 s that were lost %v were done again", got)
	}
	a.Told(0, "y", peer.Report{Stats: PeerStats{Busy: 63}})
	// 11.3 of the 63 are not in it: somebody else has saved the rest
	a.Answered(51700 * time.Millisecond)
	if got := redone(); !slices.Equal(got, []float64{9.8, 1.5}) {
		t.Errorf("63 s were spent and 51.7 are in the answer, and %v were done again", got)
	}
}

// What only others have lost is told as they tell it, so that what was put back is whole.
func TestLossesOfOthers(t *testing.T) {
	var a Tally
	m := member("b/1", membership.Silent)
	x := peer.LossShare{Peer: "b/1", Life: peer.LifeOf(m.Incarnation), Name: "b/1", Site: "b", How: membership.Silent, Noticed: 2 * time.Second, Restarted: 3}
	a.Joined(m)
	a.Told(0, "a/1", peer.Report{Losses: []peer.LossShare{x}, Stats: PeerStats{Again: 3}})
	x.Restarted, x.Noticed = 2, time.Second
	a.Told(0, "a/2", peer.Report{Losses: []peer.LossShare{x}, Stats: PeerStats{Again: 2}})
	want := Loss{Peer: "b/1", Site: "b", How: "silent", Noticed: time.Second, Elsewhere: true, Restarted: 5}
	if got := a.Stats(0, 0).Losses; len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	a.Lost(membership.Lost{Member: m}, m.How)
	if got := a.Stats(0, 0).Losses; len(got) != 1 || got[0].Elsewhere || got[0].Restarted != 5 {
		t.Errorf("when this process has lost it, too: %+v", got)
	}
}

// A peer that only its reports tell of, and that tells nothing any more, is gone.
func TestSilentReportersAreGone(t *testing.T) {
	var a Tally
	a.Told(0, "x", peer.Report{Stats: PeerStats{Name: "x", State: membership.Here.String()}})
	if p := a.Stats(3*peer.ReportEvery, 0).Peers[0]; p.State != "here" {
		t.Errorf("a peer that reported lately: %+v", p)
	}
	if p := a.Stats(3*peer.ReportEvery+1, 0).Peers[0]; p.State != "dead" {
		t.Errorf("a peer that has told nothing for long: %+v", p)
	}
}

// A life that is lost, comes back and is lost again is one loss, and what it has cost is told once.
func TestALifeIsLostOnce(t *testing.T) {
	var a Tally
	m, other := member("x", membership.Silent), member("y", membership.Killed)
	m.Name, other.Name = "x", "y"
	share := peer.LossShare{Peer: "x", Life: peer.LifeOf(m.Incarnation), Restarted: 3}
	a.Lost(membership.Lost{Member: m}, m.How)
	a.Told(0, "z", peer.Report{Losses: []peer.LossShare{share}})
	a.Lost(membership.Lost{Member: other}, other.How)
	a.Joined(m)
	a.Lost(membership.Lost{Member: m, Noticed: time.Second}, membership.Killed)
	want := []Loss{{Peer: "y", How: "kill"}, {Peer: "x", How: "kill", Noticed: time.Second, Restarted: 3}}
	if got := a.Stats(0, 0).Losses; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	m.Incarnation.Rejoin++
	a.Lost(membership.Lost{Member: m}, m.How)
	if got := a.Stats(0, 0).Losses; len(got) != 3 || got[2].Restarted != 0 {
		t.Errorf("with another life of it: %+v", got)
	}
}

// One that is master for less than the time between two reports is one, too; a report that comes
// late is no second time.
func TestShortMastershipsCount(t *testing.T) {
	var a Tally
	reports := func(name string, master bool) {
		a.Told(0, membership.PeerID(name), peer.Report{Stats: PeerStats{Name: name}, Master: master})
	}
	reports("a", true)
	a.Mastered("b", "b")
	a.Mastered("c", "c")
	reports("c", true)
	reports("a", true)  // there are two, or it was on its way
	reports("b", false) // it has heard of c
	a.Mastered("b", "b")
	if got := strings.Join(a.Stats(0, 0).Masters, " "); got != "a b c b" {
		t.Errorf("masters: %s", got)
	}
}

// TestMastersByTurns hears two masters by turns, as while the grid is cut, and then one that takes
// over again.
func TestMastersByTurns(t *testing.T) {
	var a Tally
	hear := func(name string, master bool) {
		a.Told(0, membership.PeerID(name), peer.Report{Master: master, Stats: PeerStats{Name: name}})
	}
	for range 3 {
		hear("a/1", true)
		hear("b/1", true)
	}
	hear("a/1", false)
	hear("b/1", true)
	hear("a/1", true)
	if got, want := a.Stats(0, 0).Masters, []string{"a/1", "b/1", "a/1"}; !slices.Equal(got, want) {
		t.Errorf("the masters are %v, wanted %v", got, want)
	}
}

// TestLossesAreBounded: of those that were seen the earliest go; of those that others tell of no
// more are taken.
func TestLossesAreBounded(t *testing.T) {
	var a Tally
	for n := range lossesMax + 2 {
		m := member(fmt.Sprint("seen", n), membership.Killed)
		m.Name = string(m.ID)
		a.Lost(membership.Lost{Member: m}, m.How)
		a.Told(0, "y", peer.Report{Losses: []peer.LossShare{{Peer: membership.PeerID(fmt.Sprint("told", n)), Restarted: 1}}})
	}
	got := a.Stats(0, 3*time.Second)
	if len(got.Losses) != 2*lossesMax || got.Losses[0].Peer != "seen2" || got.Seconds != 3 {
		t.Errorf("%d losses in %v s, the first of %s", len(got.Losses), got.Seconds, got.Losses[0].Peer)
	}
}
