package peer

import "time"

// progressDone is all of a run, in what is told of how far it is.
const progressDone = 1000

// A master tells all members how far its run is when that has grown by extentStep, in thousandths,
// and not more often than every extentEvery: of no run a hundred times, and of all runs of a full
// grid 32 times a second.
const (
	extentStep  = progressDone / 100
	extentEvery = 2 * time.Second
)

// extent is how far a run is, as its master says. It is for people to see, and decides nothing.
type extent struct {
	done uint16        // in thousandths
	told uint16        // … as all members were told last; at the master
	soon time.Duration // they are told again from then on
}

// reached hears, at the master, how much of the run is done, from 0 to 1, and tells whether all
// members are to hear it.
func (x *extent) reached(now time.Duration, done float64) (tells bool) {
	if done > 0 && done <= 1 {
		x.done = max(x.done, uint16(done*progressDone))
	}
	if tells = x.done >= x.told+extentStep && now >= x.soon; tells {
		x.told, x.soon = x.done, now+extentEvery
	}
	return tells
}

// heard takes the word of its master.
func (x *extent) heard(done uint16) { x.done = max(x.done, min(done, progressDone)) }

// share is how much of the run is done, from 0 to 1; 0 also when nothing was told.
func (x *extent) share() float64 { return float64(x.done) / progressDone }
