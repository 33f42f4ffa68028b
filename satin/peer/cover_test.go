package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// TestCopiesCover: a settled loan is covered by what the workers list later, once all of that is
// acknowledged.
func TestCopiesCover(t *testing.T) {
	g := newGiver(t, "b1")
	loan := g.ledger.Lend(0, "b1", in("b1").incarnation, copiedHere, steal.Key{5}, 1)
	ask := orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{loan, 9}}
	asked := func(event string, want ...string) {
		t.Helper()
		does(t, event, g.hearUncovered(in("b1"), ask), want...)
	}
	asked("one that is lent still", "b1: Covered [9]")
	g.ledger.Settle("b1", loan, copiedHere)
	g.settled(copiedHere, loan)
	g.settled(copiedHere, loan)
	g.settled(copiedHere, 9)
	asked("they came")
	g.tick(g.at)
	asked("the workers are asked")
	now := g.at
	g.settled(copiedHere, 12)
	g.gathered(now, listed("part"))
	asked("the parts are on their way")
	g.has(now)
	asked("they are kept", "b1: Covered [1 9]")
	does(t, "one that came after the workers were asked", g.hearUncovered(in("b1"), orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{12}}))
	g.unkept(8)
	asked("of another run not all is listed", "b1: Covered [1 9]")
	g.unkept(7)
	asked("not all is listed")
	for n := range steal.LoanNo(uncoveredMax + 1) {
		g.settled(copiedHere, n)
	}
	if y := g.runs[0]; len(y.uncovered) != uncoveredMax {
		t.Errorf("%d loans are remembered", len(y.uncovered))
	}
}

// TestCoverWaits: what came is not covered where its part is not worth a message yet, nor when the
// holder was lost on the way: only when the next one has all.
func TestCoverWaits(t *testing.T) {
	g := newGiver(t, "b1", "c1")
	ask := orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{3}}
	waits := func(event string, want ...string) {
		t.Helper()
		does(t, event, g.hearUncovered(in("b1"), ask), want...)
	}
	g.settled(copiedHere, 9)
	cheap := listed("cheap")
	cheap[0].Result.Cost = copyCostMin - 1
	_, effects := g.round(cheap...)
	does(t, "it is cheap", effects)
	g.settled(copiedHere, 3)
	ask.Loans = []steal.LoanNo{3, 9}
	waits("they are with nobody")
	now, _ := g.round(listed("part")...)
	first := g.held[0].holder.peer
	delete(g.present, first)
	g.lost(now, first)
	waits("who was to keep it is lost")
	g.tick(now)
	g.gathered(now, listed("part"))
	waits("another is to keep it")
	g.has(now)
	waits("it does", "b1: Covered [3 9]")
	g.isOnly = true
	g.settled(copiedHere, 4)
	g.round(listed("root")...)
	ask.Loans = []steal.LoanNo{4}
	waits("the root has returned, and only this peer has the answer")
	g.isOnly = false
	now, _ = g.round(listed("root")...)
	g.has(now)
	waits("others have it", "b1: Covered [4]")
}

// TestCoverOfStrangers: of a run that is over nothing is said, and of a question no more is looked
// at than may be in one; who has a job is not told that its result is covered.
func TestCoverOfStrangers(t *testing.T) {
	g := newGiver(t, "b1")
	many := orphan.Uncovered{Run: copiedHere}
	for n := range steal.LoanNo(uncoveredEach + 5) {
		many.Loans = append(many.Loans, n+100)
	}
	covered := g.hearUncovered(in("b1"), many)[0].(membership.Send).Body.(orphan.Covered)
	if len(covered.Loans) != uncoveredEach || covered.Run != copiedHere {
		t.Errorf("%d are covered at once", len(covered.Loans))
	}
	loan := g.ledger.Lend(0, "b1", in("b1").incarnation, copiedHere, steal.Key{5}, 1)
	ask := orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{loan}}
	does(t, "it has it still", g.hearUncovered(in("b1"), ask))
	does(t, "another was never lent it", g.hearUncovered(in("c1"), ask), "c1: Covered [1]")
	ask.Run = steal.Instance{Run: steal.Key{9}}
	g.settled(ask.Run, loan)
	does(t, "of another run", g.hearUncovered(in("b1"), ask))
}

// TestCoverOverflows: where more came than can be remembered none is covered any more, in whichever
// of the rows it was.
func TestCoverOverflows(t *testing.T) {
	ask := orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{uncoveredMax + 9}}
	g := newGiver(t, "b1")
	y := g.runs[0]
	for n := range steal.LoanNo(uncoveredMax) {
		y.uncovered = append(y.uncovered, n)
	}
	does(t, "there is room", g.hearUncovered(in("b1"), ask), "b1: Covered [65545]")
	g.settled(copiedHere, 5)
	does(t, "one came twice", g.hearUncovered(in("b1"), ask), "b1: Covered [65545]")
	g.settled(copiedHere, uncoveredMax)
	does(t, "one is too many", g.hearUncovered(in("b1"), ask))

	g = newGiver(t, "b1")
	y = g.runs[0]
	y.covering = make([]steal.LoanNo, uncoveredMax)
	g.tick(g.at)
	if g.gathered(g.at, nil); y.unkept {
		t.Error("there is room, and none is covered")
	}
	y.covering = make([]steal.LoanNo, uncoveredMax)
	g.settled(copiedHere, 7)
	g.tick(g.at)
	if g.isOnly = true; len(g.gathered(g.at, nil)) != 0 || !y.unkept || len(y.covering) != uncoveredMax {
		t.Errorf("one is too many: %v, of %d", !y.unkept, len(y.covering))
	}
}

// TestCoverOfALeaveThatIsOff: what came while this peer was leaving is in no copy when it stays.
func TestCoverOfALeaveThatIsOff(t *testing.T) {
	g := newGiver(t, "b1")
	ask := orphan.Uncovered{Run: copiedHere, Loans: []steal.LoanNo{3}}
	g.goes = true
	g.opened(0)
	g.settled(copiedHere, 3)
	does(t, "it leaves", g.hearUncovered(in("b1"), ask))
	g.goes = false
	g.opened(time.Second)
	does(t, "it stays", g.hearUncovered(in("b1"), ask))
	now, _ := g.round(listed("part")...)
	g.has(now)
	does(t, "its part is kept", g.hearUncovered(in("b1"), ask), "b1: Covered [3]")
}
