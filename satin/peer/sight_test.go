package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestRunStatus: what a person may see of a run.
func TestRunStatus(t *testing.T) {
	p, _ := lone(t)
	nonce, _, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	runs := p.Sight().Runs()
	if len(runs) != 1 || runs[0].Master != "me" || runs[0].Epoch.Number != 1 || runs[0].Submissions != 1 {
		t.Fatalf("runs %v", runs)
	}
	if no, ok := p.Sight().RunOf(nonce); !ok || no != runs[0].Run {
		t.Errorf("the submission belongs to run %d", no)
	}
	p.Cancel(0, nonce)
	if len(p.Sight().Runs()) != 0 || !p.Sight().Quiet() {
		t.Errorf("cancelled, but runs are %v", p.Sight().Runs())
	}
}

// TestSightOfMembers: who is here and who is barred, and how large a result may be.
func TestSightOfMembers(t *testing.T) {
	p, other := lone(t)
	s := p.Sight()
	if s.Self().ID != "me" || s.Joining() || len(s.Members()) != 1 || s.Members()[0].ID != "other" {
		t.Errorf("%v is joining: %v, with %v", s.Self(), s.Joining(), s.Members())
	}
	if m, ok := s.Member("other"); !ok || m.Incarnation != other {
		t.Errorf("the other is %v", m)
	}
	root := RootOf(steal.Key{1}, "t", nil).With(Terms{ResultMax: 5})
	if p.Submit(0, root); s.Promised() != 5 {
		t.Errorf("%d bytes are promised", s.Promised())
	}
	if p.Bar(0, "other", true); len(s.Bars()) != 1 || len(s.Members()) != 0 {
		t.Errorf("barred are %v, here are %v", s.Bars(), s.Members())
	}
}

// TestSightFollowsThePeer: one sight shows what is so when it is asked, and changes nothing.
func TestSightFollowsThePeer(t *testing.T) {
	p, other := lone(t)
	s := p.Sight()
	nonce, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "t", nil))
	no, _ := s.RunOf(nonce)
	root, _ := find[Execute](effects)
	if got := s.Submitters(no); len(got) != 1 || got[0] != "me" {
		t.Errorf("the run is waited for by %v", got)
	}
	p.Idle(0, 1)
	p.Received(0, "other", Message{From: other, Body: steal.Ask{Number: 1, Jobs: 1}})
	p.Taken(0, []Job{{Ref: 1, Run: no, Key: steal.Key{2}, Task: "t"}})
	if s.Ledger().Lent() != 1 || s.Stats().LentNear != 1 {
		t.Errorf("%d jobs are lent, and count %+v", s.Ledger().Lent(), s.Stats())
	}
	deadline := p.Deadline()
	if err := s.Check(); err != nil || s.Quiet() || p.Deadline() != deadline {
		t.Errorf("looked at, the peer wants to be called at %v, not %v: %v", p.Deadline(), deadline, err)
	}
	p.Finished(time.Second, root.Borrow, steal.Result{Outcome: steal.Value})
	if len(s.Runs()) != 0 || len(s.Submitters(no)) != 0 {
		t.Errorf("it has ended, but %v wait for %v", s.Submitters(no), s.Runs())
	}
	if p.Received(time.Second, "other", Message{From: other, Body: membership.Heartbeat{}}); !s.Quiet() {
		t.Error("it has ended, and something is kept of it")
	}
}
