package peer

import (
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

var panicked = steal.Result{Outcome: steal.Panicked, Bytes: []byte("why")}

// TestAnswerIsDecidedOnce: it goes to all that wait, and to one more peer that keeps it; what comes
// later changes nothing. Where this peer alone waits nobody keeps it.
func TestAnswerIsDecidedOnce(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("u", 1, "root"))
	s.records.joins(0, r, asks("v", 2, "root"))
	does(t, "decided", s.decisions.decide(0, r, value("4")), `u: Answer "4"`, `v: Answer "4"`, `a1: Keep "4"`)
	does(t, "again", s.decisions.decide(0, r, value("5")))
	if string(r.answer.Bytes) != "4" || !r.delivering {
		t.Errorf("the answer is %q", r.answer.Bytes)
	}
	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")))
	mine := s.own(Submit{Submission: own.id, Run: steal.Key{3}, Task: "t", Root: []byte("mine"), Terms: Terms{}.settled()})
	does(t, "its own", s.decisions.decide(0, mine, value("4")), `answers itself "4"`)
	s.records.joins(0, mine, asks("u", 4, "mine"))
	if s.decisions.isOwn(mine) || !s.decisions.isOwn(&run{waiters: waiters{submissions: mine.submissions[:1]}}) {
		t.Errorf("of %v, it takes them all for its own, or none", mine.submissions)
	}
}

// TestAnswerIsTheBest: where there is one; a failure is none. What is too long fails instead.
func TestAnswerIsTheBest(t *testing.T) {
	s := newOfRuns(t)
	for n, c := range []struct {
		result steal.Result
		best   string
		max    uint32
		want   string
	}{
		{value("4"), "", 0, `"4"`},
		{value("4"), "best", 0, `"best"`},
		{panicked, "best", 0, `panic "why"`},
		{value("4444"), "", 3, `panic ": the answer of task t is 4 bytes: 3 may travel (Config.ResultMax)"`},
		{value("444"), "", 3, `"444"`},
		{panicked, "", 2, `panic "why"`},
	} {
		m := asks("u", byte(n), "root")
		if c.max > 0 {
			m.Terms.ResultMax = c.max
		}
		r := s.own(m)
		if c.best != "" {
			r.best.offered(0, "me", stamp(c.best))
		}
		if s.decisions.decide(0, r, c.result); tellResult(*r.answer) != c.want || r.answer.Choosing != (c.want == `"best"`) {
			t.Errorf("%s under the best %q: the answer is %s, want %s", tellResult(c.result), c.best, tellResult(*r.answer), c.want)
		}
	}
}

// TestAnswerIsRepeatedUntilAcknowledged: to each when it is due, and to who keeps it.
func TestAnswerIsRepeatedUntilAcknowledged(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("u", 1, "root"))
	s.deliverTo(r)
	due := r.deliveries[0].again
	does(t, "too soon", s.decisions.tick(due-1, r))
	does(t, "due", s.decisions.tick(due, r), `u: Answer "4"`, `a1: Keep "4"`)
	r.answering.hearKept("a1")
	r.deliveries = nil
	does(t, "acknowledged", s.decisions.tick(time.Hour, r))
	r.keptBy.again, r.submissions = 0, nil
	does(t, "nobody waits any more", s.decisions.tick(time.Hour, r))
}

// TestRunFails: at its master by what a job panicked with, and the root stops; elsewhere the master
// is told, again and again. What has its answer, or has failed, fails no more unless it is said
// again.
func TestRunFails(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("u", 1, "root"))
	r.root.borrow = 7
	fail := fails{run: r.instance, result: panicked}
	does(t, "at the master", s.decisions.fails(0, fail), "withdraw borrow 7", `u: Answer panic "why"`, `a1: Keep panic "why"`)
	does(t, "once more", s.decisions.fails(0, fail))
	if fail.again = true; r.root.borrow != 0 || len(s.decisions.fails(0, fail)) > 0 {
		t.Error("its root goes on, or it has two answers")
	}
	other := s.of("a1", asks("u", 2, "other"))
	fail.run, fail.again = other.instance, false
	does(t, "elsewhere", s.decisions.fails(0, fail), `a1: Fail panic "why"`)
	does(t, "once more", s.decisions.fails(0, fail))
	does(t, "repeated", s.decisions.tick(failEvery, other), `a1: Fail panic "why"`)
	other.master = "me"
	does(t, "it is master now", s.decisions.tick(time.Hour, other), `u: Answer panic "why"`, `a1: Keep panic "why"`)
	if other.failure != nil {
		t.Error("it fails again and again")
	}
	does(t, "of none", s.decisions.fails(0, fails{result: panicked}))
	third := s.of("a1", asks("u", 3, "third"))
	s.decisions.client = true
	does(t, "at a client", s.decisions.fails(0, fails{run: third.instance, result: panicked}))
	s.decisions.client = false
	does(t, "it is told", s.decisions.hearFail(0, Fail{Run: third.instance, Result: panicked}), `a1: Fail panic "why"`)
	fourth := s.of("a1", asks("u", 4, "fourth"))
	does(t, "of what is no panic", s.decisions.hearFail(0, Fail{Run: fourth.instance, Result: value("4")}))
}

// keeps is a Keep of the answer 4 that has come from a1, under an epoch.
func (s *ofRuns) keeps(r *run, epoch uint64, best steal.Stamp) (*arrival, Keep) {
	k := Keep{Run: r.instance, Epoch: membership.Epoch{Number: epoch}, Best: best, Result: value("4")}
	return s.from("a1", k), k
}

// TestAnswerToKeep: it waits for the best that it names, and for the root. It is kept, and sent
// when the master is gone; where this peer is master itself it is the answer.
func TestAnswerToKeep(t *testing.T) {
	s := newOfRuns(t, "a1")
	bare := asks("u", 1, "root")
	bare.Root = nil
	r := s.of("a1", bare)
	a, k := s.keeps(r, 1, naming("best"))
	does(t, "without the root", s.decisions.hearKeep(0, a, k), "a1: Fetch")
	s.roots.came(0, r, []byte{})
	k.Epoch = r.epoch
	k.Result = value("5")
	does(t, "without the best", s.decisions.hearKeep(time.Second, s.from("a1", k), k))
	k.Best = steal.Stamp{}
	s.mastership.due = false
	does(t, "now", s.decisions.hearKeep(time.Second, a, k), "a1: Kept")
	if string(r.answer.Bytes) != "5" || r.delivering || !s.mastership.due {
		t.Errorf("kept is %q; it is delivered: %v", r.answer.Bytes, r.delivering)
	}
	mine := s.own(asks("v", 2, "mine"))
	mine.root.borrow = 7
	a, k = s.keeps(mine, 0, steal.Stamp{})
	does(t, "as the master", s.decisions.hearKeep(0, a, k), "a1: Kept", `v: Answer "4"`, `a1: Keep "4"`, "withdraw borrow 7",
		`a1: Record epoch 1 master me submissions 1 root "mine"`)
	does(t, "again", s.decisions.hearKeep(0, a, k), "a1: Kept", `a1: Record epoch 1 master me submissions 1 root "mine"`)
}

// TestAnswerToOthers: it is passed on, once it may be and to who waits; who brings one of a run
// that is over is told so.
func TestAnswerToOthers(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	r := s.of("a1", m)
	answer := Answer{Run: r.instance, Nonce: 1, To: "u", Result: value("4"), Best: naming("best")}
	does(t, "its best is not here", s.decisions.hearAnswer(0, s.from("a1", answer), answer), "a1: WantBest")
	answer.Best = steal.Stamp{}
	does(t, "now", s.decisions.hearAnswer(0, s.from("a1", answer), answer), `u: Answer "4"`)
	if !r.demand.between {
		t.Error("it does not know that it stands between")
	}
	does(t, "of u itself", s.decisions.hearAnswer(0, &arrival{life: life{peer: "u"}}, answer))
	answer.Nonce = 9
	does(t, "that nobody waits for", s.decisions.hearAnswer(0, s.from("a1", answer), answer))
	s.endings.bury(0, over(m).Submissions)
	answer.Nonce = 1
	does(t, "that is over", s.decisions.hearAnswer(0, s.from("a1", answer), answer), "a1: Ended 1")
}

// TestAnswerToItself: it waits for its best, unless that is none, since it is decoded where it is
// delivered.
func TestAnswerToItself(t *testing.T) {
	s := newOfRuns(t, "a1")
	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")))
	r := s.of("a1", Submit{Submission: own.id, Run: steal.Key{3}, RootDigest: own.root.Digest, Task: "t", Root: []byte("mine"), Terms: Terms{}.settled()})
	answer := Answer{Run: r.instance, Nonce: own.id.Nonce, Result: value("4"), Best: naming("best")}
	does(t, "its best is not here", s.decisions.hearAnswer(0, s.from("a1", answer), answer), "a1: WantBest")
	answer.Best = stamp("best")
	does(t, "it is compared", s.decisions.hearAnswer(time.Second, s.from("a1", answer), answer), `compare the best "best"`)
	r.best.compared(time.Second, stamp("best").Digest, Spoilt, panicked)
	does(t, "its best is none", s.decisions.hearAnswer(2*time.Second, s.from("a1", answer), answer),
		`deliver "4"`, "the grid has its submission", "buries 1", "all: Ended 1", "a1: Ended 1")
	does(t, "of what nobody knows", s.decisions.hearAnswer(0, s.from("a1", Answer{}), Answer{Nonce: 5}), "a1: Ended 1")
}

// TestAnswerToKeepOfAnother: who was master before is told who is, if it does not know; the present
// one is not, whichever epoch it names, nor who says it of the present epoch.
func TestAnswerToKeepOfAnother(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", asks("u", 1, "root"))
	r.epoch.Number = 3
	for _, c := range []struct {
		event string
		from  membership.PeerID
		epoch membership.Epoch
		does  []string
	}{
		{"its master, of an epoch that is over", "a1", membership.Epoch{Number: 1}, nil},
		{"its master, of this", "a1", r.epoch, nil},
		{"another, of this", "b1", r.epoch, nil},
		{"another, of one that is over", "b1", membership.Epoch{Number: 1}, []string{`b1: Record epoch 3 master a1 submissions 1 root "root"`}},
	} {
		k := Keep{Run: r.instance, Epoch: c.epoch, Result: value("4")}
		does(t, c.event, s.decisions.hearKeep(0, s.from(c.from, k), k), append([]string{string(c.from) + ": Kept"}, c.does...)...)
	}
	k := Keep{Run: steal.Instance{Run: steal.Key{9}}, Result: value("4")}
	does(t, "of a run that is not known", s.decisions.hearKeep(0, s.from("a1", k), k), "a1: Fetch")
}

// TestMasterIsToldTheAnswer: whoever has the answer of a run brings it to the master of a later
// epoch that does not know it, in the life in which that is here. It fails no more here, so that
// nothing else would.
func TestMasterIsToldTheAnswer(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", asks("u", 1, "root"))
	tell := func(event string, want ...string) {
		t.Helper()
		does(t, event, s.decisions.tellMaster(0, r), want...)
	}
	tell("without an answer")
	k := Keep{Run: r.instance, Epoch: membership.Epoch{}, Result: value("4")}
	does(t, "of one before", s.decisions.hearKeep(0, s.from("b1", k), k), "b1: Kept", `b1: Record epoch 1 master a1 submissions 1 root "root"`, `a1: Keep "4"`)
	tell("it has been told")
	r.master = "c1"
	tell("one that is not there")
	r.master = "me"
	tell("itself")
	h := s.masteredBy("b1", asks("u", 1, "root"))
	says := func(from membership.PeerID, answered uint32) bool {
		h.Epoch.Number++
		h.Answered = answered
		_, effects := s.learns(0, from, h, "")
		return slices.Contains(effects, membership.Effect(tellsAnswer{r.instance}))
	}
	if says("b1", 1) || says("a1", 0) || !says("b1", 0) {
		t.Error("the master is told that knows the answer, or by another's word, or is not told")
	}
	r.epoch.Master.Rejoin-- // it has come back since, under its epoch
	tell("another master", `b1: Keep "4"`)
	does(t, "who has not said that it has it", s.decisions.tick(answerGapMax, r), `b1: Keep "4"`)
	r.answering.hearKept("b1")
	does(t, "who has", s.decisions.tick(time.Hour, r))
	fresh := s.of("a1", asks("u", 2, "other"))
	k = Keep{Run: fresh.instance, Epoch: fresh.epoch, Result: value("4")}
	s.decisions.hearKeep(0, s.from("a1", k), k)
	does(t, "the master had it kept", s.decisions.tellMaster(0, fresh))
}

// TestWhoKeepsTheAnswerWantsNoJobs: where the run is kept, whoever is given its answer has heard by
// that that nobody has jobs of it any more.
func TestWhoKeepsTheAnswerWantsNoJobs(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	m := keepsFor(asks("u", 1, "root"), 60)
	h := s.masteredBy("a1", m)
	h.Submissions = []steal.Submission{m.Submission.Kept()}
	r, _ := s.learns(0, "a1", h, "root")
	k := Keep{Run: r.instance, Epoch: r.epoch, Result: value("4")}
	opened := func(effects []membership.Effect) bool { return slices.Contains(effects, membership.Effect(opens{})) }
	if !opened(s.decisions.hearKeep(0, s.from("a1", k), k)) || s.runs.compute() {
		t.Error("it is not told that there may be no jobs")
	}
	if opened(s.decisions.hearKeep(0, s.from("a1", k), k)) {
		t.Error("it is told twice")
	}
}

// TestAnswerIsPassedOnUnderTheBest: with that of who passes it on, which held the one that it
// names, unless the submitter is known to hold that.
func TestAnswerIsPassedOnUnderTheBest(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", asks("b1", 1, "root"))
	r.best.offered(0, "me", stamp("better"))
	r.best.remember(stamp("good").Digest)
	answer := Answer{Run: r.instance, Nonce: 1, To: "b1", Result: value("4"), Best: naming("good")}
	does(t, "passed on", s.decisions.hearAnswer(0, s.from("a1", answer), answer), `b1: Answer "4" with best "better"`)
	b1, _ := s.view.Member("b1")
	r.best.ack("b1", b1.Incarnation, stamp("better").Digest)
	does(t, "it holds it", s.decisions.hearAnswer(0, s.from("a1", answer), answer), `b1: Answer "4" naming a best`)
}
