package control

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/control/statistics"
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
		subs[n] = newSubmission(nil, peer.Root{Run: steal.Key{1}}, func(r steal.Result) (any, error) {
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

// TestWhatSubmissionsComeTo: an answer that is read beside the loop, and handed on when the driver
// says so; or an error that says what was in the way.
func TestWhatSubmissionsComeTo(t *testing.T) {
	s, subs, p, _ := asked()
	read := 0
	s.reads(1, steal.Result{Bytes: []byte("one")}, func() { read++ })
	s.by.(*sync.WaitGroup).Wait()
	if p.doAll(); read != 1 || isOver(subs[1]) {
		t.Errorf("it is read %d times, handed on: %v", read, isOver(subs[1]))
	}
	s.ended(1, driver.End{How: driver.Answered, Progress: 1})
	if out, err := subs[1].Answer(); !isOver(subs[1]) || out != "one" || err != nil || subs[1].Progress() != 1 {
		t.Errorf("the answer is %v, %v", out, err)
	}
	why := errors.New("why")
	subs[2].why = why
	unwatched := 0
	unwatch := func() bool { unwatched++; return true }
	subs[2].isWatchedBy(unwatch)
	s.ended(2, driver.End{How: driver.Withdrawn, Statistics: statistics.Stats{Seconds: 3}})
	if _, err := subs[2].Answer(); !isOver(subs[2]) || !errors.Is(err, why) || unwatched != 1 || len(s.all) > 0 || subs[2].Stats().Seconds != 3 {
		t.Errorf("it was withdrawn because of %v; %d are left", err, len(s.all))
	}
	if subs[2].isWatchedBy(unwatch); unwatched != 2 {
		t.Error("the context of one that was over by then is looked at for ever")
	}
	for how, want := range map[driver.EndHow]string{
		driver.Bereft: "b/1 was lost", driver.Released: "goes on", driver.NotOn: "no such run", driver.OtherTask: "is of task other, and not of mine",
	} {
		s, subs, _, _ = asked()
		subs[1].joins = &joins{task: "mine"}
		s.ended(1, driver.End{How: how, Lost: membership.Member{Name: "b/1"}, Task: "other"})
		if _, err := subs[1].Answer(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}

// TestTheLoopEndsAll: what is left then fails, unless its answer was read.
func TestTheLoopEndsAll(t *testing.T) {
	s, subs, p, _ := asked()
	s.reads(2, steal.Result{Bytes: []byte("two")}, func() {})
	s.by.(*sync.WaitGroup).Wait()
	p.doAll()
	why := errors.New("why")
	s.end(why, func(n steal.Nonce) told { return told{progress: float64(n)} })
	if _, err := subs[1].Answer(); !errors.Is(err, why) || len(s.all) > 0 || subs[1].Progress() != 1 {
		t.Errorf("what was not answered came to %v", err)
	}
	if out, err := subs[2].Answer(); out != "two" || err != nil {
		t.Errorf("an answer that was read is %v, %v at the end", out, err)
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
}
