package steal

import "time"

// Times of sharing workers among runs.
const (
	// FairSlice is how far a run gets ahead of one that waits before it gives up a worker: long
	// enough that a switch, which takes microseconds, costs nothing, and short enough that a
	// run of a few milliseconds is not kept waiting.
	FairSlice = 10 * time.Millisecond

	// fairCredit bounds what a run is owed that could not use its part – it had one long leaf,
	// or nothing was to be had – and what one owes that used it instead. Without bound the one
	// would have all workers afterwards, for as long as it had gone without. What a run is owed
	// that waits has no bound but the jobs of the others, which are not cut: with one, all that
	// wait would be at it, and which of them has waited longer, or has the greater share, would
	// be forgotten.
	fairCredit = 200 * time.Millisecond
)

// Fair divides the workers of one peer among the runs that want some, by their shares: start-time
// fair queueing. Each credit's clock counts the worker time that its run has had, over its share;
// whoever chooses a job chooses one of the run whose clock is behind. A run that begins to want
// workers starts at the clock of all, which never goes back: it is owed nothing for the time
// before, so that neither the old starve the new nor a stream of new ones the old.
//
// The zero value divides among nobody.
type Fair struct {
	// worker seconds that all credits have had, each divided by the shares that
	// wanted some at that time
	clock float64
	total float64 // the shares of the credits that want workers
}

// Credit is what one run has had, and is owed.
type Credit struct {
	share float64
	// worker seconds that the run has had over its share, but for what was forgotten
	at    float64
	wants bool
}

// NewCredit makes the credit of a run that wants no workers yet.
func (f *Fair) NewCredit(share uint16) *Credit {
	return &Credit{share: float64(max(share, 1)), at: f.clock}
}

// Share changes the share of a credit. What the run has had counts as before.
func (f *Fair) Share(c *Credit, share uint16) {
	wants := c.wants
	f.Want(c, false)
	c.share = float64(max(share, 1))
	f.Want(c, wants)
}

// Want hears whether a run has workers or could use some.
func (f *Fair) Want(c *Credit, wants bool) {
	switch {
	case wants && !c.wants:
		c.at = max(c.at, f.clock)
		f.total += c.share
	case !wants && c.wants:
		if f.total -= c.share; f.total < 1 {
			f.total = 0 // shares are whole numbers
		}
	}
	c.wants = wants
}

// Charge puts worker time down to a run.
func (f *Fair) Charge(c *Credit, d time.Duration) {
	c.at += d.Seconds() / c.share
	if f.total > 0 {
		f.clock += d.Seconds() / f.total
	}
}

// Settle forgets what a run owes beyond fairCredit and, unless something of it waits for a worker,
// what it is owed.
func (f *Fair) Settle(c *Credit, waits bool) {
	credit := fairCredit.Seconds() / c.share
	c.at = min(c.at, f.clock+credit)
	if !waits {
		c.at = max(c.at, f.clock-credit)
	}
}

// Before tells whether a run is to be served before another.
func (c *Credit) Before(other *Credit) bool { return c.at < other.at }

// Displaces tells whether a run that waits for a worker should have one that works for another:
// that one is ahead by more than FairSlice.
func (c *Credit) Displaces(other *Credit) bool {
	return (other.at-c.at)*c.share >= FairSlice.Seconds()
}
