package peer

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// TestCopiesGiven: what the holder lacks goes there, and what it has in vain is taken back.
func TestCopiesGiven(t *testing.T) {
	g := newGiver(t, "a2", "b1")
	if g.at < copyEvery/2 || g.at > copyEvery {
		t.Errorf("the first round is at %v", g.at)
	}
	now, effects := g.round(listed("left", "right")...)
	does(t, "two parts", effects, `b1: Copy round 1, anew: +right "right" +left "left" with best "best"`)
	does(t, "another's word", g.hearCopied(now, in("a2"), orphan.Copied{Run: copiedHere, Round: 1}))
	does(t, "of another round", g.hearCopied(now, in("b1"), orphan.Copied{Run: copiedHere, Round: 2}))
	does(t, "it is kept", g.has(now))
	now, effects = g.round(listed("left", "right")...)
	if does(t, "the same", effects); g.deadline() != now+copyEvery {
		t.Errorf("the next round is at %v", g.deadline())
	}
	now, effects = g.round(append(listed("root"), Part{Run: 8}, Part{Run: 7, Key: keyOf("cheap")})...)
	does(t, "one replaces both", effects, `b1: Copy round 2 +root "root" -right -left with best "best"`)
	does(t, "it is kept", g.has(now))
	cheap := listed("root", "cheap")
	cheap[1].Result.Cost = copyCostMin - 1
	_, effects = g.round(cheap...)
	does(t, "one that is not worth a message", effects)
	cheap[1].Result.Cost, cheap[1].Key = copyCostMin, keyOf("worth")
	now, effects = g.round(cheap...)
	does(t, "one that is", effects, `b1: Copy round 3 +worth "cheap" with best "best"`)
	g.has(now)
	g.isOnly = true
	now, effects = g.round()
	does(t, "the answer is nowhere else", effects)
	g.isOnly = false
	_, effects = g.round()
	does(t, "it is", effects, `b1: Copy round 4 -root -worth with best "best"`)
	if g.sent != 4 {
		t.Errorf("%d parts were sent", g.sent)
	}
	g.ended(copiedHere)
	if g.opened(now); g.deadline() != steal.Never {
		t.Error("rounds go on without a run")
	}
}

// TestCopiesRepeated: what is not acknowledged is repeated, later each time, and then all goes to
// another. Who keeps less than it should is left, too, but not more often than once a minute.
func TestCopiesRepeated(t *testing.T) {
	g := newGiver(t, "b1", "c1")
	now, effects := g.round(listed("left")...)
	first := g.held[0].holder.peer
	copies := fmt.Sprintf(`%s: Copy round 1, anew: +left "left" with best "best"`, first)
	does(t, "it is sent", effects, copies)
	repeats := 0
	for at := now; g.held[0].holder.peer == first; at += 100 * ms {
		if at > now+copyWait+time.Second {
			t.Fatal("the holder never answers, and is not given up")
		}
		for _, e := range told(g.tick(at)) {
			if e != copies && e != "want parts" {
				t.Fatalf("after %v it does %s", at-now, e)
			}
			if e == copies {
				repeats++
			}
		}
	}
	if repeats != 3 { // after 1, 3 and 7 s
		t.Errorf("it was sent again %d times", repeats)
	}
	g.open = false
	now, effects = g.round(listed("left")...)
	second := g.held[0].holder.peer
	if second == first || len(effects) != 1 {
		t.Fatalf("then %s is to keep it: %v", second, told(effects))
	}
	does(t, "it does not keep what it should", g.hearCopied(now, g.held[0].holder, orphan.Copied{Run: copiedHere, Round: 2, Sum: 5}))
	if g.held[0].holder != (life{}) {
		t.Error("it is not left")
	}
	now, _ = g.round(listed("left")...)
	if g.held[0].holder.peer != first {
		t.Errorf("it is left for %s", g.held[0].holder.peer)
	}
	does(t, "nor does the other", g.hearCopied(now, g.held[0].holder, orphan.Copied{Run: copiedHere, Round: 3, Sum: 5}))
	if g.held[0].holder.peer != first {
		t.Error("two are left within a minute")
	}
	g.at = g.held[0].moved
	now, _ = g.round(listed("right")...)
	g.hearCopied(now, g.held[0].holder, orphan.Copied{Run: copiedHere, Round: 4, Sum: 5})
	if now != g.held[0].moved-moveEvery || g.held[0].holder != (life{}) {
		t.Errorf("after a minute, at %v, it is kept by %v", now, g.held[0].holder)
	}
}

// TestCopiesOfALivingHolder: one that goes on in another life has what it had, and is given what it
// lacks; what it said in the life before does not count.
func TestCopiesOfALivingHolder(t *testing.T) {
	g := newGiver(t, "b1")
	now, _ := g.round(listed("left")...)
	was, is := in("b1"), life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}}
	m := g.present["b1"]
	m.Incarnation = is.incarnation
	g.present["b1"] = m
	g.livesOn(in("c1"), is)
	g.livesOn(was, is)
	word := orphan.Copied{Run: copiedHere, Round: 1, Sum: orphan.SumOf(0, keyOf("left"))}
	does(t, "what it said before", g.hearCopied(now, was, word))
	repeated := g.tick(g.runs[0].with[0].again)
	if to := repeated[0].(membership.Send); len(repeated) != 1 || to.Incarnation != is.incarnation {
		t.Errorf("it is repeated to %v", to)
	}
	does(t, "what it says now", g.hearCopied(now, is, word))
	_, effects := g.round(listed("left", "right")...)
	does(t, "it lacks one", effects, `b1: Copy round 2 +right "right" with best "best"`)
}

// TestCopiesInPortions: a message brings what the link is known to carry, a longer result alone.
// What these parts replace is taken back by the last of several, so that a holder that is lost
// between two has the one or the other.
func TestCopiesInPortions(t *testing.T) {
	g := newGiver(t, "b1")
	now, _ := g.round(listed("old")...)
	g.has(now)
	big := listed("one", "two", "three")
	for n := range big {
		big[n].Result.Bytes, big[n].Result.Cost = make([]byte, portionMin+n), 1000
	}
	now, effects := g.round(big...)
	for n := range 3 {
		if len(effects) != 1 {
			t.Fatalf("message %d: %q", n, told(effects))
		}
		c := effects[0].(membership.Send).Body.(orphan.Copy)
		if last := n == 2; len(c.Parts) != 1 || c.Whole || (len(c.Gone) == 1) != last {
			t.Errorf("message %d brings %d parts, and takes back %d", n, len(c.Parts), len(c.Gone))
		}
		now += 2 * portionTime
		effects = g.has(now)
	}
	does(t, "that is all", effects)
	if g.held[0].portion.grown != 0 || g.sent != 4 {
		t.Errorf("a slow link carries more each time: %d; %d parts were sent", g.held[0].portion.grown, g.sent)
	}
	halves := listed("half", "other")
	for n := range halves {
		halves[n].Result.Bytes, halves[n].Result.Cost = make([]byte, portionMin/2), 1000
	}
	now, effects = g.round(halves...)
	if c := effects[0].(membership.Send).Body.(orphan.Copy); len(c.Parts) != 2 || len(c.Gone) != 3 {
		t.Errorf("of two that fill a message %d are in it, and it takes back %d", len(c.Parts), len(c.Gone))
	}
	g.has(now)
	if g.held[0].portion.grown != 1 {
		t.Errorf("a fast link carries as much as before: %d", g.held[0].portion.grown)
	}
}

// TestCopiesWaitForEachOther: while one is out a round sends no other, though more is finished; the
// rest follows its acknowledgement. At each round the owners of what was returned are asked, too.
func TestCopiesWaitForEachOther(t *testing.T) {
	g := newGiver(t, "b1")
	g.keeper.returned(0, in("c1"), steal.Done{Run: copiedHere, Key: keyOf("returned"), Result: worth("r"), Number: 6})
	does(t, "a round comes", g.tick(g.at), "c1: Uncovered [6]", "want parts")
	now := g.at
	does(t, "one is finished", g.gathered(now, listed("left")), `b1: Copy round 1, anew: +left "left" with best "best"`)
	g.runs[0].with[0].again = steal.Never // it is on its way
	g.tick(g.at)
	does(t, "another is", g.gathered(g.at, listed("left", "right")))
	does(t, "the first is kept", g.has(g.at), `b1: Copy round 2 +right "right" with best "best"`)
}

// TestCopiesOfAllRunsMove: a holder that does not keep what it should of one run is sent nothing of
// any other either, and the next gets all.
func TestCopiesOfAllRunsMove(t *testing.T) {
	g := newGiver(t, "b1", "c1")
	g.began(steal.Instance{Run: steal.Key{2}}, 8, g)
	parts := append(listed("left"), Part{Run: 8, Key: keyOf("right"), Result: steal.Result{Cost: 200}})
	now, _ := g.round(parts...)
	first := g.held[0].holder
	does(t, "it keeps less", g.hearCopied(now, first, orphan.Copied{Run: copiedHere, Round: 1, Sum: 5}))
	g.at = steal.Never
	does(t, "it is time to repeat the other", g.tick(now+copyGapMax))
	g.at = now + copyGapMax
	if _, effects := g.round(parts...); len(effects) != 2 || g.held[0].holder.peer == first.peer {
		t.Errorf("%s gets %q", g.held[0].holder.peer, told(effects))
	}
}

// TestCopiesAreTakenBackInPortions, too: a message has room for so many keys.
func TestCopiesAreTakenBackInPortions(t *testing.T) {
	g := newGiver(t, "b1")
	y := g.runs[0]
	for n := range orphan.EntriesMax + 1 {
		y.with[0].has = append(y.with[0].has, steal.Key{byte(n >> 8), byte(n)})
	}
	if _, gone, rest, _ := y.changes(0, portionMin); len(gone) != orphan.EntriesMax || rest {
		t.Errorf("%d are taken back at once", len(gone))
	}
}

// TestSecondHolder: where there is a third site, one there has the dearest parts, too.
func TestSecondHolder(t *testing.T) {
	g := newGiver(t, "a2", "b1", "c1")
	g.once = false
	parts := listed("left", "right", "long")
	parts[2].Result.Bytes = make([]byte, dearBytes*200+1)
	now, effects := g.round(parts...)
	first, second := g.held[0].holder, g.held[1].holder
	if len(effects) != 2 || first == second || second == (life{}) || first.peer == "a2" || second.peer == "a2" {
		t.Fatalf("%v and %v are to keep them: %q", first, second, told(effects))
	}
	whole := effects[0].(membership.Send).Body.(orphan.Copy)
	if dear := effects[1].(membership.Send).Body.(orphan.Copy); len(whole.Parts) != 3 || len(dear.Parts) != 2 || dear.Round != 2 || !dear.Whole {
		t.Errorf("they get %q", told(effects))
	}
	ask := orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{3}}
	g.settled(copiedHere, 3)
	g.tick(g.at)
	g.gathered(now, parts)
	acknowledge := func(n int) { g.acknowledged(now, n) }
	acknowledge(0)
	does(t, "one has all", g.hearUncovered(in("x"), ask))
	acknowledge(1)
	g.tick(g.at)
	g.gathered(now, parts)
	does(t, "the other has what it should", g.hearUncovered(in("x"), ask), "x: Covered [3]")

	delete(g.present, first.peer)
	if g.lost(now, first.peer); g.held[0].holder != second || g.held[1].holder != (life{}) || g.at != now {
		t.Errorf("the first is lost, and %v is, and %v, the next at %v", g.held[0].holder, g.held[1].holder, g.at)
	}
	g.tick(now)
	effects = g.gathered(now, parts)
	if rest := effects[0].(membership.Send).Body.(orphan.Copy); len(effects) != 1 || rest.Whole || len(rest.Parts) != 1 {
		t.Errorf("it lacks %q", told(effects))
	}
	acknowledge(0)
	g.present[first.peer] = presentOf(first.peer)[first.peer]
	g.tick(g.at)
	effects = g.gathered(now, parts)
	if dear := effects[0].(membership.Send); len(effects) != 1 || dear.To != first.peer || !dear.Body.(orphan.Copy).Whole {
		t.Errorf("another comes, and there is %q", told(effects))
	}
	at := g.at
	delete(g.present, first.peer)
	if g.lost(now, first.peer); g.held[1].holder != (life{}) || g.held[0].holder != second || g.at != at {
		t.Errorf("the second is lost, and %v is, the next at %v", g.held, g.at)
	}
}

// acknowledged has one of the holders acknowledge what it was sent.
func (g *giver) acknowledged(now time.Duration, n int) []membership.Effect {
	x := &g.runs[0].with[n]
	var sum uint64
	for _, k := range x.after {
		sum = orphan.SumOf(sum, k)
	}
	return g.hearCopied(now, g.held[n].holder, orphan.Copied{Run: copiedHere, Round: x.out.Round, Sum: sum})
}

// TestDearest: as many of the parts, and no others, as are worth a second holder.
func TestDearest(t *testing.T) {
	var parts []orphan.Part
	for n := range dearMax + 5 {
		parts = append(parts, orphan.Part{Key: steal.Key{byte(n >> 8), byte(n)}, Result: steal.Result{Cost: 200 + uint32(n*7%100)}})
	}
	parts[3].Result = steal.Result{Cost: 100, Bytes: make([]byte, 100*dearBytes+1)}
	parts[4].Result = steal.Result{Cost: 1, Bytes: make([]byte, dearBytes)}
	dear := dearest(parts)
	if len(dear) != dearMax || !slices.IsSortedFunc(dear, func(a, b orphan.Part) int { return bytes.Compare(a.Key[:], b.Key[:]) }) {
		t.Errorf("%d are, or they are in no order", len(dear))
	}
	cheapest := slices.MinFunc(dear, func(a, b orphan.Part) int { return cmp.Compare(a.Result.Cost, b.Result.Cost) })
	left := slices.DeleteFunc(slices.Clone(parts), func(p orphan.Part) bool {
		return slices.ContainsFunc(dear, func(d orphan.Part) bool { return d.Key == p.Key })
	})
	for _, p := range left {
		if p.Result.Cost > cheapest.Result.Cost {
			t.Errorf("one of %d ms is left, and one of %d is not", p.Result.Cost, cheapest.Result.Cost)
		}
	}
	if few := dearest(parts[:5]); len(few) != 4 || few[3].Key != parts[4].Key {
		t.Errorf("of five %d are", len(few))
	}
}
