package peer

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestWhatIsRepeatedOfARun: its root is asked for, its answer sent, its facts and its best are
// published, each when it is due, in that order; whether it is wanted is asked by its master alone.
func TestWhatIsRepeatedOfARun(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.own(asks("u", 1, "root"))
	s.deliverTo(r)
	r.facts.told(0, []byte("fact"))
	r.best.offered(0, "me", stamp("best"))
	r.demand.again = time.Second
	does(t, "nothing is due", s.repeats.tick(0, r))
	does(t, "what a worker found", s.repeats.tick(r.best.deadline(), r), `all: BestIs with best "best"`)
	does(t, "what a worker told", s.repeats.tick(r.facts.again, r), `all: Facts ["fact"]`)
	does(t, "whether it is wanted", s.repeats.tick(r.deadline(), r), "u: Wanted", "a1: Wanted")
	r.demand.vouch()
	r.demand.again = r.deliveries[0].again
	does(t, "all", s.repeats.tick(r.deliveries[0].again, r), `u: Answer "4" with best "best"`, `a1: Keep "4" with best "best"`,
		"u: Wanted", "a1: Wanted")
	other := s.of("a1", asks("u", 2, "other"))
	other.demand.again = time.Second
	does(t, "another is its master", s.repeats.tick(time.Hour, other))
	other.root.bytes = nil
	does(t, "its root has not come", s.repeats.tick(other.root.fetchAt, other), "a1: Fetch")
	other.root.bytes = []byte{}
	does(t, "and knows who is heard", s.repeats.tick(time.Hour+2*UnheardMax, other))
}

// TestKeptForNobodyEnds: where nobody is left who could be master, what kept an answer long enough
// ends at a client that knows of it; while somebody is, that one says so.
func TestKeptForNobodyEnds(t *testing.T) {
	s := &ofRuns{New(Config{Member: membership.Config{ID: "me", Client: true}, Failure: failing}, rand.New(rand.NewPCG(1, 2))), t}
	s.comes("a1", 2)
	m := keepsFor(asks("u", 1, "root"), 60)
	h := s.masteredBy("a1", m)
	h.Submissions, h.Answered = []steal.Submission{m.Submission.Kept()}, 1
	r, _ := s.learns(0, "a1", h, "root")
	over := r.keptUntil()
	if !r.isSpare() || over == steal.Never {
		t.Fatal("it is not only kept")
	}
	does(t, "it has a master", s.repeats.tick(over, r))
	s.dies("a1")
	does(t, "nobody is there, and it is to be kept", s.repeats.tick(over-1, r))
	if all := s.repeats.tick(over, r); len(all) != 1 || !slices.Equal(all[0].(withdraws).Submissions, endOf(r.keeps, EndWithdrawn).Submissions) {
		t.Errorf("nobody is there, and it does %q", told(all))
	}
}

// TestRunIsLookedAtAgain: when its time has come, its master is; and a submitter that was not heard
// for long is given up.
func TestRunIsLookedAtAgain(t *testing.T) {
	s := newOfRuns(t)
	r := s.own(asks("u", 1, "root"))
	r.lookAt = time.Second
	s.mastership.due = false
	if s.repeats.tick(time.Second-1, r); s.mastership.due {
		t.Error("it is looked at too soon")
	}
	if s.repeats.tick(time.Second, r); !s.mastership.due || r.lookAt != 0 {
		t.Error("it is not looked at")
	}
	heard := r.demand.heard[r.submissions[0]]
	effects := s.repeats.tick(heard+UnheardMax, r)
	if over, ok := effects[0].(withdraws); !ok || len(effects) != 1 || len(over.Submissions) != 1 {
		t.Errorf("unheard, it does %q", told(effects))
	}
}
