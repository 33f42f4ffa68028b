package satin

import (
	"sync"
	"time"

	"satingrid/satin/forecast"
)

// Remaining is how long a run will take yet: an interval that is to hold the truth four times out
// of five, and the likely time in it. Its String is what people are told: "2 to 4 min left".
type Remaining = forecast.Interval

// foretold is how long a run will take, as who has asked for it sees it.
type foretold struct {
	began time.Time

	mu       sync.Mutex // protects what follows
	forecast forecast.Forecast
}

// see sees how far the run is, and what it has cost.
func (f *foretold) see(s Stats) (Remaining, bool) {
	work := 0.0
	for _, p := range s.Peers {
		work += p.Busy
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forecast.See(time.Since(f.began), s.Done, work)
	return f.forecast.Left()
}

// Remaining estimates how long the run will take yet. It is made of what was seen at each call:
// what the run has cost, how far it says that it is, and how many workers it has had of late. So
// call it a few times a second.
//
// ok is false while nothing can be said: at the start, where jobs tell nothing of what is to come,
// and where what was foretold has proved wrong by far. The time may grow, as peers go, or as more
// turns out to be left. Package forecast says how it is made.
func (u *Submission[R]) Remaining() (left Remaining, ok bool) {
	select {
	case <-u.asked.Done():
		return Remaining{}, true
	default:
	}
	return u.foretold.see(u.asked.Stats())
}
