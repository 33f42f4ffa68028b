package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestWhoMayReport: members, and strangers, whose greeting may have been lost; a client may not.
func TestWhoMayReport(t *testing.T) {
	for name, c := range map[string]struct {
		from  membership.Incarnation
		heard bool
	}{
		"a member":   {membership.Incarnation{Join: 2}, true},
		"a stranger": {membership.Incarnation{Join: 9, Random: 9}, true},
		"nobody":     {membership.Incarnation{}, true},
		"a client":   {asClient, false},
	} {
		s := newStage(t, "b1")
		from := membership.PeerID("b1")
		if name != "a member" {
			from = "x"
		}
		e, heard := find[Reported](s.p.Received(0, from, Message{From: c.from, Body: reportOf(func(m *Report) { m.Run = s.run })}))
		if heard != c.heard || heard && (e.From != from || e.Report.Stats.Jobs != 3) {
			t.Errorf("%s: %v, %+v", name, heard, e)
		}
	}
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
