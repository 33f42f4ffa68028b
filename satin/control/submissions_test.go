package control

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// asked are two submissions, nonces 1 and 2, of one root, whose runs are not known yet.
func asked() (s *submissions, subs [3]*Submission, p *posted, runOf map[steal.Nonce]peer.RunNo) {
	all := newPosted()
	p, runOf = &all, map[steal.Nonce]peer.RunNo{}
	s = &submissions{
		all: map[steal.Nonce]*Submission{}, post: p.post, by: new(sync.WaitGroup),
		runOf: func(n steal.Nonce) (peer.RunNo, bool) { no, ok := runOf[n]; return no, ok },
	}
	for n := steal.Nonce(1); n < 3; n++ {
		subs[n] = newSubmission(stopped{}, peer.Root{Run: steal.Key{1}}, func(r steal.Result) (any, error) {
			if r.Outcome != steal.Value {
				return nil, errors.New(string(r.Bytes))
			}
			return string(r.Bytes), nil
		})
		s.add(n, subs[n])
	}
	return s, subs, p, runOf
}

func isOver(u *Submission) bool {
	select {
	case <-u.Done():
		return true
	default:
		return false
	}
}

// reads waits until what was delivered has been read.
func (s *submissions) reads(p *posted) {
	s.by.(*sync.WaitGroup).Wait()
	p.doAll()
}

// TestAnswersAreHandedOn: when they were read and their statistics are whole, whichever comes
// first; once.
func TestAnswersAreHandedOn(t *testing.T) {
	s, subs, p, _ := asked()
	s.deliver(peer.Deliver{Nonce: 1, Result: steal.Result{Bytes: []byte("one"), Cost: 5000}})
	s.reads(p)
	if isOver(subs[1]) {
		t.Error("an answer is handed on without its statistics")
	}
	s.allReported(peer.AllReported{Nonce: 2})
	s.deliver(peer.Deliver{Nonce: 2, Result: steal.Result{Outcome: steal.Failed, Bytes: []byte("two")}})
	if isOver(subs[2]) {
		t.Error("an answer is handed on that was not read")
	}
	s.reads(p)
	s.allReported(peer.AllReported{Nonce: 1})
	s.allReported(peer.AllReported{Nonce: 1})
	if !isOver(subs[1]) || !isOver(subs[2]) || len(s.all) > 0 {
		t.Fatalf("%d are left", len(s.all))
	}
	if out, err := subs[1].Answer(); out != "one" || err != nil {
		t.Errorf("the answer is %v, %v", out, err)
	}
	if out, err := subs[2].Answer(); out != nil || err == nil || err.Error() != "two" {
		t.Errorf("the error is %v, %v", out, err)
	}
	s.deliver(peer.Deliver{Nonce: 1}) // nobody waits for it
}

// TestSubmissionsAreWithdrawn: unless they have ended, or their answers are being read. What is
// left when the loop ends fails, unless it was read.
func TestSubmissionsAreWithdrawn(t *testing.T) {
	s, subs, p, _ := asked()
	why := errors.New("why")
	unwatched := false
	subs[1].unwatch = func() bool { unwatched = true; return true }
	if !s.withdraw(subs[1], why) || s.withdraw(subs[1], why) || !isOver(subs[1]) || !unwatched {
		t.Error("it is withdrawn once")
	}
	if _, err := subs[1].Answer(); !errors.Is(err, why) {
		t.Errorf("the error is %v", err)
	}
	s.deliver(peer.Deliver{Nonce: 2, Result: steal.Result{Bytes: []byte("two")}})
	if s.withdraw(subs[2], why) {
		t.Error("one whose answer has come is withdrawn")
	}
	s.reads(p)
	s.end(why)
	if out, err := subs[2].Answer(); out != "two" || err != nil {
		t.Errorf("an answer that was read is %v, %v at the end", out, err)
	}
	s, subs, _, _ = asked()
	s.end(why)
	if _, err := subs[1].Answer(); !errors.Is(err, why) || len(s.all) > 0 {
		t.Errorf("what was not answered came to %v", err)
	}
}

// TestSubmissionsFindTheirRuns: any of the same root, until it is known which.
func TestSubmissionsFindTheirRuns(t *testing.T) {
	s, subs, _, runOf := asked()
	var first, second workers.Run = &halfDone{}, &halfDone{}
	s.starts(steal.Instance{Run: steal.Key{2}}, &first)
	if subs[1].run.Load() != nil {
		t.Error("the run of another root is taken for its own")
	}
	s.starts(aRun(1), &first)
	s.starts(aRun(1), &second)
	if subs[1].run.Load() != &first || subs[2].run.Load() != &first {
		t.Error("the first run of the root is not looked at")
	}
	runOf[2] = 7
	here := &runHere{no: 7, at: second}
	s.find(map[peer.RunNo]*runHere{7: here})
	if subs[1].run.Load() != &first || subs[2].run.Load() != &here.at {
		t.Error("it is known which, and not looked at")
	}
	if of := s.of(7); len(of) != 1 || of[0] != subs[2] || len(s.of(1)) != 0 {
		t.Errorf("%d wait for run 7", len(of))
	}
}

// TestSubmittersAreTold: who comes, goes, is master and reports.
func TestSubmittersAreTold(t *testing.T) {
	s, subs, _, runOf := asked()
	runOf[1] = 7
	m := membership.Member{ID: "x", Name: "b/1", Site: "b"}
	s.joined(m)
	s.mastered(7, "x", "b/1")
	s.reported(peer.Reported{Nonce: 1, From: "x", Report: peer.Report{Master: true, Progress: 0.5, Stats: PeerStats{Name: "b/1", Jobs: 3}}})
	s.reported(peer.Reported{Nonce: 9, From: "x"})
	s.lost(membership.Lost{Member: m, Noticed: time.Second}, membership.Killed)
	one, two := subs[1].Stats(), subs[2].Stats()
	if strings.Join(one.Masters, " ") != "b/1" || len(two.Masters) != 0 || subs[1].Progress() != 0.5 {
		t.Errorf("masters are %v and %v", one.Masters, two.Masters)
	}
	if len(one.Losses) != 1 || len(two.Losses) != 1 || one.Peers[0].Jobs != 3 || two.Peers[0].Jobs != 0 {
		t.Errorf("%+v and %+v", one, two)
	}
}
