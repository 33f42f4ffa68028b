package membership

import "time"

// Bounds of counters that are compared by "greater wins". A value from outside stays for ever where
// it is the greatest there can be, so none is believed that is far above all that is known: a grid
// takes a million joins between two messages no sooner than it reaches CounterMax, above which
// nothing is a counter.
const (
	RaiseMax   = 1 << 20
	CounterMax = 1 << 62
	raiseEvery = time.Second
)

// Ceiling is up to what a counter that others raise is believed. What is above is refused, and
// lifts the ceiling by RaiseMax, once a second: so who has missed a time in which somebody raised
// it with each message catches up with those who have not.
type Ceiling struct {
	top uint64
	at  time.Duration // no second lift before this
}

// Over starts a ceiling anew, over what is known.
func (c *Ceiling) Over(known uint64) { c.top = min(known, CounterMax) + RaiseMax }

// Admits tells whether a value is to be believed.
func (c *Ceiling) Admits(now time.Duration, n uint64) bool {
	if n <= c.top || n > CounterMax || now < c.at {
		return n <= c.top && n <= CounterMax
	}
	c.at = now + raiseEvery
	c.top += RaiseMax
	return n <= c.top
}
