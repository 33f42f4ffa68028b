package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// submit has the parts hear a submission that the submitter brings.
func (s *ofRuns) submit(now time.Duration, m Submit) []membership.Effect {
	return s.admission.hearSubmit(now, m.Submission.Submitter, m)
}

// TestSubmissionIsTaken: by the oldest peer a run is made, by its master who waits is added; both
// are told. Without a root none is made.
func TestSubmissionIsTaken(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	bare := m
	bare.Root = nil
	does(t, "bare", s.submit(0, bare), "u: NeedRoot")
	does(t, "with its root", s.submit(0, m), "sees master me, epoch 1", `start run 1, root "root"`, "unblocks",
		`all: Record epoch 1 master me submissions 1 root "root"`, "u: Accepted")
	does(t, "again", s.submit(0, bare), "u: Accepted")
	other := asks("v", 1, "root")
	other.Addrs = []string{addrOf("v")}
	does(t, "another's", s.submit(0, other), `all: Record epoch 1 master me submissions 2 root "root"`, "v: Accepted")
	r := s.runs.all[0]
	if addrs, ok := s.runs.contact("v"); !ok || len(addrs) != 1 || !r.vouched || !s.book.Has("v") {
		t.Errorf("it is at %v", addrs)
	}
	r.root = nil
	does(t, "its root is lost", s.submit(0, bare), "u: NeedRoot", "u: Accepted")
	for n := byte(2); len(r.submissions) < SubmissionsMax; n++ {
		s.records.joins(0, r, asks("w", n, "root"))
	}
	does(t, "too many wait for it", s.submit(0, asks("x", 1, "root")), `start run 1, root "root"`, "unblocks", "x: Full")
	does(t, "who waits already", s.submit(0, other), "v: Accepted")
	s.endings.bury(0, over(m).Submissions)
	does(t, "that has ended", s.submit(0, m), "u: Ended 1")
}

// TestSubmitterIsHeard: it is there, and wants the run; and when it comes by way of another, the
// answer that did not reach it goes back that way.
func TestSubmitterIsHeard(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	r := s.own(m)
	s.runs.broke(0, "u")
	s.mastership.due = false
	does(t, "by way of another", s.admission.hearSubmit(0, "a1", m), "u: Accepted")
	if len(r.down) != 1 || !r.vouched || !s.mastership.due {
		t.Errorf("down are %v; wanted: %v, and that is looked at: %v", r.down, r.vouched, s.mastership.due)
	}
	s.mastership.due = false
	if s.submit(0, m); len(r.down) > 0 || s.mastership.due {
		t.Error("it speaks, and counts as down, or what was known is news")
	}
	s.deliverTo(r)
	does(t, "it is on its way", s.admission.hearSubmit(0, "a1", m), "u: Accepted")
	s.decisions.tick(r.deliveries[0].again, r)
	does(t, "it seems lost", s.admission.hearSubmit(time.Minute, "a1", m), `a1: Answer "4"`, "u: Accepted")
}

// TestSubmissionOfItsOwn: the part that has it hears what others are sent.
func TestSubmissionOfItsOwn(t *testing.T) {
	s := newOfRuns(t)
	own, _ := s.submissions.begin(RootOf(steal.Key{1}, "t", []byte("mine")))
	s.reports.submitted(own.id.Nonce, own.root.Run)
	effects := s.submissions.submit(0, own)
	s.submit(0, effects[0].(submits).Submit)
	if s.reports.all[0].run != s.runs.all[0].instance {
		t.Error("reports on its run are not shown")
	}
	if !own.known || own.master != "me" || own.run != s.runs.all[0].instance {
		t.Errorf("it is accepted by %q", own.master)
	}
	for n := byte(2); !s.runs.isFull(); n++ {
		s.own(asks("u", n, "some"))
	}
	late, _ := s.submissions.begin(RootOf(steal.Key{99}, "t", []byte("late")))
	effects = s.submit(0, s.submissions.submit(0, late)[0].(submits).Submit)
	if e, ok := effects[0].(Deliver); !ok || e.Nonce != late.id.Nonce || e.Result.Outcome != steal.Panicked || s.submissions.own(late.id.Nonce) != nil {
		t.Errorf("there is no room, and it does %q", told(effects))
	}
}

// TestSubmissionGoesToItsMaster: or to the oldest where there is none; not back to who brought it,
// and not for ever.
func TestSubmissionGoesToItsMaster(t *testing.T) {
	s := newOfRuns(t, "b1")
	s.comes("a1", 1)
	m, known := asks("u", 1, "root"), asks("u", 2, "known")
	r := s.of("b1", known)
	does(t, "to the oldest", s.submit(0, m), `a1: Submit root "root"`)
	does(t, "to the master", s.submit(0, known), `b1: Submit root "known"`)
	does(t, "not back", s.admission.hearSubmit(0, "a1", m))
	if m.Hops = hopsMax - 1; len(s.submit(0, m)) != 1 {
		t.Error("it is passed on too seldom")
	}
	m.Hops = hopsMax
	does(t, "often enough", s.submit(0, m))
	s.dies("b1")
	does(t, "its master is gone", s.submit(0, known), `a1: Submit root "known"`)
	if r.heard[known.Submission] != 0 || len(r.heard) != 1 {
		t.Errorf("it is heard of: %v", r.heard)
	}
}

// TestWhatIsNoSubmission: nothing comes of it; nor where the peer is no member.
func TestWhatIsNoSubmission(t *testing.T) {
	s := newOfRuns(t)
	nameless, long := asks("", 1, "root"), asks("u", 2, "root")
	long.Task = string(make([]byte, TaskNameMax+1))
	does(t, "nobody's", s.submit(0, nameless))
	does(t, "too long a task", s.submit(0, long))
	out := newOfRuns(t)
	out.admission.members = newView(Config{Member: membership.Config{ID: "me", Site: "m"}}, out.rng)
	does(t, "no member", out.submit(0, asks("u", 3, "root")))
}

// TestTermsAreBounded: nobody is promised more than the peer carries.
func TestTermsAreBounded(t *testing.T) {
	s := newOfRuns(t)
	if got := s.admission.settle(Terms{ResultMax: 2 * ResultCarried}); got.ResultMax != ResultCarried || got.Share != ShareDefault {
		t.Errorf("promised is %+v", got)
	}
	s.admission.resultMax = 3 * ResultCarried
	if got := s.admission.settle(Terms{ResultMax: 2 * ResultCarried}); got.ResultMax != 2*ResultCarried {
		t.Errorf("told, it promises %+v", got)
	}
}

// TestRunMakesRoom: the one that has waited longest for submitters whom nobody hears goes first,
// then one of which there is no more than a record. Who is told that there is no room is told why.
func TestRunMakesRoom(t *testing.T) {
	s := newOfRuns(t)
	for n := byte(1); !s.runs.isFull(); n++ {
		m := asks(membership.PeerID(rune('A'+n)), n, "root")
		s.submit(0, m)
		s.submit(0, m) // it is heard
	}
	late := asks("late", 200, "root")
	does(t, "all are on", s.submit(time.Second, late), "late: Full")
	first, second := s.runs.all[3], s.runs.all[2]
	s.deliverTo(first)
	s.decisions.decide(time.Second, second, value("4"))
	now := awayMax
	effects := s.submit(now, late)
	if s.runs.find(first.instance) != nil || s.runs.find(second.instance) == nil || !accepts(effects, "late") {
		t.Errorf("the first is forsaken, and it does %q", told(effects))
	}
	for _, r := range s.runs.all {
		r.wanted.asks(now, r.submissions[0])
	}
	does(t, "all are heard", s.submit(now, asks("later", 201, "root")), "later: Full")
	own, _ := s.submissions.begin(RootOf(steal.Key{1}, "t", nil))
	s.runs.all[9].vouched, s.runs.all[9].submissions = false, []steal.Submission{own.id}
	does(t, "one is its own", s.submit(now, asks("later", 201, "root")), "later: Full")
	s.runs.all[8].vouched = false
	effects = s.submit(now, asks("later", 201, "root"))
	if !accepts(effects, "later") || len(s.runs.all) != RunsMax {
		t.Errorf("nobody vouches for one, and it does %q", told(effects))
	}
	does(t, "a client has its share", s.shareOf(now, "greedy"), "greedy: Full")
}

// shareOf has somebody have its share of runs, and submit one more.
func (s *ofRuns) shareOf(now time.Duration, id membership.PeerID) []membership.Effect {
	for n := range s.runs.all[:runsOfOne] {
		s.runs.all[n].instance.First.Submitter = id
	}
	return s.submit(now, asks(id, 250, "root"))
}

// accepts tells whether a submitter is told that its run is on.
func accepts(effects []membership.Effect, id membership.PeerID) bool {
	for _, e := range effects {
		if x, ok := e.(tells); ok && x.to == id {
			_, ok := x.body.(Accepted)
			return ok
		}
	}
	return false
}
