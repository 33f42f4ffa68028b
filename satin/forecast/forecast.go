// Package forecast tells how long a run will take yet, as an interval that is to hold the truth
// four times out of five.
//
// A [Forecast] sees, again and again, which share of its cost a run says that it has spent, and
// what it has cost so far, in seconds of workers. The cost by the share is what the run would cost
// in all; what is left of that, by the speed of the last moments, is the likely time. A peer that
// has come or gone a moment ago so counts as it should. An [Interval] is what is said of that.
//
// How wide the interval is depends on how far the likely cost has moved while the second half of
// what was spent so far was spent: what has stood still for so long is nearly right, and what has
// moved will move on. The constants are fitted to some thirty recorded runs of seconds, none of
// which was held out: docs/performance.md has what they are worth on others. Estimates of search
// trees are too low more often than too high, as what is easy ends first; so the interval reaches
// further up than down.
//
// It is a value: it reads no clock, and has no goroutine and no lock.
//
// # Limitations
//
// A run that does something else when all of its jobs are done, or that computes without jobs, is
// not foreseen. Searches whose bounds cut off more and more may be off by more than the interval
// says; where the likely cost has moved by more than a factor of four it says nothing.
package forecast

import (
	"math"
	"slices"
	"time"
)

// Forecast is made of what was seen of one run. The zero value has seen nothing.
type Forecast struct {
	seen  []sighting // ascending
	share float64    // as was told last, of a run of which something is left
}

// sighting is what was seen at one time.
type sighting struct {
	at   float64 // seconds since the run began
	work float64 // seconds of workers
	cost float64 // logarithm of what the run costs in all …
	told bool    // … which is known
}

// Interval is the time that a run will take yet.
type Interval struct{ Least, Likely, Most time.Duration }

const (
	// shareLeast is below what a share says nothing, and shareMost above: all jobs that are
	// known have ended then, and what the run does yet is not known.
	shareLeast = 0.002
	shareMost  = 0.998

	// samplesMax bounds what is remembered; then every second sample is forgotten.
	samplesMax = 512
	// samplesFew is how many there have to be in the half that is looked at.
	samplesFew = 3

	// recent is the part of its time, and recentLeast the seconds, over which a run's speed is
	// taken.
	recent      = 0.2
	recentLeast = 2

	// movedMost is how far the logarithm of the likely cost may have moved before nothing is
	// said any more.
	movedMost = 1.5

	// The logarithms by which the interval reaches down and up: so much, and so much more for
	// each by which that of the likely cost has moved.
	downLeast, downMoved = 0.25, 1.5
	upLeast, upMoved     = 0.5, 4.5
)

// See sees that a run that has gone on for some time says that this share of it is done, from 0 to
// 1, and has cost so much work, in seconds of workers.
func (f *Forecast) See(gone time.Duration, share, work float64) {
	if share >= shareMost {
		share = f.share
	}
	f.share = share
	s := sighting{at: gone.Seconds(), work: work}
	if n := len(f.seen); !(work > 0) || n > 0 && (s.at <= f.seen[n-1].at || work < f.seen[n-1].work) {
		return
	}
	if share > shareLeast {
		s.cost, s.told = math.Log(work/share), true
	}
	if len(f.seen) == samplesMax {
		for n := range samplesMax / 2 {
			f.seen[n] = f.seen[2*n]
		}
		f.seen = f.seen[:samplesMax/2]
	}
	f.seen = append(f.seen, s)
}

// Left is how long the run will take yet. ok is false while that is not known.
func (f *Forecast) Left() (left Interval, ok bool) {
	if len(f.seen) == 0 {
		return Interval{}, false
	}
	now := f.seen[len(f.seen)-1]
	moved, ok := f.moved(now.work / 2)
	speed := f.speed()
	if !ok || !now.told || moved > movedMost || speed <= 0 {
		return Interval{}, false
	}
	return around(max(0, math.Exp(now.cost)-now.work)/speed, downLeast+downMoved*moved, upLeast+upMoved*moved), true
}

// moved is how far the logarithm of the likely cost has moved since so much had been done: in the
// middle three fifths of what was seen, or from the middle of it to now.
func (f *Forecast) moved(since float64) (moved float64, ok bool) {
	var costs []float64
	for _, s := range f.seen {
		if s.told && s.work >= since {
			costs = append(costs, s.cost)
		}
	}
	n := len(costs)
	if n < samplesFew {
		return 0, false
	}
	now := costs[n-1]
	slices.Sort(costs)
	return max(costs[4*n/5]-costs[n/5], math.Abs(now-costs[n/2])), true
}

// speed is how many workers the run has had of late.
func (f *Forecast) speed() float64 {
	now := f.seen[len(f.seen)-1]
	since := now.at - max(recentLeast, recent*now.at)
	for _, s := range f.seen {
		if s.at >= since && s.at < now.at {
			return (now.work - s.work) / (now.at - s.at)
		}
	}
	return now.work / now.at
}

// The logarithms by which the interval of a Glance reaches down and up.
const glanceDown, glanceUp = 1.0, 1.9

// Glance is how long a run will take yet of which nothing is known but its age and how much of it
// is done: as long in proportion as until now. It is the wider for that.
func Glance(age time.Duration, share float64) (left Interval, ok bool) {
	if share <= shareLeast || share >= shareMost || age <= 0 {
		return Interval{}, false
	}
	return around(age.Seconds()*(1-share)/share, glanceDown, glanceUp), true
}

// around is the interval around so many seconds.
func around(seconds, down, up float64) Interval {
	return Interval{Least: duration(seconds * math.Exp(-down)), Likely: duration(seconds), Most: duration(seconds * math.Exp(up))}
}

// duration is so many seconds, or as many as there can be.
func duration(seconds float64) time.Duration {
	const most = 100 * 365 * 24 * 60 * 60
	return time.Duration(min(seconds, most) * float64(time.Second))
}
