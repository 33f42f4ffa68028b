package peer

import (
	"math"
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
		c.began(time.Second, no, run, Crossed{LentFar: 5, Advertised: 1})
	}
	return c
}

// TestSubmittersAreToldUntilTheEnd: those who wait; and at last, when nobody does any more, those
// who did. Then nothing is left.
func TestSubmittersAreToldUntilTheEnd(t *testing.T) {
	c := begun(1)
	if o := c.tells(1, nil, false); o == nil || !slices.Equal(o.submitters, []membership.PeerID{"s"}) || o.over {
		t.Errorf("at first %+v", o)
	}
	c.tells(1, []membership.PeerID{"s", "u"}, false)
	c.ended(1, 0)
	if o := c.tells(1, nil, false); o == nil || !slices.Equal(o.submitters, []membership.PeerID{"s", "u"}) || !o.over {
		t.Errorf("at last %+v", o)
	}
	if c.tells(1, nil, false) != nil || c.tells(2, nil, false) != nil || len(c.all) > 0 {
		t.Errorf("left are %v", c.all)
	}
}

// TestLastOfAKeptRun: when it has its answer, who waited for that is told the last, though he may
// have it by now. Then nobody is told anything, until somebody else waits.
func TestLastOfAKeptRun(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(keptAsks(1))
	s.contributed.began(0, r.no, r.instance, Crossed{})
	did := func(event string, final bool, want ...membership.PeerID) {
		t.Helper()
		var to []membership.PeerID
		for _, e := range s.contributed.did(time.Second, r.no, Work{}) {
			m := e.(membership.Send)
			if to = append(to, m.To); m.Body.(Report).Final != final {
				t.Errorf("%s: last: %v", event, !final)
			}
		}
		if !slices.Equal(to, want) {
			t.Errorf("%s: told are %v, want %v", event, to, want)
		}
	}
	did("while it is computed", false, "u")
	r.over, r.submissions = true, nil
	did("when it has its answer", true, "u")
	did("later", true)
	r.submissions = []steal.Submission{{Submitter: "v", Nonce: 2}}
	did("when another waits", true, "v")
	r.over = false
	did("when it is computed again", false, "v")
}

// TestOneThatIsGoneIsToldNoMore: of that run, and the others are. Whoever told who waits keeps his
// list as it is.
func TestOneThatIsGoneIsToldNoMore(t *testing.T) {
	c, all := begun(2), []membership.PeerID{"s", "t", "u"}
	c.tells(1, all, false)
	c.tells(2, all, false)
	c.gone(tellsNoMore{run: 1, who: "t"})
	c.gone(tellsNoMore{run: 3, who: "u"})
	for no, want := range map[RunNo][]membership.PeerID{1: {"s", "u"}, 2: {"s", "t", "u"}} {
		if o := c.tells(no, nil, false); !slices.Equal(o.submitters, want) {
			t.Errorf("of run %d told are %v, want %v", no, o.submitters, want)
		}
	}
	if !slices.Equal(all, []membership.PeerID{"s", "t", "u"}) {
		t.Errorf("who waits is now %v", all)
	}
}

// TestRunsOfWhichNothingWasToldAreForgotten: so are those of which the last is not told, the oldest
// first, when they are many.
func TestRunsOfWhichNothingWasToldAreForgotten(t *testing.T) {
	c := begun(overMax + 3)
	c.ended(1, 0)
	if len(c.all) != overMax+2 || c.tells(1, nil, false) != nil {
		t.Error("a run is remembered of which nothing was told")
	}
	for no := RunNo(2); no <= overMax+3; no++ {
		c.tells(no, nil, false)
	}
	for no := RunNo(2); no <= overMax+3; no++ {
		c.ended(no, 0)
	}
	if len(c.all) != overMax || c.all[0].no != 4 {
		t.Errorf("%d are remembered, from run %d on", len(c.all), c.all[0].no)
	}
}

// TestReportCountsFromTheRunsBegin: what crossed the border before is of other runs. Of losses what
// cost something is told, each life's by itself, and what was noticed here since, which whoever had
// the loss from another does not know. One from before has cost something where the run was heard
// of when its master was gone.
func TestReportCountsFromTheRunsBegin(t *testing.T) {
	lives := [3]membership.Incarnation{{Join: 1}, {Join: 1, Rejoin: 1}, {Join: 1, Rejoin: 2}}
	lost := func(life int, at time.Duration, restarted int) LossReport {
		return LossReport{Number: LossNo(life + 1), Peer: "x", Incarnation: lives[life], How: membership.Killed, At: at, LossCost: LossCost{Restarted: restarted}}
	}
	noticed := lost(2, time.Second, 0)
	noticed.Peer, noticed.Noticed = "y", time.Second
	before := noticed
	before.Peer, before.At = "z", time.Second-1
	master := lost(2, time.Second-1, 4)
	master.Number, master.Peer = 3, "m"
	self := membership.Member{Name: "b/1", Site: "b", State: membership.Leaving, Workers: 2}
	w := Work{
		Jobs: 9, Aborted: 1, Busy: 2 * time.Second, BytesFar: 7,
		Redone: []Redone{{Loss: 2, Spent: time.Second, Longest: 3 * time.Second}, {Loss: 9, Spent: time.Hour}},
	}
	m := begun(1).tells(1, nil, false).report(self, Crossed{LentFar: 8, Advertised: 1}, []LossReport{
		before, master, lost(0, time.Second, 2), lost(1, time.Second, 0), lost(2, time.Second, 0), noticed,
	}, w)
	if want := (PeerStats{
		Name: "b/1", Site: "b", State: "leaving", Workers: 2, Jobs: 9, Aborted: 1, Busy: 2, BytesFar: 7, LentFar: 3, Again: 6,
	}); m.Stats != want || m.Final || !m.sound() {
		t.Errorf("%+v", m)
	}
	if want := []LossShare{
		{Peer: "m", Life: LifeOf(lives[2]), How: membership.Killed, Restarted: 4},
		{Peer: "x", Life: LifeOf(lives[0]), How: membership.Killed, Restarted: 2},
		{Peer: "x", Life: LifeOf(lives[1]), How: membership.Killed, Spent: time.Second, Longest: 3 * time.Second},
		{Peer: "y", Life: LifeOf(lives[2]), How: membership.Killed, Noticed: time.Second},
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
	m := begun(1).tells(1, nil, false).report(membership.Member{}, Crossed{LentFar: 5, Advertised: 1}, lost, Work{})
	if len(m.Losses) != lossSharesMax || m.Losses[0].Restarted != 4 || !m.sound() {
		t.Errorf("%d losses from %+v on", len(m.Losses), m.Losses[0])
	}
}

// TestWhatWasDoneIsTold: to each that waits for the run, itself included; by its master with how
// far it is, and with what the peer's border has seen since the run began.
func TestWhatWasDoneIsTold(t *testing.T) {
	s := newOfRuns(t, "a1")
	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")))
	s.reports.submitted(own.id.Nonce, own.begins())
	r := s.own(Submit{Submission: own.id, Run: steal.Key{3}, Task: "t", Root: []byte("mine"), Terms: Terms{}.settled()})
	s.reports.accepted(own.id.Nonce, r.instance)
	s.records.joins(0, r, asks("u", 1, "mine"))
	s.stealing.lentFar += 2
	effects := s.contributed.did(time.Second, r.no, Work{Jobs: 7, Root: true, Progress: 0.5})
	if len(effects) != 3 {
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

// TestTimeThatNoAnswerTookIsTold: what was executed once more to verify it, and what was on a disk
// before; of each run by itself, also when it has ended, and never less than nothing.
func TestTimeThatNoAnswerTookIsTold(t *testing.T) {
	s := newOfRuns(t, "a1")
	r, other := s.own(asks("u", 1, "root")), s.own(asks("u", 2, "other"))
	tells := func(event string, r *run, verified, resumed time.Duration) {
		t.Helper()
		m := s.contributed.did(time.Second, r.no, Work{})[0].(membership.Send).Body.(Report)
		if m.Verified != verified || m.Resumed != resumed || !m.sound() {
			t.Errorf("%s: verified %v, resumed %v", event, m.Verified, m.Resumed)
		}
	}
	s.contributed.verified(verifies{r.instance, 1500})
	s.contributed.verified(verifies{r.instance, 500})
	s.contributed.verified(verifies{steal.Instance{}, 100})
	tells("before the disk is read", r, 2*time.Second, 0)
	r.disk.add(storedKey{key: steal.Key{1}, cost: 1000, found: true})
	used := func(key byte, ms uint32, fetched, stored bool) {
		s.salvage.found(reuses{Use{Run: r.no, Key: steal.Key{key}, Result: steal.Result{Cost: ms}}, fetched, stored})
	}
	used(1, 1000, false, false)
	used(4, 100, true, false)
	tells("one result is used", r, 2*time.Second, time.Second)
	tells("of the other run", other, 0, 0)
	used(3, 5000, true, true)
	s.endings.end(0, r)
	tells("it has ended", r, 2*time.Second, 6*time.Second)
	for _, m := range []Report{{Verified: -1}, {Resumed: -1}} {
		if m.sound() {
			t.Errorf("%+v may be added up", m)
		}
	}
	if added(math.MaxInt64-1, 2) != math.MaxInt64 || added(1, 2) != 3 {
		t.Error("the times add up to less than one")
	}
}

// TestHowFarIsToldByTheMaster: who has executed the root and is not the master any more tells no
// progress; nor does the master that has not begun it, nor one whose run has ended.
func TestHowFarIsToldByTheMaster(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("u", 1, "root"))
	tells := func(event string, w Work, master bool, progress float64) {
		t.Helper()
		m := s.contributed.did(time.Second, r.no, w)[0].(membership.Send).Body.(Report)
		if m.Master != master || m.Progress != progress {
			t.Errorf("%s: master: %v, at %v", event, m.Master, m.Progress)
		}
	}
	tells("it has not begun", Work{Progress: 0.5}, false, 0)
	tells("it has", Work{Root: true, Progress: 0.5}, true, 0.5)
	r.master = "a1"
	tells("another is", Work{Root: true, Progress: 0.6}, false, 0)
	r.master = "me"
	tells("it is again, and has begun anew", Work{Root: true}, true, 0)
	s.endings.end(0, r)
	tells("the run has ended", Work{Root: true, Progress: 0.7}, false, 0)
	does(t, "nothing is told of one that is not known", s.contributed.did(time.Second, r.no, Work{}))
}

// TestAllAreToldHowFar: by the master of a run, whether anybody waits for it or not, and not by who
// was that.
func TestAllAreToldHowFar(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("me", 1, "root"))
	r.submissions = nil
	did := func(event string, at time.Duration, done float64, want ...string) {
		t.Helper()
		does(t, event, s.contributed.did(at, r.no, Work{Root: true, Progress: done}), want...)
	}
	did("it has begun", time.Second, 0)
	did("a part is done", time.Second, 0.1, `all: Record epoch 1 master me submissions 0 root "root"`)
	did("more, but it was told just now", time.Second, 0.5)
	r.master = "a1"
	did("another is master", time.Minute, 0.5)
}
