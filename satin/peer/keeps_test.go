package peer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// keptRun is a run of which this peer is master, that u has submitted to be kept for a minute.
func keptRun(t *testing.T, others ...membership.PeerID) (*ofRuns, *run, Submit) {
	s := newOfRuns(t, others...)
	m := keptAsks(1)
	s.submit(0, m)
	return s, s.runs.all[0], m
}

// TestKeptRunIsNotItsSubmitters: who has submitted it may go, silent or dead; the run stays, and is
// not asked about, sought or told.
func TestKeptRunIsNotItsSubmitters(t *testing.T) {
	s, r, m := keptRun(t)
	if !r.isKept() || len(r.submissions) != 1 || len(r.keeps) != 1 || r.instance.First != m.Submission.Kept() || !r.waits("u") {
		t.Fatalf("it waits for %v and is kept by %v", r.submissions, r.keeps)
	}
	s.endings.bury(0, over(m).Submissions)
	if !r.isWanted() || r.waits("u") || s.runs.find(r.instance) == nil || s.endings.isOver(r.instance) {
		t.Error("with its submitter it has gone")
	}
	does(t, "nobody is sought", s.wantedBy(r))
	if all := s.runs.submitters(r.no); all == nil || len(all) != 0 {
		t.Errorf("told are %v", all)
	}
	if may, effects := r.demand.mayStart(0, r.submissions, r.isKept()); !may || len(effects) > 0 {
		t.Error("its root does not start again")
	}
	does(t, "the submitter again", s.submit(0, m), "u: Ended 1")
	does(t, "what keeps it ends", s.endings.hearEnded(0, "", endOf(r.keeps, EndWithdrawn)), "the ends are to be kept", "end run 1", "all: Ended 1")
	if len(s.runs.all) > 0 {
		t.Error("nothing keeps it, and it stays")
	}
}

// wantedBy is what is done for those who wait, an hour later.
func (s *ofRuns) wantedBy(r *run) []membership.Effect {
	return r.demand.unheard(UnheardMax, r.submissions, func(steal.Submission) bool { return false })
}

// TestAnswerIsKeptForLong: from when it is there, for the longest that somebody asked for, whoever
// was told; then it ends, with who had it kept, once none of them is heard any more.
func TestAnswerIsKeptForLong(t *testing.T) {
	s, r, _ := keptRun(t)
	more := asks("v", 1, "root")
	more.Terms.Keep = 30
	s.submit(0, more)
	r.demand.heardFrom(0, more.Submission)
	does(t, "it computes", r.outlived(time.Hour))
	if r.keptUntil() != steal.Never || r.isSpare() {
		t.Error("it has no answer, and is kept until some time")
	}
	four := value("4")
	r.answer = &four
	r.answering.begin(time.Minute)
	r.demand.heardFrom(90*time.Second, more.Submission)
	does(t, "it is kept", r.outlived(2*time.Minute-1))
	var ended []steal.Submission
	r.demand.heardFrom(0, r.submissions[0])
	does(t, "one was heard just now", r.outlived(150*time.Second-1))
	for _, e := range r.outlived(150 * time.Second) {
		if w, ok := e.(withdraws); ok {
			for _, stone := range w.Submissions {
				ended = append(ended, stone.Submission)
			}
		}
	}
	if want := r.keeps; len(want) != 2 || !slices.Equal(ended[:2], want) {
		t.Errorf("ended are %v, want %v", ended, want)
	}
	if !slices.Contains(ended, more.Submission) {
		t.Error("one that was to be kept and is not heard waits on")
	}
	for _, one := range slices.Clone(r.submissions) {
		r.removes(one)
	}
	if !r.isSpare() {
		t.Error("nobody waits, and it is more than kept")
	}
}

// TestWhatRecordsSayOfAnswers: another's word holds in its epoch; a master knows better, and a new
// one begins again unless it has the answer.
func TestWhatRecordsSayOfAnswers(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := keptAsks(1)
	r := s.of("a1", m)
	r.adds(m.Submission.Kept())
	h := r.head(0)
	h.Answered, h.Progress = 11, 70_00
	h.Epoch.Number++
	if r.hears(time.Minute, "me", &h) || r.over {
		t.Error("the word of another epoch holds")
	}
	h.Epoch = r.epoch
	if !r.hears(time.Minute, "me", &h) || r.keptUntil() != 49*time.Second+r.terms.keep() || r.extent.done != progressDone {
		t.Errorf("it is kept until %v, %d are done", r.keptUntil(), r.extent.done)
	}
	if r.hears(time.Minute, "me", &h) || s.runs.compute() {
		t.Error("it is news again, or there are jobs of it")
	}
	if told := r.head(time.Minute); told.Answered != 12 || told.Failed {
		t.Errorf("it tells %d, and that it failed: %v", told.Answered, told.Failed)
	}
	h.Failed = true
	if r.hears(time.Minute, "me", &h); !r.head(time.Minute).Failed {
		t.Error("it does not tell that it failed")
	}
	if !r.begunAgain() || r.over || r.extent.done != 0 || !s.runs.compute() {
		t.Error("another begins it again, and it has its answer")
	}
	r.answer = &steal.Result{}
	r.answering.isOver(0, 0)
	if r.begunAgain() || !r.over {
		t.Error("this peer keeps the answer, and forgets it")
	}
	r.master = "me"
	if r.over = false; r.hears(0, "me", &h) {
		t.Error("a master believes another that it has an answer")
	}
}

// keepsFor is a submission that is to be kept for so many seconds.
func keepsFor(m Submit, seconds uint32) Submit {
	m.Terms = m.Terms.settled()
	m.Terms.Keep = seconds
	return m
}

// TestOwnAnswerIsKeptElsewhere: who has submitted a run that is kept may be its master, too. The
// run does not end with its answer, so that one more peer has it all the same.
func TestOwnAnswerIsKeptElsewhere(t *testing.T) {
	s := newOfRuns(t, "a1")
	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")).With(Terms{Keep: 60}))
	m := s.submissions.bare(own)
	m.Root = own.root.Args
	r := s.own(m)
	does(t, "it has its answer", s.decisions.decide(0, r, value("4")), `answers itself "4"`, `a1: Keep "4"`,
		`all: Record epoch 1 master me submissions 2 root "mine", answered`, "peer.opens", "want work of run 1", "peer.fills")
}

// TestAnswerAgesWithItsRun: an answer is kept from when it was there first, whoever is master
// since.
func TestAnswerAgesWithItsRun(t *testing.T) {
	m := keepsFor(asks("u", 1, "root"), 60)
	answered := func(s *ofRuns) (*run, Head) {
		h := s.masteredBy("a1", m)
		h.Submissions, h.Answered = []steal.Submission{m.Submission.Kept()}, 51
		r, _ := s.learns(0, "a1", h, "root")
		return r, h
	}
	events := map[string]func(*ofRuns, *run, Head){
		"who kept it sends it": func(s *ofRuns, r *run, _ Head) {
			s.dies("a1")
			s.succession.look(time.Second)
			k := Keep{Run: r.instance, Epoch: r.epoch, Result: value("4"), Seconds: 51}
			s.decisions.hearKeep(time.Second, s.from("b1", k), k)
		},
		"it is found": func(s *ofRuns, r *run, _ Head) {
			s.dies("a1")
			s.results.Orphan(0, r.instance, r.instance.Run, value("4"))
			s.succession.look(time.Second)
		},
		"it is computed again": func(s *ofRuns, r *run, _ Head) {
			s.dies("a1")
			s.succession.look(time.Second)
			s.decisions.decide(2*time.Second, r, value("4"))
		},
	}
	for event, happens := range events {
		s := newOfRuns(t, "a1", "b1")
		r, h := answered(s)
		happens(s, r, h)
		if r.answer == nil || r.master != "me" {
			t.Fatalf("%s: there is no answer", event)
		}
		if until := r.keptUntil(); until < 9*time.Second || until > 10*time.Second {
			t.Errorf("%s: it is kept until %v", event, until)
		}
		does(t, event, r.outlived(9*time.Second-1))
		if len(r.outlived(10*time.Second)) != 1 {
			t.Errorf("%s: it is kept for longer", event)
		}
	}
}

// TestIsKeptForTheLast: who asks for a run that has had its answer for long has it kept for as long
// as it says, and one who asks for less takes nothing away.
func TestIsKeptForTheLast(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := keepsFor(asks("u", 1, "root"), 60)
	s.submit(0, m)
	r := s.runs.all[0]
	s.decisions.decide(0, r, value("4"))
	also := func(now time.Duration, by membership.PeerID, seconds uint32) {
		one := keepsFor(asks(by, 2, "root"), seconds)
		one.Run = m.Run
		s.submit(now, one)
	}
	also(50*time.Second, "v", 60)
	if until := r.keptUntil(); until != 110*time.Second {
		t.Errorf("it is kept until %v", until)
	}
	also(55*time.Second, "v", 60) // it says so again
	also(56*time.Second, "w", 10)
	if until := r.keptUntil(); until != 110*time.Second {
		t.Errorf("one asks for less, and it is kept until %v", until)
	}
	also(57*time.Second, "x", 100)
	if until := r.keptUntil(); until != 157*time.Second {
		t.Errorf("one asks for more, and it is kept until %v", until)
	}

	// another hears of that
	other := newOfRuns(t, "a1")
	h := other.masteredBy("a1", m)
	h.Submissions = []steal.Submission{m.Submission.Kept()}
	h.Answered = 51
	o, _ := other.learns(50*time.Second, "a1", h, "root")
	h.Answered = 1
	other.learns(50*time.Second, "a1", h, "root")
	if until := o.keptUntil(); until < 109*time.Second || until > 110*time.Second {
		t.Errorf("another has heard of it, and would keep it until %v", until)
	}
}

// TestNobodyIsComputedFor: a run whose answer is lost, and would not be kept any more, ends while
// it is computed again. Who asks for it meanwhile has it kept from its next answer on.
func TestNobodyIsComputedFor(t *testing.T) {
	for _, isAsked := range []bool{false, true} {
		s := newOfRuns(t, "a1")
		m := keepsFor(asks("u", 1, "root"), 60)
		h := s.masteredBy("a1", m)
		h.Submissions, h.Answered = []steal.Submission{m.Submission.Kept()}, 51
		r, _ := s.learns(0, "a1", h, "root")
		s.dies("a1")
		s.succession.look(time.Second)
		if r.root.borrow == 0 || r.over {
			t.Fatal("it is not computed again")
		}
		if isAsked {
			again := keepsFor(asks("v", 2, "root"), 60)
			again.Run = m.Run
			s.submit(2*time.Second, again)
		}
		if ends := len(r.outlived(time.Hour)) > 0; ends == isAsked {
			t.Errorf("asked for again: %v; it ends: %v", isAsked, ends)
		}
	}
}

// TestNobodyHasTheRoot: a run that is kept, and whose master has not got its root since it took
// over, ends when its answer would have been kept for long enough; while one waits who may have it,
// not.
func TestNobodyHasTheRoot(t *testing.T) {
	for _, waits := range []bool{false, true} {
		s := newOfRuns(t, "a1")
		m := keepsFor(asks("u", 1, ""), 300)
		h := s.masteredBy("a1", m)
		if h.Submissions = append(h.Submissions, m.Submission.Kept()); !waits {
			h.Submissions = h.Submissions[1:]
		}
		r, _ := s.records.learn(0, "a1", &h, nil)
		s.dies("a1")
		s.succession.look(time.Second)
		if r.master != "me" || r.root.bytes != nil {
			t.Fatalf("its master is %s, with the root %q", r.master, r.root.bytes)
		}
		r.demand.heard = map[steal.Submission]time.Duration{m.Submission: r.since + 290*time.Second}
		if all := r.outlived(r.since + 299*time.Second); len(all) > 0 {
			t.Errorf("waits %v: too soon it does %q", waits, told(all))
		}
		if ends := len(r.outlived(r.since+300*time.Second)) > 0; ends == waits {
			t.Errorf("waits %v: it ends: %v", waits, ends)
		}
	}
}

// TestAnothersTimeIsNotOnes: who has submitted a root that somebody else has kept for a moment, and
// is cut off, is waited for as if it were alone. Who has it kept itself is gone with that.
func TestAnothersTimeIsNotOnes(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := keepsFor(asks("u", 1, "root"), 5)
	waits := asks("v", 2, "root")
	waits.Run = m.Run
	s.submit(0, m)
	s.submit(0, waits)
	r := s.runs.all[0]
	r.demand.heardFrom(0, m.Submission)
	r.demand.heardFrom(0, waits.Submission)
	s.decisions.decide(time.Second, r, value("4"))
	for _, e := range r.outlived(10 * time.Minute) {
		if w, ok := e.(withdraws); ok {
			s.endings.bury(10*time.Minute, w.Submissions)
		}
	}
	if len(r.keeps) > 0 || r.waits("u") || !r.waits("v") || s.runs.find(r.instance) == nil {
		t.Errorf("there wait %v, and it is kept by %v", r.submissions, r.keeps)
	}
}

// keptBy is a run of which this peer is master, kept for as many as may be, of whom nobody waits
// any more: those with numbers from n on.
func keptBy(t *testing.T, n byte) (*ofRuns, *run) {
	s, r, m := keptRun(t, "a1")
	for range SubmissionsMax {
		r.adds(steal.Submission{Submitter: "v", Nonce: steal.Nonce(n), Keeps: true})
		n++
	}
	s.endings.bury(0, endOf([]steal.Submission{m.Submission, m.Submission.Kept()}, EndWithdrawn).Submissions)
	r.adds(steal.Submission{Submitter: "v", Nonce: steal.Nonce(n - 1), Keeps: true})
	if len(r.keeps) != SubmissionsMax || len(r.submissions) != 0 {
		t.Fatalf("%d keep it, %d wait", len(r.keeps), len(r.submissions))
	}
	return s, r
}

// TestOneKeeperTooManyIsTold, and how to have the answer all the same: by attaching, or without
// having it kept. One that was taken hears nothing of that.
func TestOneKeeperTooManyIsTold(t *testing.T) {
	s, r := keptBy(t, 1)
	more := keepsFor(asks("w", 1, "root"), 60)
	does(t, "it is to be kept for one more", s.submit(0, more), "w: Full")
	if len(r.submissions) > 0 || slices.Contains(r.keeps, more.Submission.Kept()) {
		t.Error("it is told that there is no room, and has one")
	}
	own := newSubmitter("a1")
	one := own.begins(t, "root")
	if got := told(own.hearFull(Full{Nonce: one.id.Nonce, Keeps: true})); !strings.Contains(got[0], "kept for 64 submissions") || !strings.Contains(got[0], "by the run's id") {
		t.Errorf("it is told %q", got)
	}
	waits := asks("w", 2, "root")
	waits.Run = r.instance.Run
	s.submit(0, waits)
	if s.submit(0, Submit{Submission: submittedAs("x", 1).Submission, Joins: r.id}); len(r.submissions) != 2 {
		t.Errorf("%d wait for it", len(r.submissions))
	}
	r.adds(steal.Submission{Submitter: "a", Nonce: 1, Keeps: true})
	again := waits
	again.Terms.Keep = 60
	does(t, "one that waits", s.submit(0, again), "w: Accepted")
}

// TestSidesThatAreFullAgree: each has as many as there may be that keep a run, and that wait for
// it, when a cut heals. Each hears what the other has, and then both have the same: there is
// nothing more to tell. A client cannot have others go for its own.
func TestSidesThatAreFullAgree(t *testing.T) {
	side := func(n byte) (*ofRuns, *run) {
		s, r := keptBy(t, n)
		for k := range byte(SubmissionsMax) {
			r.adds(steal.Submission{Submitter: "w", Nonce: steal.Nonce(n + k)})
		}
		r.master, r.epoch = "a1", membership.Epoch{Number: 1, Master: s.from("a1", nil).incarnation}
		return s, r
	}
	one, r := side(1)
	other, o := side(40)
	had, were := r.head(0), o.head(0)
	one.learns(0, "a1", were, "root")
	other.learns(0, "a1", had, "root")
	if !slices.Equal(r.keeps, o.keeps) || !slices.Equal(r.submissions, o.submissions) || one.runs.digest() != other.runs.digest() {
		t.Errorf("here are %v\nthere %v", r.keeps, o.keeps)
	}
	if len(r.keeps) != SubmissionsMax || r.keeps[0].Nonce != 1 || r.keeps[SubmissionsMax-1].Nonce != SubmissionsMax {
		t.Errorf("it is kept for %v", r.keeps)
	}
	first := steal.Submission{Submitter: "a", Nonce: 1, Keeps: true}
	h := r.head(0)
	h.Submissions = []steal.Submission{first, r.keeps[3]}
	if one.records.learnFromClient(0, "a", &h, nil); slices.Contains(r.keeps, first) {
		t.Error("a client has had another go")
	}
	r.removes(r.keeps[5])
	if one.records.learnFromClient(0, "a", &h, nil); r.keeps[0] != first || len(r.keeps) != SubmissionsMax {
		t.Error("a client keeps nothing though there is room")
	}
}
