package membership

import "time"

// Bounds of counters that are compared by "greater wins". A value from outside stays for ever where
// it is the greatest there can be, so none is believed that is far above all that is known: a grid
// takes a million joins between two messages no sooner than it reaches CounterMax, above which
// nothing is a counter.
const (
	RaiseMax   = 1 << 20
	CounterMax = 1 << 62
	// where nothing is known a counter is believed up to this: as much again is left above it
	firstMax   = CounterMax / 2
	raiseEvery = time.Second
)

// Ceiling is up to what a counter that others raise is believed. What is above is refused, and
// lifts the ceiling by RaiseMax, once a second: so who has missed a time in which somebody raised
// it with each message catches up with those who have not. What is no more than RaiseMax above all
// that was believed need not be said twice for that.
type Ceiling struct {
	top   uint64
	known uint64        // the greatest that was believed
	at    time.Duration // no second lift before this
}

// Over starts a ceiling anew, over what is known.
func (c *Ceiling) Over(known uint64) {
	c.known = min(known, CounterMax)
	c.top = c.known + RaiseMax
}

// Admits tells whether a value is to be believed.
func (c *Ceiling) Admits(now time.Duration, n uint64) bool {
	isNear := n <= c.known+RaiseMax
	if n > c.top && n <= CounterMax && now >= c.at {
		c.at = now + raiseEvery
		if c.top += RaiseMax; !isNear {
			return false
		}
	}
	if n > min(c.top, CounterMax) {
		return false
	}
	c.known = max(c.known, n)
	return true
}
