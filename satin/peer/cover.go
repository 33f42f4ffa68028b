package peer

import (
	"slices"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// settled notes that a result came which no copy covers yet. It may come while this peer leaves,
// and then stays.
func (c *copier) settled(run steal.Instance, number steal.LoanNo) {
	y := c.of(run)
	if y == nil || c.every < 0 {
		return
	}
	at, known := slices.BinarySearch(y.uncovered, number)
	switch {
	case known:
	case len(y.uncovered) >= uncoveredMax:
		y.unkept = true
	default:
		y.uncovered = slices.Insert(y.uncovered, at, number)
	}
}

// hearUncovered hears which results a thief keeps that it has returned, and tells it which of them
// copies cover.
func (c *copier) hearUncovered(from life, u orphan.Uncovered) []membership.Effect {
	y := c.of(u.Run)
	if y == nil || !c.on || y.unkept {
		return nil
	}
	var covered []steal.LoanNo
	for _, n := range u.Loans[:min(len(u.Loans), uncoveredEach)] {
		if !y.lacks(n) && !c.ledger.IsLent(from.peer, n) {
			covered = append(covered, n)
		}
	}
	if len(covered) > 0 {
		c.send(from, orphan.Covered{Run: u.Run, Loans: covered})
	}
	return c.flush()
}

// lacks tells whether the result of a loan may be in no copy yet.
func (y *copying) lacks(number steal.LoanNo) bool {
	for _, all := range [][]steal.LoanNo{y.uncovered, y.asked, y.covering} {
		if _, ok := slices.BinarySearch(all, number); ok {
			return true
		}
	}
	return false
}
