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
