package peer

import (
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestSubmittersAreAsked: before a root is started again of which there is no more than a record,
// each submitter in turn, in person and by way of another, in longer and longer gaps.
func TestSubmittersAreAsked(t *testing.T) {
	all := []steal.Submission{{Submitter: "c1"}, {Submitter: "me"}, {Submitter: "c2"}}
	w := demand{self: "me", others: newSubmitter("a1"), again: steal.Never}
	may, effects := w.mayStart(0, all, false)
	if does(t, "there is but a record", effects, "c1: Wanted", "a1: Wanted"); may || w.again != wantedMin {
		t.Errorf("it may start: %v; it asks again at %v", may, w.again)
	}
	if may, effects = w.mayStart(0, all, false); may || len(effects) > 0 {
		t.Errorf("it has asked, and does %v", effects)
	}
	does(t, "too soon", w.tick(wantedMin-1, true, all))
	effects = w.tick(wantedMin, true, all)
	if over, ok := effects[0].(withdraws); !ok || len(effects) != 1 || over.Submissions[0].Submission != all[1] {
		t.Errorf("an earlier life of it waits, and it does %v", effects)
	}
	does(t, "again", w.tick(time.Minute, true, all), "c2: Wanted", "a1: Wanted")
	if gap := w.gap.Next(); gap != 4*time.Second {
		t.Errorf("the next gap is %v", gap)
	}
	if w.tick(time.Hour, false, all); w.again != steal.Never {
		t.Error("it is not the master, and asks")
	}
	if !w.vouch() || w.vouch() {
		t.Error("that it is wanted is no news, or twice")
	}
	if may, _ = w.mayStart(0, all, false); !may {
		t.Error("it is wanted, and does not start")
	}
	own := demand{}
	if may, _ = own.mayStart(0, all, true); !may {
		t.Error("it waits itself, and does not start")
	}
	does(t, "asked by another", own.pass(Wanted{Submission: all[0]}), "c1: Wanted")
	does(t, "passed on before", own.pass(Wanted{Submission: all[0], Hops: 1}))
}

// TestUnheardIsWithdrawn: what nobody has asked for in an hour; or in a minute, if its submitter
// was seen to die, and the run is not kept. What this peer waits for itself never.
func TestUnheardIsWithdrawn(t *testing.T) {
	one, own := steal.Submission{Submitter: "c1"}, steal.Submission{Submitter: "me"}
	isOwn := func(s steal.Submission) bool { return s == own }
	for name, c := range map[string]struct {
		refused, reached bool
		want             time.Duration
	}{
		"silent":              {false, false, UnheardMax},
		"seen to die":         {true, false, DiedMax + 1}, // 0 stands for never
		"and is reached then": {true, true, UnheardMax},
	} {
		s := &runs{}
		r := s.made(submittedAs("c1", 0), 0)
		r.submissions = []steal.Submission{one, own}
		r.demand.unheard(0, r.submissions, isOwn)
		if s.broke(0, "x1") || !s.broke(0, "c1") {
			t.Errorf("%s: it waits not, or another does", name)
		}
		if c.refused {
			s.refused(0, "c1")
		}
		if c.reached {
			s.reached("c1")
		}
		if effects := r.demand.unheard(c.want-1, r.submissions, isOwn); len(effects) > 0 {
			t.Errorf("%s: it is withdrawn too soon", name)
		}
		effects := r.demand.unheard(c.want, r.submissions, isOwn)
		if len(effects) != 1 || !slices.Equal(effects[0].(withdraws).Submissions, []Tombstone{{Submission: one}}) {
			t.Errorf("%s: at %v it does %v", name, c.want, effects)
		}
	}
}

// TestForsaken: none of those who wait has been heard for long, and none is this peer.
func TestForsaken(t *testing.T) {
	all := []steal.Submission{submissionNo(1), submissionNo(2)}
	nobody := func(steal.Submission) bool { return false }
	w := demand{}
	if w.isForsaken(time.Hour, all, nobody) {
		t.Error("it is not known when they were heard")
	}
	w.heardFrom(0, all[0])
	w.heardFrom(time.Second, all[1])
	if w.isForsaken(awayMax, all, nobody) || !w.isForsaken(awayMax+time.Second, all, nobody) {
		t.Error("too soon, or not")
	}
	if w.isForsaken(time.Hour, all, func(s steal.Submission) bool { return s == all[1] }) {
		t.Error("this peer waits")
	}
}

// TestSubmittersAreSought: those of the runs that a peer is master of, unless they were seen to
// die.
func TestSubmittersAreSought(t *testing.T) {
	s := &runs{}
	for n, id := range []membership.PeerID{"c1", "c2"} {
		r := s.made(submittedAs(id, byte(n)), 0)
		r.contacts = []Contact{{Submitter: id}}
		r.master = "me"
	}
	s.made(submittedAs("c3", 3), 0).contacts = []Contact{{Submitter: "c3"}}
	s.broke(0, "c1")
	if got := s.sought("me"); len(got) != 2 {
		t.Errorf("sought are %v", got)
	}
	s.refused(0, "c1")
	if got := s.sought("me"); len(got) != 1 || got[0].Submitter != "c2" {
		t.Errorf("one has died, and sought are %v", got)
	}
}
