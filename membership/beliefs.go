package membership

import "time"

// beliefs are up to what a view believes counters that come from outside. Before the first snapshot
// it knows nothing, and believes what that says.
type beliefs struct {
	joins   Ceiling // of join numbers
	bars    Ceiling // of the counters of bars
	settled bool    // these stand
	// what the snapshot said that settled them, or was known before there was any
	trusted newest
}

// newest is the greatest join number and the greatest counter of a bar of what somebody knows.
type newest struct{ join, bar uint64 }

func newestOf(members []Member, bars []Bar) (n newest) {
	for _, m := range members {
		n.join = max(n.join, min(m.Incarnation.Join, firstMax))
	}
	for _, b := range bars {
		n.bar = max(n.bar, min(b.Counter, firstMax))
	}
	return n
}

// isFarAbove tells whether who knows m refuses to believe n.
func (n newest) isFarAbove(m newest) bool {
	return n.join > m.join+RaiseMax || n.bar > m.bar+RaiseMax
}

// settle sets the ceilings over what is known.
func (b *beliefs) settle(known newest) {
	b.settled = true
	b.joins.Over(known.join)
	b.bars.Over(known.bar)
}

// areBelied tells whether a member's snapshot knows nothing near what was believed: that was a lie.
func (b *beliefs) areBelied(by newest) bool { return b.settled && b.trusted.isFarAbove(by) }

// admitJoin tells whether a join number is to be believed.
func (b *beliefs) admitJoin(now time.Duration, n uint64) bool { return b.admit(now, &b.joins, n) }

// admitBar tells whether the counter of a bar is to be believed.
func (b *beliefs) admitBar(now time.Duration, n uint64) bool { return b.admit(now, &b.bars, n) }

func (b *beliefs) admit(now time.Duration, c *Ceiling, n uint64) bool {
	return !b.settled && n <= firstMax || b.settled && c.Admits(now, n)
}

// admitLives tells whether a record by another's word, which counts the lives of a member that is
// known as that, or not at all, counts no more than may be.
func (b *beliefs) admitLives(is *seat, m *Member) bool {
	known := uint64(0)
	if is != nil && is.Incarnation.Join == m.Incarnation.Join {
		known = is.Incarnation.Rejoin
	}
	return !b.settled || m.Incarnation.Rejoin <= known+RaiseMax
}
