package steal

import (
	"slices"
	"time"
)

// Times of sharing workers among runs.
const (
	// FairSlice is how far a run gets ahead of one that waits before it gives up a worker: long
	// enough that a switch, which takes microseconds, costs nothing, and short enough that a
	// run of a few milliseconds is not kept waiting.
	FairSlice = 10 * time.Millisecond

	// fairCredit bounds what a run is owed that could not use its part: it had one long leaf,
	// or nothing was to be had. Without bound it would have all workers afterwards, for as long
	// as it had gone without.
	fairCredit = 200 * time.Millisecond

	// fairDebt bounds what a run owes those that wait: jobs are not cut, and one whose jobs
	// last has had the part of others meanwhile. Longer jobs are forgiven in part, or it
	// would have no worker for as long.
	fairDebt = time.Minute
)

// Fair divides the workers of one peer among the runs that want some, by their shares: start-time
// fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996). Each credit's clock counts the worker time
// that its run has had, over its share; whoever chooses a job chooses one of the run whose clock is
// behind. A run that begins to want workers starts with those that wait, where the one is that has
// had the least: it is owed nothing for the time before, so that neither the old starve the new nor
// a stream of new ones the old. What a run that waits is owed has no bound but the jobs of the
// others: with one, all that wait would be at it where jobs are long, and which of them has waited
// longer would be forgotten.
//
// The zero value divides among nobody. A call takes time by the number of runs that want workers.
type Fair struct {
	wanting []*Credit
	clock   float64 // where a run starts
}

// Credit is what one run has had, and is owed.
type Credit struct {
	share float64
	// worker seconds that the run has had over its share, but for what was forgotten
	at    float64
	waits bool // something of it waits for a worker
}

// NewCredit makes the credit of a run that wants no workers yet.
func (f *Fair) NewCredit(share uint16) *Credit {
	c := &Credit{at: f.clock}
	f.Share(c, share)
	return c
}

// Share changes the share of a credit. What the run has had counts as before.
func (f *Fair) Share(c *Credit, share uint16) { c.share = float64(max(share, 1)) }

// Want hears whether a run has workers, and whether something of it waits for one. With neither it
// wants none.
func (f *Fair) Want(c *Credit, runs, waits bool) {
	wanted := slices.Contains(f.wanting, c)
	c.waits = waits
	switch {
	case (runs || waits) && !wanted:
		f.look()
		c.at = max(c.at, f.clock)
		f.wanting = append(f.wanting, c)
	case !runs && !waits && wanted:
		f.look()
		f.wanting = slices.DeleteFunc(f.wanting, func(o *Credit) bool { return o == c })
	}
}

// Charge puts worker time down to a run.
func (f *Fair) Charge(c *Credit, d time.Duration) { c.at += d.Seconds() / c.share }

// look finds out where a run starts: with the one of those that wait that has had the least. Where
// none waits there is a worker for each, and it is the one that has had the most.
func (f *Fair) look() {
	waiting, most, least := false, 0.0, 0.0
	for _, c := range f.wanting {
		if c.waits && (!waiting || c.at < least) {
			waiting, least = true, c.at
		}
		most = max(most, c.at)
	}
	switch {
	case waiting:
		f.clock = least
	case len(f.wanting) > 0:
		f.clock = most
	}
}

// Settle forgets what those are owed beyond fairCredit that could use more workers than they have
// and have nothing for them, and what is owed by any beyond fairDebt.
func (f *Fair) Settle() {
	f.look()
	for _, c := range f.wanting {
		c.at = min(c.at, f.clock+fairDebt.Seconds()/c.share)
		if !c.waits {
			c.at = max(c.at, f.clock-fairCredit.Seconds()/c.share)
		}
	}
}

// Before tells whether a run is to be served before another.
func (c *Credit) Before(other *Credit) bool { return c.at < other.at }

// Displaces tells whether a run that waits for a worker should have one that works for another:
// that one is ahead by more than FairSlice.
func (c *Credit) Displaces(other *Credit) bool {
	return (other.at-c.at)*c.share >= FairSlice.Seconds()
}
