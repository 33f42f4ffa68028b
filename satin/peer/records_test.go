package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// learns has the records hear a head from somebody, with a root or without.
func (s *ofRuns) learns(now time.Duration, from membership.PeerID, h Head, root string) (*run, []membership.Effect) {
	if root == "" {
		return s.records.learn(now, from, &h, nil)
	}
	return s.records.learn(now, from, &h, []byte(root))
}

// TestRunIsLearnt: with its root the workers hear of it, too; one root comes once, and another's is
// not taken for it.
func TestRunIsLearnt(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	h := s.masteredBy("a1", m)
	h.Deaths = []Death{{Victim: "b1", Task: "t"}}
	r, effects := s.learns(0, "a1", h, "")
	does(t, "without its root", effects, "sees master a1, epoch 1")
	if r == nil || !r.vouched || r.master != "a1" || !s.mastership.due || len(r.submissions) != 1 || len(r.poison.deaths) != 1 || s.mastership.supportAt != 0 {
		t.Fatalf("learnt is %+v", r)
	}
	again, effects := s.learns(0, "a1", h, "else")
	does(t, "with another's root", effects, `start run 1, root "else"`, "unblocks")
	if again != r {
		t.Error("it is kept twice")
	}
	_, effects = s.learns(0, "a1", h, "root")
	does(t, "once more", effects)
}

// TestRootMustFit: what has another digest or length is no root of the run. Its own submission's is
// taken wherever its record comes from.
func TestRootMustFit(t *testing.T) {
	s := newOfRuns(t, "a1")
	h := s.masteredBy("a1", asks("u", 1, "root"))
	long := h
	long.RootBytes++
	r, _ := s.learns(0, "a1", long, "root")
	if h.RootDigest = keyOf("else"); r.root != nil {
		t.Error("too short a root is taken")
	}
	if s.learns(0, "a1", h, "roots"); r.root != nil {
		t.Error("a root of another digest is taken")
	}
	root := RootOf(steal.Key{2}, "t", []byte("mine"))
	own, _ := s.submissions.begin(root)
	mine := s.masteredBy("a1", Submit{Submission: own.id, Run: root.Run, Task: "t", RootDigest: root.Digest, Root: root.Args})
	_, effects := s.learns(0, "a1", mine, "")
	does(t, "of its own", effects, "sees master a1, epoch 1", `start run 2, root "mine"`, "unblocks")
}

// TestWhatIsNotLearnt: what cannot be, what has ended, what there is no room for, and an epoch to
// which no grid comes, but by one that joins.
func TestWhatIsNotLearnt(t *testing.T) {
	s := newOfRuns(t, "a1")
	ended := asks("u", 1, "ended")
	s.endings.bury(0, over(ended).Submissions)
	unsound, late := s.masteredBy("a1", asks("u", 2, "2")), s.masteredBy("a1", asks("u", 3, "3"))
	unsound.Epoch.Number = 0
	late.Epoch.Number = membership.RaiseMax + 1
	for event, h := range map[string]Head{"unsound": unsound, "late": late, "ended": s.masteredBy("a1", ended)} {
		if r, effects := s.learns(0, "a1", h, ""); r != nil || len(effects) > 0 {
			t.Errorf("%s: it does %q", event, told(effects))
		}
	}
	s.join.active = true
	r, _ := s.learns(0, "a1", late, "")
	if r == nil || !r.epochs.Admits(0, late.Epoch.Number+membership.RaiseMax) {
		t.Error("one that joins cannot know better, and takes it for the first")
	}
	for n := byte(10); !s.runs.isFull(); n++ {
		s.of("a1", asks("u", n, "some"))
	}
	if r, _ := s.learns(0, "a1", s.masteredBy("a1", asks("u", 4, "4")), ""); r != nil {
		t.Error("there is no room, and it is kept")
	}
}

// TestSubmissionsAreUnited: whoever comes is told of by the master, and gets the answer that is
// there; what it asks for beside the others the workers hear.
func TestSubmissionsAreUnited(t *testing.T) {
	s := newOfRuns(t, "a1")
	first, second, third := asks("u", 1, "root"), asks("v", 2, "root"), asks("w", 3, "root")
	r := s.own(first)
	second.Terms.Share = 2 * ShareDefault
	const record = `all: Record epoch 1 master me submissions 2 root "root"`
	does(t, "one more", s.records.joins(0, r, second), record, "peer.ShareIs", record)
	does(t, "that is known", s.records.joins(0, r, second))
	s.deliverTo(r)
	does(t, "there is an answer", s.records.joins(0, r, third),
		`all: Record epoch 1 master me submissions 3 root "root"`, `w: Answer "4"`)

	other := s.of("a1", asks("u", 4, "other"))
	does(t, "another is master", s.records.joins(0, other, asks("v", 5, "other")))
	if len(other.submissions) != 2 {
		t.Errorf("waiting are %v", other.submissions)
	}
}

// TestRecordIsHeard: what is missing of it is asked for, and its best is compared; who brings one
// of a run that is over is told so.
func TestRecordIsHeard(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	rec := Record{Head: s.masteredBy("a1", m)}
	does(t, "without its root", s.records.hearRecord(0, "a1", member, rec), "sees master a1, epoch 1", "a1: Fetch", "unblocks")
	does(t, "at once again", s.records.hearRecord(0, "a1", member, rec), "unblocks")
	rec.Root, rec.Best = m.Root, stamp("best")
	s.runs.all[0].lacked.at = 1
	does(t, "with it", s.records.hearRecord(0, "a1", member, rec), `start run 1, root "root"`, "unblocks", `compare the best "best"`, "unblocks")
	r := s.runs.all[0]
	does(t, "it is held now", r.best.compared(0, rec.Best.Digest, Better, steal.Result{}), "unblocks", "unblocks", "a1: HaveBest")
	if r.lacked.at != 0 {
		t.Error("it is still said that it is not known")
	}
	s.endings.bury(0, over(m).Submissions)
	does(t, "it is over", s.records.hearRecord(0, "a1", member, rec), "a1: Ended 1")
}

// TestRecordOfAClient: of a run that is known it takes the client's own submissions alone; of
// others' runs a member takes no record from it, nor more than its share.
func TestRecordOfAClient(t *testing.T) {
	s := newOfRuns(t, "a1")
	first := asks("u", 1, "root")
	r := s.of("a1", first)
	h := s.masteredBy("a1", first)
	h.Epoch.Number, h.Master = 9, "u"
	h.Submissions = append(h.Submissions, steal.Submission{Submitter: "v", Nonce: 2}, steal.Submission{Submitter: "w", Nonce: 3})
	h.Contacts = []Contact{{"v", []string{addrOf("v")}}, {"w", []string{addrOf("w")}}}
	h.Deaths = []Death{{Victim: "a1"}}
	does(t, "of v", s.records.hearRecord(0, "v", client, Record{Head: h, Best: stamp("best")}), "unblocks")
	if isOf(t, "a client tells", r, "a1", 1); len(r.submissions) != 2 || len(r.contacts) != 1 || len(r.poison.deaths) > 0 || r.lacked != (lacked{}) {
		t.Errorf("it takes %v, %v and %v", r.submissions, r.contacts, r.poison.deaths)
	}
	if !s.book.Has("v") || s.book.Has("w") {
		t.Error("v is not in the book, or w is")
	}
	does(t, "another's run", s.records.hearRecord(0, "v", client, Record{Head: s.masteredBy("a1", asks("u", 4, "4"))}))
	own := Record{Head: s.masteredBy("a1", asks("v", 5, "5")), Best: stamp("best")}
	does(t, "its own", s.records.hearRecord(0, "v", client, own),
		"sees master a1, epoch 1", "v: Fetch", "unblocks")
	mine := s.runs.all[1]
	does(t, "its best counts, too", s.roots.came(0, mine, []byte("5")), `start run 2, root "5"`, `compare the best "best"`, "unblocks")
	for n := byte(6); s.runs.firstOf("v") < runsOfOne; n++ {
		s.of("a1", asks("v", n, "v"))
	}
	does(t, "beyond its share", s.records.hearRecord(0, "v", client, Record{Head: s.masteredBy("a1", asks("v", 99, "v"))}))
	s.runs.all[0].instance.First.Submitter = "v"
	for _, r := range s.runs.all[1:] {
		r.instance.First.Submitter = "me"
	}
	if s.records.hasItsShare("v") || s.records.hasItsShare("me") {
		t.Error("v has its share, or the peer itself has one")
	}
}

// TestRecordIsGiven: with the root to who lacks it, or the word that the run is over.
func TestRecordIsGiven(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	r, effects := s.records.made(0, m)
	does(t, "made", effects, "sees master me, epoch 1", `start run 1, root "root"`, "unblocks",
		`all: Record epoch 1 master me submissions 1 root "root"`)
	does(t, "asked for", s.records.hearFetch(0, "a1", Fetch{r.instance}), `a1: Record epoch 1 master me submissions 1 root "root"`)
	s.endings.bury(0, over(m).Submissions)
	does(t, "that is over", s.records.hearFetch(0, "a1", Fetch{r.instance}), "a1: Ended 1")
	does(t, "not known", s.records.hearFetch(0, "a1", Fetch{}))
}
