package program

import (
	"fmt"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// remaining is how far a run is, and how long it will take yet. The zero value is of one that does
// not tell.
type remaining struct {
	told  bool
	done  float64
	known bool
	left  satin.Remaining

	// what that is made of: the seconds of workers that were spent, and the share of all that
	// this is, as the run guesses now
	busy, guess float64
}

// remainingOf asks a run.
func remainingOf(r Running) (x remaining) {
	f, ok := r.(Forecaster)
	if !ok {
		return x
	}
	x.told, x.done = true, r.Progress()
	x.left, x.known = f.Remaining()
	s := r.Stats()
	x.busy, x.guess = busyOf(s), s.Done
	return x
}

// busyOf are the seconds of workers that a run has cost.
func busyOf(s satin.Stats) (busy float64) {
	for _, p := range s.Peers {
		busy += p.Busy
	}
	return busy
}

// String is the end of a meter's line: "; 31 % done, 2 to 4 min left".
func (x remaining) String() string {
	switch {
	case !x.told:
		return ""
	case !x.known:
		return fmt.Sprintf("; %.0f %% done, time left unknown", 100*x.done)
	}
	return fmt.Sprintf("; %.0f %% done, %v", 100*x.done, x.left)
}

// seconds are the ends of the interval; nil: they are not known.
func (x remaining) seconds() []float64 {
	if !x.known {
		return nil
	}
	return []float64{console.Round(x.left.Least.Seconds()), console.Round(x.left.Most.Seconds())}
}
