package peer

import (
	"testing"

	"satingrid/steal"
)

// TestBestsHear: each run's best hears what concerns it, and nothing is said of a run that is not
// known.
func TestBestsHear(t *testing.T) {
	awaited := false
	b := &bests{
		self: "me", runs: &runs{}, members: presentOf("b1"), awaits: func([]steal.Submission) bool { return awaited },
	}
	run, none := steal.Instance{Run: steal.Key{1}}, steal.Instance{}
	r := b.runs.whole(run)
	does(t, "a worker finds one", b.offered(0, r.no, stamp("one")), "unblocks")
	does(t, "of no run", b.offered(0, 99, stamp("one")))
	if s, on := b.stamp(run, in("b1")); !on || string(s.Value) != "one" {
		t.Errorf("it rides along as %v, %v", s, on)
	}
	if _, on := b.stamp(none, in("b1")); on {
		t.Error("no run goes on")
	}
	does(t, "one lacks it", b.hearWantBest(0, "b1", WantBest{Run: run}), `b1: BestIs with best "one"`)
	does(t, "of no run", b.hearWantBest(0, "b1", WantBest{Run: none}))
	does(t, "one comes", b.hearBestIs(0, in("b1"), BestIs{Run: run, Best: stamp("two")}), `compare the best "two"`)
	does(t, "it is better", b.compared(0, r.no, stamp("two").Digest, Better, steal.Result{}), "unblocks", "unblocks",
		"b1: HaveBest")
	does(t, "of no run", b.compared(0, 99, stamp("two").Digest, Better, steal.Result{}))
	does(t, "of no run", b.hearBestIs(0, in("b1"), BestIs{Run: none, Best: stamp("two")}))
	big := BestIs{Run: run, Best: naming("big")}
	does(t, "a big one is named, and nobody here waits", b.hearBestIs(0, in("b1"), big))
	awaited = true
	does(t, "who has submitted the run asks", b.hearBestIs(0, in("b1"), big), "b1: WantBest")
	b.hearHaveBest(in("b1"), HaveBest{Run: none, Digest: stamp("two").Digest})
	b.hearHaveBest(in("b1"), HaveBest{Run: run, Digest: stamp("two").Digest})
	if s, _ := b.stamp(run, in("b1")); s.Value != nil {
		t.Error("it is sent to one that holds it")
	}
	b.lost("b1")
	if s, _ := b.stamp(run, in("b1")); s.Value == nil {
		t.Error("what one held that is gone counts as held")
	}
}

// TestBestsOfTwoRuns: two runs have one task, and the values that are found for them look alike.
// What is found for the one, or held of it by another, tells nothing of the other.
func TestBestsOfTwoRuns(t *testing.T) {
	b := &bests{self: "me", runs: &runs{}, members: presentOf("b1"), awaits: func([]steal.Submission) bool { return true }}
	one, two := steal.Instance{Run: steal.Key{1}}, steal.Instance{Run: steal.Key{2}}
	first, second := b.runs.whole(one), b.runs.whole(two)
	rides := func(of steal.Instance) bool {
		s, _ := b.stamp(of, in("b1"))
		return s.Value != nil
	}
	b.offered(0, first.no, stamp("best"))
	if !rides(one) || rides(two) {
		t.Error("what was found for one run rides on what is sent for the other")
	}
	does(t, "it comes for the other", b.hearBestIs(0, in("b1"), BestIs{Run: two, Best: stamp("best")}), `compare the best "best"`)
	does(t, "a verdict for the one", b.compared(0, first.no, stamp("best").Digest, Better, steal.Result{}))
	does(t, "for the other", b.compared(0, second.no, stamp("best").Digest, Better, steal.Result{}),
		"unblocks", "unblocks", "b1: HaveBest")
	b.hearHaveBest(in("b1"), HaveBest{Run: two, Digest: stamp("best").Digest})
	if !rides(one) || rides(two) {
		t.Error("who holds one run's best counts as holding the other's")
	}
	if b.lost("b1"); !rides(one) || !rides(two) {
		t.Error("of one run it is known that b1 is gone, and of the other not")
	}
}

// TestBestOfARunThatEnds: it ends while a value is compared, or on its way. What comes then is of
// no run, and it may have begun anew under its key.
func TestBestOfARunThatEnds(t *testing.T) {
	b := &bests{self: "me", runs: &runs{}, members: presentOf("b1"), awaits: func([]steal.Submission) bool { return false }}
	run := steal.Instance{Run: steal.Key{1}, First: submissionNo(1)}
	r := b.runs.whole(run)
	b.hearBestIs(0, in("b1"), BestIs{Run: run, Best: stamp("best")})
	b.runs.end(r)
	again := b.runs.whole(steal.Instance{Run: steal.Key{1}, First: submissionNo(2)})
	does(t, "a verdict, late", b.compared(0, r.no, stamp("best").Digest, Better, steal.Result{}))
	does(t, "a value, late", b.hearBestIs(0, in("b1"), BestIs{Run: run, Best: stamp("other")}))
	does(t, "a worker's, late", b.offered(0, r.no, stamp("late")))
	if again.best.value != nil || len(again.best.trial.waiting) > 0 {
		t.Error("the run that has begun anew has a best of the former")
	}
}
