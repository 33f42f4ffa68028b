package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// TestRootStartsAgain: where the master is gone and this peer follows it, under the next epoch; not
// where another does, and not while the master lives.
func TestRootStartsAgain(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", asks("u", 1, "root"))
	s.of("b1", asks("u", 2, "other"))
	does(t, "all live", s.succession.look(0))
	s.dies("a1")
	does(t, "its master has died", s.succession.look(time.Second), "peer.succeeds", "sees master me, epoch 2",
		`all: Record epoch 2 master me submissions 1 root "root"`, `execute root "root" as borrow 1`)
	does(t, "it is executing", s.succession.look(time.Second))
	if r.root.borrow != 1 || r.master != "me" {
		t.Errorf("its root is borrow %d, its master %s", r.root.borrow, r.master)
	}
	late := newOfRuns(t, "b1")
	late.comes("a1", 1)
	late.of("b1", asks("u", 1, "root"))
	late.dies("b1")
	does(t, "an older one follows", late.succession.look(time.Second))
}

// TestDoubtfulRootStarts: a run that was first heard of under an epoch that no grid comes to is
// taken over when somebody says in time that it waits for it; else it ends. One that was known
// before it was raised, that was answered, that a disk has or that this peer waits for is no such
// one.
func TestDoubtfulRootStarts(t *testing.T) {
	doubtful := func(nonce byte) (*ofRuns, *run) {
		s := newOfRuns(t, "a1", "b1")
		h := s.masteredBy("b1", asks("u", nonce, "made up"))
		h.Epoch.Number = membership.RaiseMax + 1
		r, _ := s.learns(0, "b1", h, "made up")
		s.dies("a1")
		s.dies("b1")
		return s, r
	}
	s, r := doubtful(1)
	does(t, "its master has died", s.succession.look(time.Second), "u: Wanted")
	does(t, "at once again", s.succession.look(time.Second))
	if r.deadline() > time.Second+wantedMax {
		t.Error("its submitter is not asked again")
	}
	r.demand.vouch()
	if effects := s.succession.look(2 * time.Second); r.master != "me" || r.root.borrow == 0 {
		t.Errorf("its submitter was heard: %v", told(effects))
	}
	s, r = doubtful(2)
	s.succession.look(time.Second)
	s.succession.look(time.Second + unknownMax - 1)
	if s.runs.find(r.instance) == nil {
		t.Error("it ends before its submitter has had its time")
	}
	s.succession.look(time.Second + unknownMax)
	if s.runs.find(r.instance) != nil {
		t.Error("nobody waits for it, and it does not end")
	}
	s, r = doubtful(3)
	s.succession.look(time.Second)
	s.comes("c1", 4)
	next, _ := s.view.Member("c1")
	s.mastership.adopt(0, r, membership.Epoch{Number: r.epoch.Number + 1, Master: next.Incarnation}, "c1")
	s.succession.look(2 * time.Second)
	if r.demand.doubted != 0 {
		t.Error("another is master, and it is doubted")
	}
	for what, is := range map[string]func(*ofRuns, *run){
		"raised":     func(_ *ofRuns, r *run) { r.demand.madeUp = false },
		"answered":   func(_ *ofRuns, r *run) { r.answer = &steal.Result{} },
		"remembered": func(_ *ofRuns, r *run) { r.disk.remembered = true },
	} {
		s, r := doubtful(4)
		is(s, r)
		if s.succession.look(time.Second); r.master != "me" {
			t.Errorf("%s: it is not taken over", what)
		}
	}
}

// TestRootOfItsOwnStarts: at once where its submitter was heard or is this peer; else that one is
// asked whether it wants it. A head alone does not start, nor does anything before the peer is in.
func TestRootOfItsOwnStarts(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("u", 1, "root"))
	does(t, "nobody has vouched for it", s.succession.look(0), "u: Wanted", "a1: Wanted")
	does(t, "at once again", s.succession.look(0))
	r.demand.vouch()
	a1, _ := s.view.Member("a1")
	does(t, "another looks for jobs", s.victim.HearAsk(0, a1, false, steal.Ask{Number: 1, Jobs: 1}, 1), "a1: Nothing")
	does(t, "its submitter is heard", s.succession.look(0), `execute root "root" as borrow 1`, "a1: Wake")
	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")))
	mine := s.own(Submit{Submission: own.id, Run: steal.Key{3}, Task: "t", Root: []byte("mine"), Terms: Terms{}.settled()})
	mine.root.bytes = nil
	does(t, "without its root", s.succession.look(0))
	mine.root.bytes = own.root.Args
	does(t, "of its own", s.succession.look(0), `execute root "mine" as borrow 2`)

	out := newOfRuns(t)
	out.own(asks("u", 1, "root")).demand.vouched = true
	out.mastership.members = newView(out.conf, out.rng)
	does(t, "no member", out.succession.look(0))
}

// TestRootIsNotDoneTwice: what it came to is the answer where it is held here, and is fetched
// meanwhile where another holds it.
func TestRootIsNotDoneTwice(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("u", 1, "root"))
	r.demand.vouched = true
	s.results.Orphan(0, r.instance, r.instance.Run, value("4"))
	does(t, "it is here", s.succession.look(0), `u: Answer "4"`, `a1: Keep "4"`)
	if got := s.Sight().Stats().Reused; got != 1 || r.root.borrow != 0 {
		t.Errorf("%d are reused, and its root is borrow %d", got, r.root.borrow)
	}
	there := s.own(asks("u", 2, "there"))
	there.demand.vouched = true
	keyNames[there.instance.Run] = "there"
	s.hears(orphan.Advert{
		Runs: []steal.Instance{there.instance}, Changes: []orphan.Change{{Key: there.instance.Run, Cost: 5}},
	})
	does(t, "it is elsewhere", s.succession.look(0), "a1: WantResult there", `execute root "there" as borrow 1`)
}

// TestKeptAnswerIsSent: when the master is gone for which it was kept, once; and it is there for
// who follows. Where only this peer waits nobody else need do anything.
func TestKeptAnswerIsSent(t *testing.T) {
	four := value("4")
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", asks("u", 1, "root"))
	r.answer = &four
	s.dies("a1")
	does(t, "its master has died", s.succession.look(time.Second), `u: Answer "4"`, `b1: Keep "4"`, "steal.Orphan",
		"peer.succeeds", "sees master me, epoch 2", `all: Record epoch 2 master me submissions 1 root "root"`)
	does(t, "again", s.succession.look(time.Second))

	own, _ := s.submissions.begin(RootOf(steal.Key{3}, "t", []byte("mine")))
	mine := s.of("b1", Submit{Submission: own.id, Run: steal.Key{3}, Task: "t", Root: []byte("mine"), RootDigest: own.root.Digest, Terms: Terms{}.settled()})
	mine.answer = &four
	s.dies("b1")
	does(t, "of its own", s.succession.look(time.Second), `answers itself "4"`, "steal.Orphan")
}
