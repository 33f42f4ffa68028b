package peer

import (
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

func over(all ...Submit) (e Ended) {
	for _, m := range all {
		e.Submissions = append(e.Submissions, Tombstone{Submission: m.Submission})
	}
	return e
}

// TestRunEndsWithItsSubmissions: with the last of them, and with it goes all that is kept for it. A
// submission of the peer's own is delivered as given up.
func TestRunEndsWithItsSubmissions(t *testing.T) {
	s := newOfRuns(t, "a1")
	first, second := asks("u", 1, "root"), asks("v", 2, "root")
	r := s.own(first)
	s.records.joins(0, r, second)
	s.deliverTo(r)
	s.ledger.Lend(0, "a1", s.from("a1", nil).incarnation, r.instance, keyOf("job"), 1)
	s.hears(advert(r.instance, 0, "job"))
	s.results.Orphan(0, r.instance, keyOf("part"), value("part"))

	news, effects := s.endings.bury(0, over(first).Submissions)
	does(t, "one has ended", effects)
	if !news || len(s.runs.all) != 1 || len(r.submissions) != 1 || len(r.deliveries) != 1 || r.deliveries[0].to != second.Submission || s.endings.isOver(r.instance) {
		t.Errorf("news: %v; still %v wait, and %v", news, r.submissions, r.deliveries)
	}
	if news, effects = s.endings.bury(time.Second, over(first).Submissions); news || len(effects) > 0 {
		t.Errorf("it is news again, and does %q", told(effects))
	}
	news, effects = s.endings.bury(time.Second, over(second).Submissions)
	does(t, "both have", effects, "end run 1")
	if len(s.copier.runs) > 0 || !news || !s.endings.isOver(r.instance) || s.endings.isOver(steal.Instance{}) || !s.Sight().Quiet() {
		t.Errorf("news: %v, quiet: %v", news, s.Sight().Quiet())
	}

	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")))
	_, effects = s.endings.bury(0, []Tombstone{{Submission: own.id}})
	if e, ok := effects[0].(Deliver); !ok || len(effects) != 1 || e.Nonce != own.id.Nonce || e.Result.Outcome != steal.Panicked {
		t.Errorf("its own does %q", told(effects))
	}
}

// TestHowRunsEnd: people are told of each once, with how it ended for whoever had something of it.
func TestHowRunsEnd(t *testing.T) {
	one, two := asks("u", 1, "root"), asks("v", 2, "root")
	kept := one.Submission.Kept()
	stone := func(s steal.Submission, how Epitaph) Tombstone { return Tombstone{Submission: s, How: how} }
	for _, c := range []struct {
		what   string
		answer steal.Result
		keeps  bool
		stones []Tombstone
		how    Epitaph
	}{
		{"answered", value("4"), false, []Tombstone{stone(two.Submission, EndWithdrawn), stone(one.Submission, EndAnswered)}, EndAnswered},
		{"for one of them", value("4"), false, []Tombstone{stone(one.Submission, EndAnswered), stone(two.Submission, EndWithdrawn)}, EndAnswered},
		{"with an error", steal.Result{Outcome: steal.Failed}, false, []Tombstone{stone(one.Submission, EndFailed), stone(two.Submission, EndFailed)}, EndFailed},
		{"for nobody", steal.Result{}, false, []Tombstone{stone(two.Submission, EndWithdrawn), stone(one.Submission, EndWithdrawn)}, EndWithdrawn},
		{"cancelled", steal.Result{}, false, []Tombstone{stone(one.Submission, EndCancelled)}, EndCancelled},
		{"kept for long enough", value("4"), true, []Tombstone{stone(one.Submission, EndAnswered), stone(two.Submission, EndAnswered), stone(kept, EndWithdrawn)}, EndExpired},
		{"displaced", value("4"), true, []Tombstone{stone(one.Submission, EndAnswered), stone(two.Submission, EndAnswered), stone(kept, EndDisplaced)}, EndDisplaced},
	} {
		s := newOfRuns(t, "a1")
		first := one
		if c.keeps {
			first = keepsFor(one, 60)
		}
		r := s.own(first)
		s.records.joins(0, r, two)
		if c.answer.Bytes != nil || c.answer.Outcome != steal.Value {
			s.decisions.decide(0, r, c.answer)
		}
		var said []RunOver
		for _, t := range append(c.stones, c.stones...) {
			_, effects := s.endings.bury(0, []Tombstone{t})
			for _, e := range effects {
				if over, ok := e.(RunOver); ok {
					said = append(said, over)
				}
			}
		}
		if want := (RunOver{r.id, c.how}); len(said) != 1 || said[0] != want {
			t.Errorf("%s: %v is said, want %v", c.what, said, want)
		}
	}
}

// hears has a1 advertise something.
func (s *ofRuns) hears(a orphan.Advert) {
	s.t.Helper()
	s.adverts.hearAdvert(0, s.from("a1", nil).life, a)
	if s.table.Len() == 0 {
		s.t.Fatal("what was advertised is not noted")
	}
}

// TestEndedRunIsNotAdvertised: nor is one asked for jobs; the entries go of one that is known, and
// of one that is over before it was.
func TestEndedRunIsNotAdvertised(t *testing.T) {
	s := newOfRuns(t, "a1")
	a1, _ := s.view.Member("a1")
	s.thief.Joined(a1)
	s.thief.Idle(0, 1)
	r := s.own(asks("u", 1, "root"))
	s.hears(advert(r.instance, 0, "job"))
	does(t, "it ends", s.endings.end(0, r), "end run 1")
	does(t, "its request is given up", s.thief.Tick(time.Minute))
	does(t, "a worker has nothing to do", s.thief.Tick(2*time.Minute))
	if s.table.Len() > 0 {
		t.Error("its entries stay")
	}
	unknown := asks("u", 2, "unknown")
	s.hears(advert(steal.Instance{Run: unknown.Run, First: unknown.Submission}, 1, "job"))
	if s.endings.bury(0, over(unknown).Submissions); s.table.Len() > 0 {
		t.Error("of a run that was over before it was known entries stay")
	}
}

// deliverTo has a run deliver its answer.
func (s *ofRuns) deliverTo(r *run) { s.decisions.decide(0, r, value("4")) }

// TestEndIsPassedOn: by the master to all, by who stood between to the master, and by others to
// nobody; once.
func TestEndIsPassedOn(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	mine, between, known := asks("u", 1, "1"), asks("u", 2, "2"), asks("u", 3, "3")
	s.own(mine)
	s.of("a1", between).demand.between = true
	s.of("a1", known)
	does(t, "of a run that is known", s.endings.hearEnded(0, "u", over(known)), "end run 3")
	does(t, "between", s.endings.hearEnded(0, "u", over(between)), "end run 2", "a1: Ended 1")
	does(t, "at the master", s.endings.hearEnded(0, "", over(mine)), "end run 1", "all: Ended 1")
	does(t, "again", s.endings.hearEnded(0, "u", over(mine, between)))

	s.of("a1", asks("u", 4, "4")).demand.between = true
	does(t, "by the master itself", s.endings.hearEnded(0, "a1", over(asks("u", 4, "4"))), "end run 4")
	s.of("a1", asks("u", 5, "5")).demand.between = true
	s.dies("a1")
	does(t, "its master is gone", s.endings.hearEnded(0, "u", over(asks("u", 5, "5"))), "end run 5")
}

// TestRunIsCancelled: the master hears it, all do, and each submitter once.
func TestRunIsCancelled(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.of("a1", asks("u", 1, "root"))
	for _, m := range []Submit{asks("u", 2, "root"), asks("v", 3, "root")} {
		s.records.joins(0, r, m)
	}
	does(t, "cancelled", s.endings.cancel(0, r, EndCancelled), "end run 1", "all: Ended 3", "a1: Ended 3", "u: Ended 3", "v: Ended 3")
	mine := asks("w", 4, "mine")
	mine.Terms.Keep = 60
	does(t, "its own, which is kept", s.endings.cancel(0, s.own(mine), EndWithdrawn), "the ends are to be kept", "end run 2", "all: Ended 2", "w: Ended 2")
}

// cancelled is a run that u has submitted to be kept, as its record says, and which was cancelled
// by one that knows nobody else who waits for it: so it is told.
func cancelled(t *testing.T) (Head, Ended) {
	t.Helper()
	s, r, _ := keptRun(t)
	for _, e := range s.endings.cancel(0, r, EndCancelled) {
		if over, ok := e.(membership.Publish); ok {
			return r.head(0), over.Body.(Ended)
		}
	}
	t.Fatal("nobody is told that it is cancelled")
	return Head{}, Ended{}
}

// TestCancelledRunIsOverForAll: for who waits for it, and for what keeps it, though whoever
// cancelled it did not know of them, and though its first submission had ended long before.
func TestCancelledRunIsOverForAll(t *testing.T) {
	for _, isOver := range []bool{false, true} {
		h, over := cancelled(t)
		s := newOfRuns(t, "a1")
		h.Master, h.Epoch.Master = "a1", s.from("a1", nil).incarnation
		more := keepsFor(asks("v", 2, "root"), 60)
		h.Submissions = []steal.Submission{h.Run.First, more.Submission.Kept(), more.Submission}
		r, _ := s.learns(0, "a1", h, "root")
		own, _ := s.submissions.beginJoin(r.id)
		s.submissions.joinedRun(own.id.Nonce, r.instance)
		if isOver {
			s.endings.bury(0, endOf([]steal.Submission{r.instance.First}, EndWithdrawn).Submissions)
		}
		got := told(s.endings.hearEnded(time.Minute, "a1", over))
		if len(got) > 0 && got[0] == "the ends are to be kept" {
			got = got[1:]
		}
		if len(got) != 3 || !strings.Contains(got[0], "the run was cancelled") || got[1] != "buries 1" || got[2] != "end run 1" {
			t.Errorf("its first has ended: %v; it does %q", isOver, got)
		}
		for _, one := range h.Submissions {
			if !s.tombstones.has(one) {
				t.Errorf("%v may be brought up again", one)
			}
		}
		if s.endings.hearEnded(time.Minute, "a1", over); len(s.runs.all) > 0 {
			t.Error("it is on")
		}
	}
}

// TestCancelledRunIsNotBroughtBack: neither by who had been cut off, and knows more that wait for
// it or keep it, nor by who has had it for an hour, nor from a disk. Who tells of it is told so.
// One that was kept for long enough and is waited for goes on.
func TestCancelledRunIsNotBroughtBack(t *testing.T) {
	const away = 30 * time.Hour
	for _, how := range []Epitaph{EndCancelled, EndWithdrawn} {
		h, over := cancelled(t)
		for n := range over.Submissions {
			over.Submissions[n].How = how
		}
		s := newOfRuns(t, "a1")
		s.endings.hearEnded(0, "a1", over)
		s.tombstones.forget(away)
		h.Master, h.Epoch.Master = "a1", s.from("a1", nil).incarnation
		rec := Record{Head: h, Root: []byte("root")}
		if how == EndWithdrawn {
			rec.Head.Submissions = []steal.Submission{h.Run.First}
		} else {
			rec.Head.Submissions = []steal.Submission{keepsFor(asks("v", 2, "root"), 60).Submission.Kept()}
		}
		does(t, "a record", s.records.take(away, "a1", member, rec), "a1: Ended 1")
		s.learning.runsOf(away, knows{"a1", Snapshot{About: AboutRuns, Heads: []Head{rec.Head}}})
		s.records.remembered(away, recorded(rec))
		if len(s.runs.all) > 0 {
			t.Errorf("%d: it is on again", how)
		}
		waits := rec
		waits.Head.Submissions = append(waits.Head.Submissions, asks("w", 3, "root").Submission)
		s.records.take(away, "a1", member, waits)
		if is := len(s.runs.all) > 0; is != (how == EndWithdrawn) {
			t.Errorf("%d: somebody waits for it, and it is on: %v", how, is)
		}
	}
}

// TestWhoAsksIsTold: that a submission is over; that its own are wanted, or are not known; and
// another's is asked in turn, once.
func TestWhoAsksIsTold(t *testing.T) {
	s := newOfRuns(t, "a1")
	ended, wanted := asks("u", 1, "1"), asks("u", 2, "2")
	s.own(ended)
	s.own(wanted)
	s.endings.bury(0, over(ended).Submissions)
	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")))
	asked := func(id steal.Submission, hops uint8) Wanted { return Wanted{Submission: id, Hops: hops} }
	does(t, "it is over", s.endings.hearWanted(0, "a1", asked(ended.Submission, 0)), "a1: Ended 1")
	does(t, "its own", s.endings.hearWanted(0, "a1", asked(own.id, 0)), `a1: Submit root ""`)
	does(t, "of an earlier life", s.endings.hearWanted(0, "a1", asked(steal.Submission{Submitter: "me", Nonce: 1}, 0)), "a1: Ended 1")
	does(t, "another's", s.endings.hearWanted(0, "a1", asked(wanted.Submission, 0)), "u: Wanted")
	does(t, "that was passed on", s.endings.hearWanted(0, "a1", asked(wanted.Submission, 1)))
	does(t, "not known", s.endings.hearWanted(0, "a1", asked(steal.Submission{Submitter: "w"}, 0)))
}

// TestWhoBringsUpWhatIsOverIsTold: all of it in one message, and nothing of what is not.
func TestWhoBringsUpWhatIsOverIsTold(t *testing.T) {
	s := newOfRuns(t, "a1")
	on, one, two := asks("u", 1, "1"), asks("u", 2, "2"), asks("v", 3, "3")
	s.endings.bury(0, over(one, two).Submissions)
	heads := []Head{s.masteredBy("a1", on), s.masteredBy("a1", one), s.masteredBy("a1", two)}
	does(t, "three runs", s.endings.tellOver(time.Second, "a1", heads), "a1: Ended 2")
	does(t, "what is on", s.endings.tellOver(time.Second, "a1", heads[:1]))
}

// TestRunIsDoneWhenAnswered: for whoever waited for it; not because another's, or one that was
// given up, has ended.
func TestRunIsDoneWhenAnswered(t *testing.T) {
	s := newOfRuns(t)
	first, second, other := asks("u", 1, "root"), asks("v", 2, "root"), asks("w", 3, "other")
	r := s.own(first)
	s.records.joins(0, r, second)
	s.records.joins(0, r, asks("x", 4, "root"))
	s.endings.bury(0, []Tombstone{{Submission: other.Submission, How: EndAnswered}, {Submission: first.Submission}})
	if r.disk.done {
		t.Error("it was given up, or another run was answered, and it is done")
	}
	if s.endings.bury(0, []Tombstone{{Submission: second.Submission, How: EndAnswered}}); !r.disk.done || len(r.submissions) != 1 {
		t.Error("one has its answer, and it is not done")
	}
}
