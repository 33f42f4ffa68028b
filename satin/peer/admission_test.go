package peer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// submit has the components hear a submission that the submitter brings.
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
	if addrs, ok := s.runs.contact("v"); !ok || len(addrs) != 1 || !r.demand.vouched || !s.book.Has("v") {
		t.Errorf("it is at %v", addrs)
	}
	r.root.bytes = nil
	does(t, "its root is lost", s.submit(0, bare), "u: NeedRoot", "u: Accepted")
	for n := byte(2); len(r.submissions) < SubmissionsMax; n++ {
		s.records.joins(0, r, asks("w", n, "root"))
	}
	does(t, "too many wait for it", s.submit(0, asks("x", 1, "root")), `start run 1, root "root"`, "unblocks", "x: Full")
	does(t, "who waits already", s.submit(0, other), "v: Accepted")
	s.endings.bury(0, over(m).Submissions)
	does(t, "that has ended", s.submit(0, m), "u: Ended 1")
}

// TestJoiningAsksForNothing: who joins a run by its id waits for its answer. The run has the share
// that it had, and nobody keeps it besides.
func TestJoiningAsksForNothing(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	m.Terms.Share, m.Terms.Keep = 7, 60
	s.submit(0, m)
	r := s.runs.all[0]
	s.submit(0, Submit{Submission: submittedAs("v", 1).Submission, Joins: r.id})
	if r.terms.Share != 7 || r.terms.Keep != 60 || len(r.submissions) != 2 || len(r.keeps) != 1 {
		t.Errorf("%+v, %d wait for it, %d keep it", r.terms, len(r.submissions), len(r.keeps))
	}
}

// TestRootlessRunIsNone: who attaches to a run whose root was asked for often, in vain, is told
// that there is none; who brings the root begins it.
func TestRootlessRunIsNone(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	r := s.own(m)
	r.root.bytes = nil // it was taken over from one that has died
	joins := Submit{Submission: submittedAs("v", 1).Submission, Joins: r.id}
	does(t, "it may come", s.submit(0, joins), "v: NeedRoot", `all: Record epoch 1 master me submissions 2 root ""`, "v: Accepted")
	for !r.root.isLost() {
		s.roots.tick(r.root.fetchAt, r)
	}
	does(t, "nobody has it", s.submit(0, joins), "v: NoRun")
	does(t, "its submitter has", s.submit(0, m), `start run 1, root "root"`, "unblocks", "u: Accepted")
	does(t, "it is there", s.submit(0, joins), "v: Accepted")
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
	if len(r.demand.down) != 1 || !r.demand.vouched || !s.mastership.due {
		t.Errorf("down are %v; wanted: %v, and that is looked at: %v", r.demand.down, r.demand.vouched, s.mastership.due)
	}
	s.mastership.due = false
	if s.submit(0, m); len(r.demand.down) > 0 || s.mastership.due {
		t.Error("it speaks, and counts as down, or what was known is news")
	}
	s.deliverTo(r)
	does(t, "it is on its way", s.admission.hearSubmit(0, "a1", m), "u: Accepted")
	s.decisions.tick(r.deliveries[0].again, r)
	does(t, "it seems lost", s.admission.hearSubmit(time.Minute, "a1", m), `a1: Answer "4"`, "u: Accepted")
}

// TestSubmissionOfItsOwn: the component that has it hears what others are sent.
func TestSubmissionOfItsOwn(t *testing.T) {
	s := newOfRuns(t)
	own, _ := s.submissions.begin(RootOf(steal.Key{1}, "t", []byte("mine")))
	s.reports.submitted(own.id.Nonce, own.begins())
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
	if r.demand.heard[known.Submission] != 0 || len(r.demand.heard) != 1 {
		t.Errorf("it is heard of: %v", r.demand.heard)
	}
}

// TestWhatIsNoSubmission: nothing comes of it; nor where the peer is no member.
func TestWhatIsNoSubmission(t *testing.T) {
	s := newOfRuns(t)
	nameless, long, clears := asks("", 1, "root"), asks("u", 2, "root"), asks("u", 3, "root")
	long.Task, clears.Task = strings.Repeat("t", TaskNameMax+1), "\x1b[2J"
	does(t, "nobody's", s.submit(0, nameless))
	does(t, "too long a task", s.submit(0, long))
	does(t, "one that clears a screen where it is shown", s.submit(0, clears))
	does(t, "whose is shown on two lines", s.submit(0, asks("u\nv", 4, "root")))
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
		r.demand.heardFrom(now, r.submissions[0])
	}
	does(t, "all are heard", s.submit(now, asks("later", 201, "root")), "later: Full")
	own, _ := s.submissions.begin(RootOf(steal.Key{1}, "t", nil))
	s.runs.all[9].demand.vouched, s.runs.all[9].submissions = false, []steal.Submission{own.id}
	does(t, "one is its own", s.submit(now, asks("later", 201, "root")), "later: Full")
	s.runs.all[8].demand.vouched = false
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

func TestSubmissionIsPassedOn(t *testing.T) {
	p, _ := lone(t)
	older := membership.Incarnation{Join: 1, Random: 1}
	p.Received(0, "a", Message{From: older, Body: membership.Hello{Member: membership.Member{ID: "a", Incarnation: older, State: membership.Here}}})
	m := Submit{Submission: steal.Submission{Submitter: "client", Nonce: 1}, Root: []byte{}, RootDigest: steal.KeyOf(nil)}
	s, ok := find[Send](p.Received(0, "client", Message{From: asClient, Body: m}))
	if !ok || s.To != "a" || s.Message.Body.(Submit).Hops != 1 {
		t.Fatalf("not passed on to the oldest: %v", s)
	}
	if got := p.Received(0, "a", Message{From: older, Body: m}); len(bodies(got)) != 0 {
		t.Error("passed back to the one that it came from")
	}
	m.Hops = hopsMax
	if got := p.Received(0, "client", Message{From: asClient, Body: m}); len(bodies(got)) != 0 {
		t.Error("passed on for ever")
	}
}

// TestSubmitterIsToldWhereItIs: one that came by way of another is dialled, whatever it is told: it
// may hold this peer dead, and would not come by itself.
func TestSubmitterIsToldWhereItIs(t *testing.T) {
	ended := steal.Submission{Submitter: "client", Nonce: 3}
	for what, m := range map[string]Submit{
		"there is no such run": {Submission: steal.Submission{Submitter: "client", Nonce: 1}, Joins: steal.Key{7}},
		"the root is needed":   {Submission: steal.Submission{Submitter: "client", Nonce: 2}, RootDigest: steal.KeyOf(nil)},
		"it is over":           {Submission: ended, Root: []byte{}, RootDigest: steal.KeyOf(nil)},
	} {
		p, _ := lone(t)
		p.Received(0, "client", Message{From: asClient, Body: Ended{Submissions: []Tombstone{{Submission: ended}}}})
		m.Task, m.Addrs = "t", []string{"/ip4/10.0.0.1/tcp/9/p2p/client"}
		p.admission.hearSubmit(time.Second, "other", m)
		if got := p.book.Addrs("client"); !slices.Equal(got, m.Addrs) {
			t.Errorf("%s: it is looked for at %q", what, got)
		}
	}
}

func TestRunsJoinAndAreBounded(t *testing.T) {
	p, other := lone(t)
	submit := func(n int) []Effect {
		root := []byte(fmt.Sprint("root", n%2))
		return p.Received(0, "client", Message{From: asClient, Body: Submit{
			Submission: steal.Submission{Submitter: "client", Nonce: steal.Nonce(n)}, Run: steal.KeyOf(root), Task: "t",
			RootDigest: steal.KeyOf(root), Root: root}})
	}
	started := 0
	for n := range 200 {
		if _, ok := find[Execute](submit(n)); ok {
			started++
		}
	}
	if started != 2 {
		t.Errorf("%d roots for two runs", started)
	}
	for _, r := range p.runs.all {
		if len(r.submissions) > SubmissionsMax {
			t.Errorf("run %d has %d submissions", r.no, len(r.submissions))
		}
	}
	for n := range 500 {
		p.Received(0, "other", Message{From: other, Body: Record{Head: Head{
			Run: steal.Instance{Run: steal.Key{byte(n), byte(n >> 8)}}, Submissions: []steal.Submission{{Submitter: "x", Nonce: steal.Nonce(n)}}}}})
	}
	if err := p.Sight().Check(); err != nil {
		t.Error(err)
	}
}

// TestWhoHasNotHeardOfACancelIsTold: it repeats its submission, of which whoever cancelled the run
// did not know, or asks for the root to be taken: the run does not start again. Who submits the
// same root after that has a run of its own.
func TestWhoHasNotHeardOfACancelIsTold(t *testing.T) {
	s, r, m := keptRun(t)
	joins := Submit{Submission: submittedAs("v", 1).Submission, Joins: r.id, Of: r.instance.First}
	more := keepsFor(asks("w", 1, "root"), 60)
	more.Of = r.instance.First
	s.endings.cancel(0, r, EndCancelled)
	does(t, "one that had attached", s.submit(0, joins), "v: Ended 1")
	brings := joins
	brings.Joins, brings.Run, brings.Task, brings.Root, brings.RootDigest = steal.Key{}, m.Run, m.Task, m.Root, m.RootDigest
	does(t, "it brings the root", s.submit(0, brings), "v: Ended 1")
	does(t, "one that has it kept", s.submit(0, more), "w: Ended 2")
	if !s.tombstones.has(more.Submission.Kept()) || len(s.runs.all) > 0 {
		t.Error("it may be brought up again, or is on")
	}
	again := keptAsks(2)
	again.Run, again.Of = m.Run, steal.Submission{}
	if s.submit(0, again); len(s.runs.all) != 1 {
		t.Error("nobody may submit its root again")
	}
	other, _, _ := keptRun(t)
	joins.Of = steal.Submission{Submitter: "u", Nonce: 9}
	if other.submit(0, joins); other.tombstones.has(joins.Submission) {
		t.Error("it was part of a run that is on, and ends")
	}
}
