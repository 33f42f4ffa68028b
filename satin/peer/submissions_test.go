package peer

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// submitter is a peer, or client, called me that submits, to the oldest of others; the last of them
// is the one that is drawn.
type submitter struct {
	*submissions
	present
	oldest, drawn membership.PeerID
	known         bool // a run is that submissions may join
	seeks         bool // it is on its way in
}

func newSubmitter(others ...membership.PeerID) *submitter {
	s := &submitter{present: presentOf(others...)}
	if len(others) > 0 {
		s.oldest, s.drawn = others[0], others[len(others)-1]
	}
	s.submissions = &submissions{
		self: "me", rng: rand.New(rand.NewPCG(1, 1)), members: s, failure: failing,
		knows: func(Submit) bool { return s.known }, seeks: func() bool { return s.seeks },
	}
	return s
}

func (s *submitter) Oldest() (membership.Member, bool) { return s.Member(s.oldest) }
func (s *submitter) Draw() (membership.Member, bool)   { return s.Member(s.drawn) }

// begins begins a submission of a root.
func (s *submitter) begins(t *testing.T, root string) *submission {
	t.Helper()
	one, err := s.begin(RootOf(steal.Key{1}, "task", []byte(root)))
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// TestSubmissionIsRepeated: it goes to the oldest, and every other time to anybody, in longer and
// longer gaps; with the root the first time, and to others while nobody has heard of it.
func TestSubmissionIsRepeated(t *testing.T) {
	s := newSubmitter("a1", "b1")
	one := s.begins(t, "root")
	s.seeks = true
	does(t, "on its way in", s.submit(0, one))
	if one.bare || s.deadline() < submitGapMin {
		t.Errorf("bare: %v, again at %v", one.bare, s.deadline())
	}
	s.seeks = false
	one = s.begins(t, "root")
	for _, step := range []struct {
		event string
		at    time.Duration
		known bool
		does  string
	}{
		{"the first time", 0, false, `a1: Submit root "root"`},
		{"by way of another", time.Second, false, `b1: Submit root "root"`},
		{"to the oldest again", 3 * time.Second, false, `a1: Submit root ""`},
		{"others know of it", 7 * time.Second, true, `b1: Submit root ""`},
	} {
		s.known = step.known
		does(t, step.event, s.submit(step.at, one), step.does)
	}
	if one.again-7*time.Second != 4*time.Second {
		t.Errorf("again at %v", one.again)
	}
	if gap := one.gap.Next(); gap != submitGapMax {
		t.Errorf("the next gap is %v", gap)
	}
	does(t, "the root is needed", s.hearNeedRoot("c1", NeedRoot{one.id.Nonce}), `c1: Submit root "root"`)
	does(t, "another's is", s.hearNeedRoot("c1", NeedRoot{1}))
	s.oldest = "me"
	s.present["me"] = membership.Member{ID: "me"}
	does(t, "it is the oldest itself", s.submit(0, one), `itself: Submit root "root"`)
}

// TestSubmissionsAreSentInTurn: those that are due; and all, in short gaps again, once there is a
// grid.
func TestSubmissionsAreSentInTurn(t *testing.T) {
	s := newSubmitter("a1", "b1")
	first := s.begins(t, "first")
	does(t, "submitted", s.submit(0, first), `a1: Submit root "first"`)
	second := s.begins(t, "second")
	does(t, "and one more", s.submit(ms, second), `a1: Submit root "second"`)
	does(t, "neither is due", s.tick(s.deadline()-1))
	does(t, "the first is", s.tick(s.deadline()), `b1: Submit root "first"`)
	if second.again < s.deadline() || first.again <= second.again {
		t.Errorf("then the second at %v, the first at %v", second.again, first.again)
	}
	does(t, "both are", s.tick(time.Minute), `a1: Submit root ""`, `b1: Submit root "second"`)
	s.known = true
	does(t, "there is a grid", s.anew(2*time.Minute), `b1: Submit root ""`, `a1: Submit root ""`)
	if s.deadline() != 2*time.Minute+submitGapMin {
		t.Errorf("then again at %v", s.deadline())
	}
}

// TestSubmissionIsAccepted: it is repeated to the master, seldom; at once when that one is gone and
// somebody comes.
func TestSubmissionIsAccepted(t *testing.T) {
	s := newSubmitter("a1", "b1", "c1")
	one := s.begins(t, "root")
	s.submit(0, one)
	s.hearAccepted(time.Second, Accepted{Nonce: one.id.Nonce, Master: "b1"})
	s.hearAccepted(time.Second, Accepted{Nonce: 1, Master: "c1"})
	if s.soon(2 * time.Second); s.deadline() != time.Second+submitGapMax {
		t.Errorf("again at %v", s.deadline())
	}
	one.tries = 2
	does(t, "repeated", s.submit(6*time.Second, one), `b1: Submit root ""`)
	delete(s.present, "b1")
	if s.soon(7 * time.Second); s.deadline() != 7*time.Second+comeTogether {
		t.Errorf("again at %v", s.deadline())
	}
	one.tries = 2
	does(t, "its master is gone", s.submit(8*time.Second, one), `a1: Submit root ""`)
	if !s.awaits([]steal.Submission{one.id}) || s.awaits(nil) {
		t.Error("it is awaited not, or always")
	}
}

// TestSubmissionEnds: answered, cancelled, refused, and ended by somebody else.
func TestSubmissionEnds(t *testing.T) {
	ended := func(s *submitter, one *submission) {
		t.Helper()
		if s.own(one.id.Nonce) != nil || s.rootOf(one.root.Digest) != nil {
			t.Error("it has not ended")
		}
	}
	s := newSubmitter("a1", "b1")
	one := s.begins(t, "root")
	does(t, "an answer", s.answered(one.id.Nonce, value("4"), "b1"), `deliver "4"`, "buries 1", "all: Ended 1", "b1: Ended 1")
	ended(s, one)
	does(t, "it comes again", s.answered(one.id.Nonce, value("4"), "c1"), "c1: Ended 1")
	does(t, "another answer", s.answered(one.id.Nonce, value("5"), "c1"),
		"fault: two answers to one submission differ: a job that is not a function of its fields", "c1: Ended 1")
	does(t, "an answer that nobody waits for", s.answered(1, value("4"), "c1"), "c1: Ended 1")
	one = s.begins(t, "root")
	s.hearAccepted(0, Accepted{Nonce: one.id.Nonce, Master: "b1"})
	does(t, "no room, it says later", s.hearFull(Full{Nonce: one.id.Nonce}))
	does(t, "cancelled", s.cancel(one.id.Nonce), "buries 1", "all: Ended 1", "b1: Ended 1")
	ended(s, one)
	does(t, "cancelled twice", s.cancel(one.id.Nonce))
	for roots, want := range map[bool]string{false: "the grid has 64 runs", true: "the root is 0 MiB"} {
		one = s.begins(t, "root")
		got := told(s.hearFull(Full{Nonce: one.id.Nonce, Roots: roots}))
		if ended(s, one); len(got) != 3 || !strings.Contains(got[0], want) || got[1] != "buries 1" || got[2] != "all: Ended 1" {
			t.Errorf("there is no room: %q", got)
		}
	}
	one = s.begins(t, "root")
	if got := told(s.endedElsewhere(one.id)); len(got) != 1 || !strings.Contains(got[0], "ended on the grid") {
		t.Errorf("ended elsewhere: %q", got)
	}
	ended(s, one)
}

// TestAnswersOfChoice: where either may be right the application is asked, once at a time.
func TestAnswersOfChoice(t *testing.T) {
	s := newSubmitter("a1")
	one := s.begins(t, "root")
	choice := func(text string) steal.Result { return steal.Result{Bytes: []byte(text), Choosing: true} }
	s.answered(one.id.Nonce, choice("4"), "a1")
	asked := func(effects []membership.Effect) bool {
		_, is := effects[0].(Differ)
		return is
	}
	if !asked(s.answered(one.id.Nonce, choice("5"), "a1")) || asked(s.answered(one.id.Nonce, choice("6"), "a1")) {
		t.Error("it is asked never, or twice")
	}
	does(t, "neither is better", s.differed(one.id.Nonce, false))
	if !asked(s.answered(one.id.Nonce, choice("6"), "a1")) {
		t.Error("it is not asked again")
	}
	if len(s.differed(one.id.Nonce, true)) != 1 {
		t.Error("one is better, and that is no fault")
	}
}

// TestSubmissionsAreBounded: by number, and by the bytes of their roots, where those are big.
func TestSubmissionsAreBounded(t *testing.T) {
	s := newSubmitter("a1")
	big := Root{Run: steal.Key{1}, Args: make([]byte, RootMax)}
	for range rootsFromMax / RootMax {
		if _, err := s.begin(big); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.begin(big); err == nil || !strings.Contains(err.Error(), "192 MiB together") {
		t.Errorf("one too many bytes: %v", err)
	}
	for len(s.mine) < SubmissionsMax {
		s.begins(t, "small")
	}
	if _, err := s.begin(Root{}); !errors.Is(err, ErrTooMany) {
		t.Errorf("one too many: %v", err)
	}
	for range answersMax + 1 {
		s.mine = s.mine[:0]
		s.answered(s.begins(t, "small").id.Nonce, value("4"), "a1")
	}
	if len(s.answers) != answersMax {
		t.Errorf("%d answers are kept", len(s.answers))
	}
}
