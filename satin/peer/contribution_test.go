package peer

import (
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// begun is what is known of runs 1 to n, which s has submitted.
func begun(n RunNo) *contributions {
	c := &contributions{}
	for no := RunNo(1); no <= n; no++ {
		run := steal.Instance{Run: steal.Key{byte(no)}, First: steal.Submission{Submitter: "s"}}
		c.began(time.Second, no, run, Stats{LentFar: 5, Advertised: 1})
	}
	return c
}

// TestSubmittersAreToldUntilTheEnd: those who wait; and at last, when nobody does any more, those
// who did. Then nothing is left.
func TestSubmittersAreToldUntilTheEnd(t *testing.T) {
	c := begun(1)
	if o := c.tells(1, nil); o == nil || !slices.Equal(o.submitters, []membership.PeerID{"s"}) || o.over {
		t.Errorf("at first %+v", o)
	}
	c.tells(1, []membership.PeerID{"s", "u"})
	c.ended(1)
	if o := c.tells(1, nil); o == nil || !slices.Equal(o.submitters, []membership.PeerID{"s", "u"}) || !o.over {
		t.Errorf("at last %+v", o)
	}
	if c.tells(1, nil) != nil || c.tells(2, nil) != nil || len(c.all) > 0 {
		t.Errorf("left are %v", c.all)
	}
}

// TestRunsOfWhichNothingWasToldAreForgotten: so are those of which the last is not told, the oldest
// first, when they are many.
func TestRunsOfWhichNothingWasToldAreForgotten(t *testing.T) {
	c := begun(overMax + 3)
	c.ended(1)
	if len(c.all) != overMax+2 || c.tells(1, nil) != nil {
		t.Error("a run is remembered of which nothing was told")
	}
	for no := RunNo(2); no <= overMax+3; no++ {
		c.tells(no, nil)
	}
	for no := RunNo(2); no <= overMax+3; no++ {
		c.ended(no)
	}
	if len(c.all) != overMax || c.all[0].no != 4 {
		t.Errorf("%d are remembered, from run %d on", len(c.all), c.all[0].no)
	}
}

// TestReportCountsFromTheRunsBegin: what crossed the border before is of other runs, and so are
// losses. Of those since, only what cost something is told, each life's by itself.
func TestReportCountsFromTheRunsBegin(t *testing.T) {
	lives := [3]membership.Incarnation{{Join: 1}, {Join: 1, Rejoin: 1}, {Join: 1, Rejoin: 2}}
	lost := func(life int, at time.Duration, restarted int) LossReport {
		return LossReport{Peer: "x", Incarnation: lives[life], How: membership.Killed, At: at, LossCost: LossCost{Restarted: restarted}}
	}
	self := membership.Member{Name: "b/1", Site: "b", State: membership.Leaving, Workers: 2}
	w := Work{
		Jobs: 9, Aborted: 1, Busy: 2 * time.Second, BytesFar: 7,
		Redone: []Redone{{Peer: "x", Incarnation: lives[1], Spent: time.Second, Longest: 3 * time.Second}, {Peer: "y", Root: true}},
	}
	m := begun(1).tells(1, nil).report(self, Stats{LentFar: 8, Advertised: 1}, []LossReport{
		lost(0, time.Second-1, 4), lost(0, time.Second, 2), lost(1, time.Second, 0), lost(2, time.Second, 0),
	}, w)
	if want := (PeerStats{
		Name: "b/1", Site: "b", State: "leaving", Workers: 2, Jobs: 9, Aborted: 1, Busy: 2, BytesFar: 7, LentFar: 3, Again: 2,
	}); m.Stats != want || m.Final || !m.sound() {
		t.Errorf("%+v", m)
	}
	if want := []LossShare{
		{Peer: "x", Life: LifeOf(lives[0]), How: membership.Killed, Restarted: 2},
		{Peer: "x", Life: LifeOf(lives[1]), How: membership.Killed, Spent: time.Second, Longest: 3 * time.Second},
	}; !slices.Equal(m.Losses, want) {
		t.Errorf("the losses are %+v", m.Losses)
	}
}

// TestReportTellsOfTheLatestLosses: it has a bound.
func TestReportTellsOfTheLatestLosses(t *testing.T) {
	var lost []LossReport
	for n := range lossSharesMax + 3 {
		lost = append(lost, LossReport{Peer: "x", At: time.Minute, LossCost: LossCost{Restarted: n + 1}})
	}
	m := begun(1).tells(1, nil).report(membership.Member{}, Stats{LentFar: 5, Advertised: 1}, lost, Work{})
	if len(m.Losses) != lossSharesMax || m.Losses[0].Restarted != 4 || !m.sound() {
		t.Errorf("%d losses from %+v on", len(m.Losses), m.Losses[0])
	}
}

// TestWhatWasDoneIsTold: to each that waits for the run, itself included; by its master with how
// far it is, and with what the peer's border has seen since the run began.
func TestWhatWasDoneIsTold(t *testing.T) {
	s := newOfRuns(t, "a1")
	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")))
	s.reports.submitted(own.id.Nonce, steal.Key{3})
	r := s.own(Submit{Submission: own.id, Run: steal.Key{3}, Task: "t", Root: []byte("mine"), Terms: Terms{}.settled()})
	s.reports.hearAccepted(own.id.Nonce, r.instance)
	s.records.joins(0, r, asks("u", 1, "mine"))
	s.stealing.lentFar += 2
	effects := s.contributed.did(time.Second, r.no, Work{Jobs: 7, Root: true, Progress: 0.5})
	if len(effects) != 2 {
		t.Fatalf("it does %q", told(effects))
	}
	var here, sent Report
	for _, e := range effects {
		switch e := e.(type) {
		case Reported:
			here = e.Report
		case membership.Send:
			if sent = e.Body.(Report); e.To != "u" || !e.Incarnation.IsZero() {
				t.Errorf("told is %s in the life %v", e.To, e.Incarnation)
			}
		}
	}
	if here.Stats != sent.Stats || here.Stats.Jobs != 7 || here.Stats.LentFar != 2 || here.Stats.Workers != 2 {
		t.Errorf("here it says %+v, there %+v", here.Stats, sent.Stats)
	}
	if !sent.Master || sent.Progress != 0.5 || sent.Final || sent.Run != r.instance {
		t.Errorf("of the run it says %+v", sent)
	}
	r.master = "a1"
	if e := s.contributed.did(time.Second, r.no, Work{Root: true, Progress: 0.5}); e[1].(membership.Send).Body.(Report).Master {
		t.Error("it says that it is the master, and another is")
	}
	s.endings.end(0, r)
	if e := s.contributed.did(time.Second, r.no, Work{}); !e[1].(membership.Send).Body.(Report).Final {
		t.Error("the run has ended, and it is not the last")
	}
	does(t, "once more", s.contributed.did(time.Second, r.no, Work{}))
}
