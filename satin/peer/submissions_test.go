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
		self: "me", rng: rand.New(rand.NewPCG(1, 1)), members: s, failure: failing, refusal: (&Config{}).refusal, reports: &reports{},
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
	s.accepted(time.Second, Accepted{Nonce: one.id.Nonce, Master: "b1"})
	s.accepted(time.Second, Accepted{Nonce: 1, Master: "c1"})
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
	s.accepted(0, Accepted{Nonce: one.id.Nonce, Master: "b1"})
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
	if got := told(s.endedElsewhere(Tombstone{Submission: one.id})); len(got) != 1 || !strings.Contains(got[0], "ended on the grid") {
		t.Errorf("ended elsewhere: %q", got)
	}
	ended(s, one)
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
	if _, err := s.begin(Root{Run: steal.Key{1}, Args: make([]byte, rootAlong)}); err != nil {
		t.Errorf("one that travels with its record: %v", err)
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

// TestSubmissionFollowsItsMaster: it goes to who has taken it last; and to the oldest when that one
// is gone, though an earlier one's word comes late.
func TestSubmissionFollowsItsMaster(t *testing.T) {
	s := newSubmitter("a1", "b1", "c1")
	one := s.begins(t, "root")
	nonce := one.id.Nonce
	does(t, "the first time", s.submit(0, one), `a1: Submit root "root"`)
	run := steal.Instance{Run: one.root.Run, First: one.id}
	s.accepted(time.Second, Accepted{Nonce: nonce, Run: run, Master: "b1"})
	if gap := one.gap.Next(); one.run != run || gap != submitGapMax {
		t.Errorf("it belongs to %v, and is repeated after %v", one.run, gap)
	}
	does(t, "by way of another", s.tick(6*time.Second), `c1: Submit root ""`)
	does(t, "to its master", s.tick(11*time.Second), `b1: Submit root ""`)
	delete(s.present, "b1")
	s.accepted(12*time.Second, Accepted{Nonce: nonce, Run: run, Master: "c1"})
	s.accepted(12*time.Second, Accepted{Nonce: nonce, Run: run, Master: "b1"})
	s.accepted(12*time.Second, Accepted{Nonce: nonce + 1, Master: "c1"})
	s.tick(17 * time.Second)
	does(t, "who is gone has spoken last", s.tick(22*time.Second), `a1: Submit root ""`)
	for range 2 { // the first was lost
		does(t, "the next has only the record", s.hearNeedRoot("c1", NeedRoot{nonce}), `c1: Submit root "root"`)
	}
	if s.deadline() != 27*time.Second {
		t.Errorf("what it was asked for moves its own repeats to %v", s.deadline())
	}
}

// TestSubmissionToBeKept: the grid has it when it is safe, which is told once, or with its answer.
// Until then it is repeated as often as before: its master may be all that knows of it. What was
// said of one run is not so of another.
func TestSubmissionToBeKept(t *testing.T) {
	s := newSubmitter("a1", "b1")
	one := s.begins(t, "root")
	one.root.Terms.Keep = 60
	s.submit(0, one)
	run, other := one.begins(), steal.Instance{Run: steal.Key{7}}
	a, again := Accepted{Nonce: one.id.Nonce, Run: run, Master: "b1"}, one.again
	does(t, "its master has it", s.accepted(100*ms, a))
	if one.again != again || !one.known || one.master != "b1" {
		t.Errorf("it is repeated at %v, known: %v, to %s", one.again, one.known, one.master)
	}
	safe := a
	safe.Safe = true
	admitted := told([]membership.Effect{Admitted{a.Nonce, run}})
	does(t, "another has it, too", s.accepted(200*ms, safe), admitted...)
	does(t, "said again", s.accepted(300*ms, safe))
	does(t, "the first word comes late", s.accepted(400*ms, a))
	if one.again != 400*ms+submitGapMax {
		t.Errorf("one that is safe is repeated at %v", one.again)
	}
	a.Run = other
	does(t, "it is part of another run", s.accepted(time.Second, a))
	if one.safe || one.run != other || one.again != 400*ms+submitGapMax {
		t.Errorf("safe: %v, as part of %v, again at %v", one.safe, one.run, one.again)
	}
	admitted = told([]membership.Effect{Admitted{a.Nonce, other}})
	does(t, "its answer comes", s.answered(a.Nonce, value("4"), "b1"),
		`deliver "4"`, admitted[0], "buries 1", "all: Ended 1", "b1: Ended 1")
}

// TestSubmissionsWhereManyCome: who learns of several members at once submits once, soon, and in
// short gaps again. What a present master has taken waits.
func TestSubmissionsWhereManyCome(t *testing.T) {
	s := newSubmitter("a1", "b1")
	taken, lost := s.begins(t, "taken"), s.begins(t, "lost")
	for range 4 {
		s.submit(0, taken)
		s.submit(0, lost)
	}
	s.accepted(0, Accepted{Nonce: taken.id.Nonce, Master: "b1"})
	s.accepted(0, Accepted{Nonce: lost.id.Nonce, Master: "x1"})
	s.soon(time.Second)
	s.soon(time.Second + comeTogether/2)
	if s.deadline() != time.Second+comeTogether || taken.again != submitGapMax {
		t.Errorf("again at %v, and what was taken at %v", s.deadline(), taken.again)
	}
	does(t, "they have come", s.tick(s.deadline()), `a1: Submit root ""`)
	if lost.again != time.Second+comeTogether+submitGapMin {
		t.Errorf("then again at %v", lost.again)
	}
}

// TestSubmissionOfALongRoot: it has time to arrive before it is repeated; an empty one is sent as
// such, since none at all says that it was sent before.
func TestSubmissionOfALongRoot(t *testing.T) {
	s := newSubmitter("a1")
	long := s.begins(t, strings.Repeat("x", 2*bytesPerSecond))
	if s.submit(0, long); long.again != submitGapMin+2*time.Second {
		t.Errorf("a long one is repeated at %v", long.again)
	}
	if s.tick(long.again); long.again != 5500*ms {
		t.Errorf("sent once more, since nobody knows of it, it is repeated at %v", long.again)
	}
	none, err := s.begin(Root{Run: steal.Key{2}, Task: "task"})
	if err != nil {
		t.Fatal(err)
	}
	m := s.submit(0, none)[0].(tells).body.(Submit)
	if m.Root == nil || m.Terms != (Terms{}).settled() {
		t.Errorf("an empty root is %v, under %+v", m.Root, m.Terms)
	}
	if s.rootOf(long.root.Digest) == nil || s.rootOf(steal.Key{9}) != nil {
		t.Error("its own root is not known, or another is")
	}
}

// TestSubmitterIsAsked: whether one is wanted that it waits for says its repeat, without where it
// is and without the root; of one that has ended, or of an earlier life of this process, that it is
// over. What somebody else has submitted under that number is none of its own.
func TestSubmitterIsAsked(t *testing.T) {
	s := newSubmitter("a1")
	s.addrs = []string{addrOf("me")}
	one := s.begins(t, "root")
	if first := s.submit(0, one)[0].(tells).body.(Submit); len(first.Addrs) != 1 {
		t.Errorf("it may be dialled at %v", first.Addrs)
	}
	effects := s.askedIfWanted("b1", one.id)
	if does(t, "it is", effects, `b1: Submit root ""`); effects[0].(tells).body.(Submit).Addrs != nil {
		t.Error("who passes it on is told where this peer is")
	}
	does(t, "an earlier life's", s.askedIfWanted("b1", steal.Submission{Submitter: "me", Nonce: 1}), "b1: Ended 1")
	other := steal.Submission{Submitter: "c1", Nonce: one.id.Nonce}
	if !s.isOwn(one.id) || s.isOwn(other) || s.awaits([]steal.Submission{other}) {
		t.Error("another's is its own, or its own is not")
	}
	does(t, "another's has ended", s.endedElsewhere(Tombstone{Submission: other}))
	does(t, "cancelled", s.cancel(one.id.Nonce), "buries 1", "all: Ended 1")
	does(t, "it is not any more", s.askedIfWanted("b1", one.id), "b1: Ended 1")
	does(t, "its answer comes late", s.answered(one.id.Nonce, value("4"), "b1"), "b1: Ended 1")
	does(t, "nor is there room", s.hearFull(Full{Nonce: one.id.Nonce}))
	does(t, "nor a root", s.hearNeedRoot("b1", NeedRoot{one.id.Nonce}))
	if s.isOwn(one.id) || s.deadline() != steal.Never {
		t.Error("it has ended, and is waited for")
	}
}

// TestEndIsToldWithItsReason: who has the answer says so, whoever asks and however late; of one
// that was cancelled, or that this life has never had, it does not.
func TestEndIsToldWithItsReason(t *testing.T) {
	s := newSubmitter("a1", "b1")
	answered := func(effects []membership.Effect) bool {
		t.Helper()
		return effects[len(effects)-1].(tells).body.(Ended).Submissions[0].How == EndAnswered
	}
	one, two := s.begins(t, "root"), s.begins(t, "other")
	if !answered(s.answered(one.id.Nonce, value("4"), "b1")) || !answered(s.answered(one.id.Nonce, value("4"), "a1")) {
		t.Error("who brings an answer is not told that it has come")
	}
	if !answered(s.askedIfWanted("b1", one.id)) {
		t.Error("who asks is not told that it was answered")
	}
	two.master = "b1"
	if answered(s.cancel(two.id.Nonce)) || answered(s.askedIfWanted("b1", two.id)) || answered(s.answered(two.id.Nonce, value("4"), "b1")) {
		t.Error("one that was cancelled was answered")
	}
}

// TestSubmitterIsItsMaster: to itself it says nothing, whichever of the two ends first.
func TestSubmitterIsItsMaster(t *testing.T) {
	s := newSubmitter("a1")
	first, next := s.begins(t, "root"), s.begins(t, "root")
	for _, one := range []*submission{first, next} {
		s.accepted(0, Accepted{Nonce: one.id.Nonce, Master: "me"})
	}
	does(t, "its own answer", s.answered(first.id.Nonce, value("4"), "me"), `deliver "4"`, "buries 1", "all: Ended 1")
	does(t, "again", s.answered(first.id.Nonce, value("4"), "me"))
	if s.rootOf(next.root.Digest) == nil {
		t.Error("the root that another of its submissions has is gone")
	}
	does(t, "cancelled", s.cancel(next.id.Nonce), "buries 1", "all: Ended 1")
}

// TestRunIsCancelledForWhoSubmitted: it hears so of its own submission, or of the first of the run
// that it was part of, which somebody else may have submitted; and says to all that its own has
// ended with that. Another run of the same root, and one that it is not known to be part of, go on.
func TestRunIsCancelledForWhoSubmitted(t *testing.T) {
	s := newSubmitter("a1")
	first := steal.Submission{Submitter: "c1", Nonce: 1, Keeps: true}
	part := func(first steal.Submission) *submission {
		one := s.begins(t, "root")
		s.accepted(0, Accepted{Nonce: one.id.Nonce, Run: steal.Instance{Run: one.root.Run, First: first}, Master: "a1"})
		return one
	}
	of, other := part(first), part(steal.Submission{Submitter: "c1", Nonce: 2})
	unknown := s.begins(t, "root")
	if s.bare(of).Of != first || s.bare(unknown).Of != (steal.Submission{}) {
		t.Error("its repeats do not say of which run it is part, or say so before it knows")
	}
	const why = `deliver panic ": the run was cancelled on the grid, for all who waited for it"`
	does(t, "the first has ended", s.endedElsewhere(Tombstone{Submission: first, How: EndWithdrawn}))
	does(t, "the run is cancelled", s.endedElsewhere(Tombstone{Submission: first, How: EndCancelled}), why, "buries 1")
	does(t, "again", s.endedElsewhere(Tombstone{Submission: first, How: EndCancelled}))
	does(t, "what is none is", s.endedElsewhere(Tombstone{How: EndCancelled}))
	does(t, "its own", s.endedElsewhere(Tombstone{Submission: unknown.id, How: EndCancelled}), why)
	if s.own(of.id.Nonce) != nil || s.own(unknown.id.Nonce) != nil || s.own(other.id.Nonce) != other || len(s.mine) != 1 {
		t.Errorf("it waits for %d", len(s.mine))
	}
}
