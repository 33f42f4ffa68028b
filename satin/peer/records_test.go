package peer

import (
	"slices"
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
	if r == nil || !r.demand.vouched || r.master != "a1" || !s.mastership.due || len(r.submissions) != 1 || len(r.poison.deaths) != 1 || s.mastership.supportAt != 0 {
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
	if h.RootDigest = keyOf("else"); r.root.bytes != nil {
		t.Error("too short a root is taken")
	}
	if s.learns(0, "a1", h, "roots"); r.root.bytes != nil {
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
	late.Epoch.Number = membership.RaiseMax + successionsMax + 1
	for event, h := range map[string]Head{"unsound": unsound, "late": late, "ended": s.masteredBy("a1", ended)} {
		if r, effects := s.learns(0, "a1", h, ""); r != nil || len(effects) > 0 {
			t.Errorf("%s: it does %q", event, told(effects))
		}
	}
	last := s.masteredBy("a1", asks("u", 5, "5"))
	if last.Epoch.Number = membership.RaiseMax + successionsMax; !s.takes(last) {
		t.Error("an epoch to which a grid may have come is not believed")
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
	does(t, "without its root", s.records.take(0, "a1", member, rec), "sees master a1, epoch 1", "a1: Fetch", "unblocks")
	does(t, "at once again", s.records.take(0, "a1", member, rec), "unblocks")
	rec.Root, rec.Best = m.Root, stamp("best")
	s.runs.all[0].demand.lacked.at = 1
	does(t, "with it", s.records.take(0, "a1", member, rec), `start run 1, root "root"`, "unblocks", `compare the best "best"`, "unblocks")
	r := s.runs.all[0]
	does(t, "it is held now", r.best.compared(0, rec.Best.Digest, Better, steal.Result{}), "unblocks", "unblocks", "a1: HaveBest")
	if r.demand.lacked.at != 0 {
		t.Error("it is still said that it is not known")
	}
	s.endings.bury(0, over(m).Submissions)
	does(t, "it is over", s.records.take(0, "a1", member, rec), "a1: Ended 1")
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
	does(t, "of v", s.records.take(0, "v", client, Record{Head: h, Best: stamp("best")}), "unblocks")
	if isOf(t, "a client tells", r, "a1", 1); len(r.submissions) != 2 || len(r.contacts) != 1 || len(r.poison.deaths) > 0 || r.demand.lacked != (lacked{}) {
		t.Errorf("it takes %v, %v and %v", r.submissions, r.contacts, r.poison.deaths)
	}
	if !s.book.Has("v") || s.book.Has("w") {
		t.Error("v is not in the book, or w is")
	}
	does(t, "another's run", s.records.take(0, "v", client, Record{Head: s.masteredBy("a1", asks("u", 4, "4"))}))
	own := Record{Head: s.masteredBy("a1", asks("v", 5, "5")), Best: stamp("best")}
	does(t, "its own", s.records.take(0, "v", client, own),
		"sees master a1, epoch 1", "v: Fetch", "unblocks")
	mine := s.runs.all[1]
	does(t, "its best counts, too", s.roots.came(0, mine, []byte("5")), `start run 2, root "5"`, `compare the best "best"`, "unblocks")
	for n := byte(6); s.runs.firstOf("v") < runsOfOne; n++ {
		s.of("a1", asks("v", n, "v"))
	}
	does(t, "beyond its share", s.records.take(0, "v", client, Record{Head: s.masteredBy("a1", asks("v", 99, "v"))}))
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

// TestClientRaisesNoShareOfOthers: a client that waits for a run may ask for more of the workers,
// and that the run is kept. One that does not may not, whatever record it tells of.
func TestClientRaisesNoShareOfOthers(t *testing.T) {
	s := newOfRuns(t, "a1")
	first := asks("u", 1, "root")
	r := s.own(first)
	h := s.masteredBy("a1", first)
	h.Terms.Share, h.Terms.Keep = ShareMax, 60
	does(t, "one that waits for nothing", s.records.take(0, "v", client, Record{Head: h}), "unblocks")
	if r.terms != first.Terms {
		t.Errorf("its terms are %+v", r.terms)
	}
	h.Submissions = []steal.Submission{{Submitter: "v", Nonce: 7}}
	const record = `all: Record epoch 1 master me submissions 2 root "root"`
	does(t, "one that waits", s.records.take(0, "v", client, Record{Head: h}), record, "peer.ShareIs", record, "unblocks")
	if r.terms.Share != ShareMax || r.terms.Keep != 60 {
		t.Errorf("its terms are %+v", r.terms)
	}
}

// TestRootsOfAClientAreBounded: by its records a client takes no more room for roots than by what
// it submits, whether they come or not; there is room for what others submit.
func TestRootsOfAClientAreBounded(t *testing.T) {
	s := newOfRuns(t, "a1")
	tells := func(n byte, bytes uint32) bool {
		h := s.masteredBy("a1", asks("v", n, string(rune(97+n))))
		h.RootBytes = bytes
		before := len(s.runs.all)
		s.records.take(0, "v", client, Record{Head: h})
		return len(s.runs.all) > before
	}
	for n := range byte(4) {
		if is := tells(n, RootMax); is != (int(n+1)*RootMax <= rootsFromMax) {
			t.Errorf("root %d of %d bytes is taken: %v", n, RootMax, is)
		}
	}
	if !tells(10, rootAlong) || tells(11, rootAlong+1) {
		t.Error("one that travels along is always taken, and one that does not no more")
	}
	if all, from := s.runs.rootsTold("v"); all != from || from > rootsFromMax+rootAlong || !s.runs.rootFits(Submit{Submission: steal.Submission{Submitter: "u"}, Root: make([]byte, RootMax)}) {
		t.Errorf("one client has taken %d bytes", from)
	}
}

// TestSubmissionsOfARunAreBounded: whatever a record brings, in whatever order, so many are kept,
// each once and sorted.
func TestSubmissionsOfARunAreBounded(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	r := s.of("a1", m)
	h := s.masteredBy("a1", m)
	for n := range 2 * SubmissionsMax {
		h.Submissions = append(h.Submissions, submissionNo(2*SubmissionsMax-n))
	}
	for range 2 {
		s.learns(0, "a1", h, "")
	}
	if len(r.submissions) != SubmissionsMax || !slices.IsSortedFunc(r.submissions, steal.Submission.Compare) {
		t.Errorf("%d wait for it: %v", len(r.submissions), r.submissions)
	}
	does(t, "one too many", s.records.joins(0, r, asks("v", 5, "root")))
}

// TestRecordOfWhatHasEndedHere: the last that waited for a run has its answer, which the master has
// not heard yet. Its record starts nothing anew; what is new in it does.
func TestRecordOfWhatHasEndedHere(t *testing.T) {
	s := newOfRuns(t, "a1")
	first, second := asks("u", 1, "root"), asks("v", 2, "root")
	h := s.masteredBy("a1", first)
	s.of("a1", first)
	s.endings.bury(0, over(first).Submissions)
	does(t, "it is over", s.records.take(0, "a1", member, Record{Head: h, Root: first.Root}), "a1: Ended 1")
	h.Submissions = append(h.Submissions, second.Submission)
	does(t, "one more waits for it", s.records.take(0, "a1", member, Record{Head: h, Root: first.Root}),
		"sees master a1, epoch 1", `start run 2, root "root"`, "unblocks", "unblocks")
	if r := s.runs.all[0]; len(r.submissions) != 1 || r.submissions[0] != second.Submission {
		t.Errorf("waiting are %v", r.submissions)
	}
}

// TestMasterThatIsNotKnownVouchesForNothing: a record may come before its master's greeting, or
// name one that there never was.
func TestMasterThatIsNotKnownVouchesForNothing(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	h := s.masteredBy("a1", m)
	h.Master = "x"
	r, _ := s.learns(0, "a1", h, "root")
	if r == nil || r.demand.vouched || r.master != "x" {
		t.Fatalf("learnt is %+v", r)
	}
	h = s.masteredBy("a1", m)
	h.Epoch.Number = 2
	if s.learns(0, "a1", h, ""); !r.demand.vouched || r.master != "a1" {
		t.Errorf("the master is %s, and it counts as one: %v", r.master, r.demand.vouched)
	}
}

// takes tells whether a run is learnt of a member's record.
func (s *ofRuns) takes(h Head) bool {
	r, _ := s.learns(0, h.Master, h, "")
	return r != nil
}

// TestJoinerHearsOfRunsFromAClient: who knows of nobody else takes others' runs from it, but no
// epoch to which no grid comes: a member's word counts there, and nobody else's.
func TestJoinerHearsOfRunsFromAClient(t *testing.T) {
	s := newOfRuns(t, "a1")
	others, late := s.masteredBy("a1", asks("u", 1, "1")), s.masteredBy("a1", asks("u", 2, "2"))
	last := s.masteredBy("a1", asks("u", 3, "3"))
	late.Epoch.Number, last.Epoch.Number = membership.RaiseMax+successionsMax+1, membership.RaiseMax+successionsMax
	p := outside(false)
	for n, c := range []struct {
		Head
		by   role
		runs int
	}{{late, client, 0}, {others, client, 1}, {last, client, 2}, {late, member, 3}} {
		if p.records.take(0, "v", c.by, Record{Head: c.Head}); len(p.runs.all) != c.runs {
			t.Errorf("after record %d it knows %d runs", n, len(p.runs.all))
		}
	}
}

// TestKeptRunHasItsComponents: each component of a run knows of which it is, and none has anything
// to do yet.
func TestKeptRunHasItsComponents(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	m.Root = nil
	r := s.of("a1", m)
	if r.root.fetchAt = time.Hour; r.deadline() != time.Hour {
		t.Errorf("something is due at %v", r.deadline())
	}
	for n := range poisonDeaths {
		who := membership.Member{ID: membership.PeerID(rune('p' + n)), Site: membership.Site(rune('p' + n))}
		s.deaths.obituary.add(0, who)
		r.poison.count(0, Death{Victim: who.ID, Site: who.Site, Key: r.instance.Run, Task: "t"})
	}
	for n := range poisonDeaths {
		s.deaths.obituary.fallen[n].at = time.Duration(n) * time.Minute
		r.poison.deaths[n].at = time.Duration(n) * time.Minute
	}
	does(t, "its root kills its process", r.poison.tick(time.Hour, &s.deaths.obituary), rootIsPoison)
	if f := r.panicking.tell(0, "a1", panicked)[0].(tells); f.body.(Fail).Run != r.instance {
		t.Errorf("its master is told %v", f)
	}
	long := steal.Stamp{Digest: steal.Key{1}, Value: make([]byte, BestMax+1)}
	if f, ok := r.best.offered(0, "me", long)[0].(fails); !ok || f.run != r.instance {
		t.Errorf("a best that is too long does %v", f)
	}
	if y := s.copier.of(r.instance); y == nil {
		t.Error("nothing of it is copied")
	}
}

// TestWhereItsSubmitterIs: a submission says where its submitter can be dialled, and so does the
// record, to all. Of what the record says later the master's word is the newest: it hears from
// them.
func TestWhereItsSubmitterIs(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	m := asks("u", 1, "root")
	m.Addrs = []string{addrOf("u")}
	r := s.own(m)
	if h := r.head(0); len(h.Contacts) != 1 || !slices.Equal(h.Contacts[0].Addrs, m.Addrs) || !s.book.Has("u") {
		t.Errorf("its record says %v, and in the book it is: %v", h.Contacts, s.book.Has("u"))
	}
	h := s.masteredBy("a1", asks("u", 2, "other"))
	for _, word := range []struct {
		from, at, want membership.PeerID
	}{{"b1", "old", "old"}, {"b1", "older", "old"}, {"a1", "new", "new"}, {"b1", "old", "new"}} {
		h.Contacts = []Contact{{"u", []string{addrOf(word.at)}}}
		if r, _ := s.learns(0, word.from, h, ""); r.contacts[0].Addrs[0] != addrOf(word.want) {
			t.Errorf("after %s has said %s it is at %s", word.from, word.at, r.contacts[0].Addrs[0])
		}
	}
}

// TestMembersWordReplacesAClients: one that is on its way in has heard of a run from a client that
// did not submit it, and that lies. When a member tells of it, that counts, and it does not make
// the others believe the lie, fail the run or restart its root.
func TestMembersWordReplacesAClients(t *testing.T) {
	const starts = `start run 1, root "root"`
	for lie, change := range map[string]func(*Head){
		"its root is longer":       func(h *Head) { h.RootBytes = 9 },
		"its root is another":      func(h *Head) { h.RootDigest[0] = 99 },
		"its task is another":      func(h *Head) { h.Task = "u" },
		"its results are too long": func(h *Head) { h.Terms.ResultMax = 1 },
		"it has all the workers":   func(h *Head) { h.Terms.Share = ShareMax },
		"the client is its master": func(h *Head) { h.Master, h.Epoch.Number = "v", membership.RaiseMax },
		"another is its master":    func(h *Head) { h.Master = "v" },
		"it is in a later epoch":   func(h *Head) { h.Epoch.Number = 5 },
	} {
		p, told, h := outside(false), headOf(1, 4), headOf(1, 4)
		change(&told)
		p.records.take(0, "v", client, Record{Head: told, Root: []byte("root")})
		p.records.take(0, "b1", member, Record{Head: h, Root: []byte("root")})
		r := p.runs.all[0]
		if got := r.head(0); got.Task != "t" || got.RootDigest != h.RootDigest || got.RootBytes != 4 || got.Terms != h.Terms ||
			got.Epoch != h.Epoch || got.Master != "b1" || r.root.bytes == nil || len(p.runs.all) != 1 || r.demand.hearsay {
			t.Errorf("%s: it knows %d runs, the first of them is %+v", lie, len(p.runs.all), got)
		}
		p.records.take(0, "v", client, Record{Head: told})
		p.records.take(0, "x", member, Record{Head: told})
		if p.runs.all[0] != r {
			t.Errorf("%s: it is learnt anew, from one member after another", lie)
		}
	}
	p, h := outside(false), headOf(1, 4)
	does(t, "what is true", p.records.take(0, "v", client, Record{Head: h, Root: []byte("root")}),
		"sees master b1, epoch 1", starts, "unblocks", "unblocks")
	does(t, "a member says the same", p.records.take(0, "b1", member, Record{Head: h}), "unblocks")
	p.runs.all[0].demand.hearsay = true
	h.Epoch.Number = 0
	does(t, "a member says what cannot be", p.records.take(0, "b1", member, Record{Head: h}))
	h.Epoch.Number = 2
	does(t, "a member knows more", p.records.take(0, "b1", member, Record{Head: h}), "sees master b1, epoch 2", "unblocks")
}

// TestHearsayThatIsAllThereIs: nobody is there but a client, and this peer goes on alone, or is the
// master since. What a member of another group tells later is one more record.
func TestHearsayThatIsAllThereIs(t *testing.T) {
	for name, happens := range map[string]func(*Peer, *run){
		"it goes on alone": func(p *Peer, _ *run) { p.entering.alone(0, true) },
		"it is the master": func(_ *Peer, r *run) { r.master = "me" },
	} {
		p := outside(false)
		told := headOf(1, 4)
		told.Epoch.Number = 7
		p.records.take(0, "v", client, Record{Head: told, Root: []byte("root")})
		r := p.runs.all[0]
		happens(p, r)
		p.records.take(time.Minute, "b1", member, Record{Head: headOf(1, 4)})
		if len(p.runs.all) != 1 || p.runs.all[0] != r || r.epoch.Number != 7 {
			t.Errorf("%s: the run is begun anew", name)
		}
	}
	s := newOfRuns(t, "a1")
	own := s.masteredBy("a1", asks("v", 5, "5"))
	s.records.take(0, "v", client, Record{Head: own})
	if r := s.runs.all[0]; r.demand.hearsay {
		t.Error("what a client tells of its own run is hearsay")
	}
	own.Run.First.Nonce, own.Epoch.Number = 9, 0
	does(t, "what cannot be", s.records.take(0, "v", client, Record{Head: own}))
}
