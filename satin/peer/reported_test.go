package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestWhoMayReport: members only, or whoever has the secret could put peers into the statistics,
// and masters. A peer whose greeting was lost is asked who it is, and heard then; a client that
// submits does so, too.
func TestWhoMayReport(t *testing.T) {
	newcomer := membership.Member{ID: "x", Site: "b", Workers: 1, State: membership.Here, Incarnation: membership.Incarnation{Join: 9, Random: 9}}
	for name, c := range map[string]struct {
		from         membership.Incarnation
		heard, asked bool
	}{
		"a member":     {in("b1").incarnation, true, false},
		"a peer":       {newcomer.Incarnation, false, true},
		"nobody":       {membership.Incarnation{}, false, false},
		"a client":     {asClient, false, false},
		"another life": {membership.Incarnation{Join: 2, Rejoin: 7}, true, false},
	} {
		for _, isClient := range []bool{false, true} {
			p, run := whoAsked(t, isClient)
			from := membership.PeerID("x")
			if name == "a member" || name == "another life" {
				from = "b1"
			}
			says := func() (Reported, bool, []membership.PeerID) {
				effects := p.Received(time.Second, from, Message{From: c.from, Body: reportOf(func(m *Report) { m.Run = run })})
				e, heard := find[Reported](effects)
				to, _ := sent[membership.Who](effects)
				return e, heard, to
			}
			if e, heard, asked := says(); heard != c.heard || heard && (e.From != from || e.Report.Stats.Jobs != 3) || !heard && (len(asked) == 1) != c.asked {
				t.Errorf("%s, to a client %v: heard %v, %+v, asked %v", name, isClient, heard, e, asked)
			}
			if name == "a peer" {
				greet(p, time.Second, newcomer)
				if _, heard, _ := says(); !heard {
					t.Errorf("it has greeted, and is not heard; to a client %v", isClient)
				}
			}
		}
	}
}

// whoAsked is a member, or client, that knows b1 and has submitted a run.
func whoAsked(t *testing.T, isClient bool) (*Peer, steal.Instance) {
	t.Helper()
	p := outside(isClient)
	if !isClient {
		p.Found(0)
	}
	b1 := membership.Member{ID: "b1", Site: "b", Name: "b/1", Workers: 1, State: membership.Here, Incarnation: in("b1").incarnation}
	if isClient {
		p.Received(0, "b1", Message{From: b1.Incarnation, Body: Snapshot{Members: []membership.Member{b1}, About: aboutAll}})
	}
	greet(p, 0, b1)
	root := RootOf(steal.Key{1}, "t", []byte("root"))
	nonce, _, err := p.Submit(0, root)
	if err != nil {
		t.Fatal(err)
	}
	return p, steal.Instance{Run: steal.Key{1}, First: steal.Submission{Submitter: "me", Nonce: nonce}}
}

// TestDidIsToldToSubmitters: to this peer itself, at once, and to others; the master says that it
// is one. The last is said when the run has ended, and the answer waits for that of others.
func TestDidIsToldToSubmitters(t *testing.T) {
	s := newStage(t, "b1")
	s.from(0, "b1", Submit{
		Submission: steal.Submission{Submitter: "b1", Nonce: 5}, Run: s.run.Run, Task: "t",
		RootDigest: steal.KeyOf([]byte("root")), Root: []byte("root"),
	})
	w := Work{Jobs: 4, Root: true, Progress: 0.25}
	effects := s.p.Did(0, 1, w)
	to, all := sent[Report](effects)
	own, ok := find[Reported](effects)
	if len(to) != 1 || to[0] != "b1" || all[0].Stats.Jobs != 4 || !all[0].Master || all[0].Progress != 0.25 || all[0].Final {
		t.Errorf("%v hear %+v", to, all)
	}
	if !ok || own.From != "me" || own.Report.Stats.Jobs != 4 {
		t.Errorf("it tells itself %v, %+v", ok, own)
	}
	s.from(0, "b1", reportOf(func(m *Report) { m.Run = s.run }))
	s.from(0, "b1", Ended{[]Tombstone{{Submission: steal.Submission{Submitter: "b1", Nonce: 5}}}})

	effects = s.p.Finished(time.Second, 1, steal.Result{Bytes: []byte("value")})
	deliver, answered := find[Deliver](effects)
	_, over := find[EndRun](effects)
	if _, whole := find[AllReported](effects); !answered || !over || whole {
		t.Fatalf("%+v", effects)
	}
	effects = s.p.Did(time.Second, 1, w)
	if own, ok = find[Reported](effects); !ok || !own.Report.Final || own.Report.Master {
		t.Errorf("the last is %v, %+v", ok, own)
	}
	if _, whole := find[AllReported](effects); whole {
		t.Error("it does not wait for b1")
	}
	effects = s.from(time.Second, "b1", reportOf(func(m *Report) { m.Run, m.Final = s.run, true }))
	if e, whole := find[AllReported](effects); !whole || e.Nonce != deliver.Nonce {
		t.Errorf("all have told their last: %v", effects)
	}
	if again := s.p.Did(time.Second, 1, w); len(again) > 0 || len(s.p.contributed.all) > 0 {
		t.Errorf("after the last %v, left are %v", again, s.p.contributed.all)
	}
}

// TestLateReportsAreNotWaitedFor: the machine's own deadline ends the wait.
func TestLateReportsAreNotWaitedFor(t *testing.T) {
	s := newStage(t, "b1")
	s.from(0, "b1", reportOf(func(m *Report) { m.Run = s.run }))
	s.p.Finished(0, 1, steal.Result{Bytes: []byte("value")})
	if at := s.p.Deadline(); at > reportPatience {
		t.Errorf("its deadline is %v", at)
	}
	if _, whole := find[AllReported](s.p.Tick(reportPatience - 1)); whole {
		t.Error("it does not wait")
	}
	if _, whole := find[AllReported](s.p.Tick(reportPatience)); !whole {
		t.Error("it waits for ever")
	}
}

// TestClientsAndTheGoneReportNothing: a client has no part in a run.
func TestClientsAndTheGoneReportNothing(t *testing.T) {
	s := newStage(t, "b1")
	s.p.conf.Member.Client = true
	if effects := s.p.Did(0, 1, Work{}); len(effects) > 0 {
		t.Errorf("a client says %v", effects)
	}
	s.p.conf.Member.Client, s.p.gone = false, true
	if effects := s.p.Did(0, 1, Work{}); len(effects) > 0 {
		t.Errorf("one that is gone says %v", effects)
	}
}
