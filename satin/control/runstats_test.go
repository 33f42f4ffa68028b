package control

import (
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
		a := newRunStats(stopped{})
		x.want.Peer, x.want.How = "x", "kill"
		m := member("x", membership.Killed)
		m.Name, m.Workers = "x", 2
		a.joined(m)
		a.lost(membership.Lost{Member: m}, m.How)
		for i, s := range x.shares {
			s.Peer, s.Life = "x", peer.LifeOf(m.Incarnation)
			a.take(membership.PeerID(rune('a'+i)), peer.Report{Stats: PeerStats{Busy: 100}, Losses: []peer.LossShare{s}})
			// a later report replaces the earlier
			a.take(membership.PeerID(rune('a'+i)), peer.Report{Stats: PeerStats{Busy: 100}, Losses: []peer.LossShare{s}})
		}
		if got := a.stats().Losses; len(got) != 1 || got[0] != x.want {
			t.Errorf("%+v: %+v, want %+v", x.shares, got, x.want)
		}
	}
}

// What is found is put down to the latest loss. What it saves beyond the cost of that one is taken
// off the ones before, then off those after.
func TestSavingsOfASiteAreSpread(t *testing.T) {
	a := newRunStats(stopped{})
	for _, x := range []struct {
		id           membership.PeerID
		spent, saved time.Duration
	}{{"x", 3 * time.Second, 0}, {"y", 9 * time.Second, 0}, {"z", time.Second, 6 * time.Second}, {"v", 0, 9 * time.Second}, {"w", 5 * time.Second, 0}} {
		m := member(string(x.id), membership.Killed)
		m.Name, m.Workers = string(x.id), 1
		a.joined(m)
		a.lost(membership.Lost{Member: m}, m.How)
		a.take("a", peer.Report{Stats: PeerStats{Busy: 100}, Losses: []peer.LossShare{{Peer: x.id, Life: peer.LifeOf(m.Incarnation), Spent: x.spent, Saved: x.saved, Longest: 10 * time.Second}}})
	}
	losses := a.stats().Losses
	for i, want := range []float64{0, 0, 0, 0, 3} {
		if losses[i].RedoneSeconds != want {
			t.Errorf("%+v, want %v", losses[i], want)
		}
	}
}

// When the root is lost, what everybody had done is lost with it, but for what is found.
func TestLossOfTheRootIsThatOfAll(t *testing.T) {
	a := newRunStats(stopped{})
	for _, id := range []membership.PeerID{"master", "y"} {
		a.joined(member(string(id), membership.Silent))
		a.take(id, peer.Report{Stats: PeerStats{Busy: 10}})
	}
	m := member("master", membership.Killed)
	a.lost(membership.Lost{Member: m}, m.How)
	a.take("y", peer.Report{Stats: PeerStats{Busy: 25}, Losses: []peer.LossShare{
		{Peer: "master", Life: peer.LifeOf(m.Incarnation), Root: true, Restarted: 1, Reused: 7, Saved: 16 * time.Second},
	}})
	if got := a.stats().Losses[0]; got.RedoneSeconds != 4 || got.SavedSeconds != 16 {
		t.Errorf("%+v, want 4 s of 20 redone", got)
	}
}

// Two masters that die one after the other lose what there was together, once; and no more was done
// again than was done and is not in the answer.
func TestNothingIsLostTwice(t *testing.T) {
	a := newRunStats(stopped{})
	lose := func(id membership.PeerID, at float64) {
		m := member(string(id), membership.Killed)
		m.Name, m.Workers = string(id), 1
		a.joined(m)
		a.take("y", peer.Report{Stats: PeerStats{Busy: at}})
		a.lost(membership.Lost{Member: m}, m.How)
		a.take("y", peer.Report{Stats: PeerStats{Busy: at}, Losses: []peer.LossShare{{Peer: id, Life: peer.LifeOf(m.Incarnation), Root: true, Restarted: 1}}})
	}
	redone := func() (each []float64) {
		for _, x := range a.stats().Losses {
			each = append(each, math.Round(10*x.RedoneSeconds)/10)
		}
		return each
	}
	lose("a", 20)
	lose("b", 23)
	if got := redone(); !slices.Equal(got, []float64{20, 3}) {
		t.Errorf("of 23 s that were lost %v were done again", got)
	}
	a.take("y", peer.Report{Stats: PeerStats{Busy: 63}})
	// 11.3 of the 63 are not in it: somebody else has saved the rest
	a.answered(51700 * time.Millisecond)
	if got := redone(); !slices.Equal(got, []float64{9.8, 1.5}) {
		t.Errorf("63 s were spent and 51.7 are in the answer, and %v were done again", got)
	}
}

// What only others have lost is told as they tell it, so that what was put back is whole.
func TestLossesOfOthers(t *testing.T) {
	a := newRunStats(stopped{})
	m := member("b/1", membership.Silent)
	x := peer.LossShare{Peer: "b/1", Life: peer.LifeOf(m.Incarnation), Name: "b/1", Site: "b", How: membership.Silent, Noticed: 2 * time.Second, Restarted: 3}
	a.joined(m)
	a.take("a/1", peer.Report{Losses: []peer.LossShare{x}, Stats: PeerStats{Again: 3}})
	x.Restarted, x.Noticed = 2, time.Second
	a.take("a/2", peer.Report{Losses: []peer.LossShare{x}, Stats: PeerStats{Again: 2}})
	want := Loss{Peer: "b/1", Site: "b", How: "silent", Noticed: time.Second, Elsewhere: true, Restarted: 5}
	if got := a.stats().Losses; len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	a.lost(membership.Lost{Member: m}, m.How)
	if got := a.stats().Losses; len(got) != 1 || got[0].Elsewhere || got[0].Restarted != 5 {
		t.Errorf("when this process has lost it, too: %+v", got)
	}
}

// One that was leaving has left when it said so, or said goodbye: killed before, it was killed.
func TestHowMembersAreLost(t *testing.T) {
	leaver := member("x", membership.Killed)
	leaver.Grace = 20_000
	stopped := member("x", membership.Silent)
	stopped.Grace = 20_000
	for _, x := range []struct {
		m              membership.Member
		parted, client bool
		want           string
	}{
		{member("x", membership.Killed), false, false, "kill"}, {member("x", membership.Killed), false, true, "kill"},
		{member("x", membership.Killed), true, false, "kill"}, {member("x", membership.Killed), true, true, "leave"},
		{leaver, true, false, "leave"}, {leaver, false, false, "kill"}, {leaver, false, true, "kill"}, {stopped, true, true, "silent"},
		{member("x", membership.Went), false, false, "leave"}, {member("x", membership.Silent), false, false, "silent"},
	} {
		if got := howOf(x.m, x.parted, x.client).String(); got != x.want {
			t.Errorf("%+v was lost by %s, want %s", x.m, got, x.want)
		}
	}
}

// A peer that only its reports tell of, and that tells nothing any more, is gone.
func TestSilentReportersAreGone(t *testing.T) {
	a := newRunStats(stopped{})
	a.take("x", peer.Report{Stats: PeerStats{Name: "x", State: membership.Here.String()}})
	if a.stats().Peers[0].State != "here" {
		t.Error("a peer that has just reported is not here")
	}
	a.reported["x"] -= 4 * peer.ReportEvery
	if a.stats().Peers[0].State != "dead" {
		t.Errorf("a peer that has told nothing for long: %+v", a.stats().Peers)
	}
}

// One that is master for less than the time between two reports is one, too; a report that comes
// late is no second time.
func TestShortMastershipsCount(t *testing.T) {
	a := newRunStats(stopped{})
	reports := func(name string, master bool) {
		a.take(membership.PeerID(name), peer.Report{Stats: PeerStats{Name: name}, Master: master})
	}
	reports("a", true)
	a.mastered("b", "b")
	a.mastered("c", "c")
	reports("c", true)
	reports("a", true)  // there are two, or it was on its way
	reports("b", false) // it has heard of c
	a.mastered("b", "b")
	if got := strings.Join(a.stats().Masters, " "); got != "a b c b" {
		t.Errorf("masters: %s", got)
	}
}

// stopped is a clock that stands.
type stopped struct{}

func (stopped) Now() time.Duration                    { return time.Hour }
func (stopped) Date() time.Time                       { return time.Unix(0, 0) }
func (stopped) AfterFunc(time.Duration, func()) Timer { return nil }
