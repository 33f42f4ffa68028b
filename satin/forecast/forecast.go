// Package forecast tells how long a run will take yet, as an interval that is to hold the truth
// four times out of five.
//
// A [Forecast] sees, again and again, which share of its cost a run says that it has spent, and
// what it has cost so far, in seconds of workers. What is left in proportion to that is the likely
// work, and by the speed of the last moments the likely time. A peer that has come or gone a moment
// ago so counts as it should. An [Interval] is what is said of that.
//
// How wide the interval is depends on how wrong the run's own guesses were, while the second half
// of what was spent so far was spent: each had said what was left then, which is known better now.
// Where they have said too much again and again, as of a search that prunes more and more, the
// interval reaches further down. By how much that tells is learned from recorded runs; the
// constants are fitted to them, and package trial holds them to others. Where an interval would be
// so wide that nobody is served by it, nothing is said.
//
// It is a value: it reads no clock, and has no goroutine and no lock.
//
// # Limitations
//
// A run that does something else when all of its jobs are done, or that computes without jobs, is
// not foreseen. Nor is a search that ends as soon as something is found: it takes less than is
// said. What was lost with a peer and is done again counts as spent, so that more seems to be left.
package forecast

import (
	"math"
	"time"
)

// Forecast is made of what was seen of one run. The zero value has seen nothing.
type Forecast struct {
	seen  []sighting // ascending
	share float64    // as was told last, of a run of which something is left
	gone  float64    // what was spent by peers that count from nothing again
}

// sighting is what was seen at one time.
type sighting struct {
	at    float64 // seconds since the run began
	work  float64 // seconds of workers
	share float64 // which part of all that is; 0: not known
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

	// What is likely is the guess, corrected the more the more wrong the run's guesses were:
	// by so much less than is guessed at the start, and so much more at the end.
	likelyTurn = 1.64

	// The interval reaches down and up by so much at least, and so much more for each by which
	// guesses were wrong, down for each by which they have said too much, and for the age of a
	// run: little is known of one of some seconds.
	downLeast, downWrong, downDrift = 0.60, 0.77, 1.02
	upLeast, upWrong                = 0.41, 0.82
	young, youngFor                 = 0.10, 5 // … at so many seconds

	// wrongMost bounds how wrong they are held to be.
	wrongMost = 2
)

// widthMost is the logarithm of how many times its lower end the upper end of an interval may be.
// Beyond that nobody is served by it.
var widthMost = math.Log(25)

// See sees that a run that has gone on for some time says that this share of it is done, from 0 to
// 1, and has cost so much work, in seconds of workers.
func (f *Forecast) See(gone time.Duration, share, work float64) {
	if share >= shareMost {
		share = f.share
	}
	f.share = share
	s := sighting{at: gone.Seconds(), work: f.gone + work}
	if !(work > 0) || len(f.seen) > 0 && s.at <= f.now().at {
		return
	}
	if len(f.seen) > 0 && s.work < f.now().work {
		f.gone += f.now().work - s.work
		s.work = f.now().work
	}
	if share > shareLeast {
		s.share = share
	}
	if len(f.seen) == samplesMax {
		for n := range samplesMax / 2 {
			f.seen[n] = f.seen[2*n]
		}
		f.seen = f.seen[:samplesMax/2]
	}
	f.seen = append(f.seen, s)
}

// Left is how long the run will take yet: its work, by the speed of the last moments. ok is false
// while that is not known.
func (f *Forecast) Left() (left Interval, ok bool) {
	work, ok := f.odds()
	speed := 0.0
	if ok {
		speed = f.speed()
	}
	if speed <= 0 {
		return Interval{}, false
	}
	return work.times(f.now().work / speed), true
}

// Work is what the run will cost yet, in seconds of a worker. ok is false while that is not known.
func (f *Forecast) Work() (left Interval, ok bool) {
	work, ok := f.odds()
	if !ok {
		return Interval{}, false
	}
	return work.times(f.now().work), true
}

func (f *Forecast) now() sighting { return f.seen[len(f.seen)-1] }

// odds are the logarithms of what is left in units of what was spent.
type odds struct{ least, likely, most float64 }

// odds are those of the run. ok is false while they are not known, or so little that nobody is
// served by it.
func (f *Forecast) odds() (o odds, ok bool) {
	if len(f.seen) == 0 || f.now().share == 0 {
		return o, false
	}
	past, ok := f.past()
	if !ok {
		return o, false
	}
	now := f.now()
	early := young * math.Sqrt(youngFor/max(now.at, 1))
	likely := math.Log(now.left()/now.work) + likelyTurn*past.wrong*(2*now.share-1)
	down := downLeast + downWrong*past.wrong + downDrift*max(0, -past.drift)
	o = odds{likely - down - early, likely, likely + upLeast + upWrong*past.wrong + early}
	return o, o.most-o.least <= widthMost
}

// times are the odds in units of so many seconds.
func (o odds) times(seconds float64) Interval {
	return Interval{duration(seconds * math.Exp(o.least)), duration(seconds * math.Exp(o.likely)), duration(seconds * math.Exp(o.most))}
}

// past is how wrong the guesses were while the second half was spent of what was spent so far: of
// what each has said that was left to what was spent since and is held to be left now, the
// logarithms.
type past struct {
	wrong float64 // the root of the mean of the squares
	drift float64 // the mean
}

// past looks back. ok is false where there is too little to be seen.
func (f *Forecast) past() (p past, ok bool) {
	now := f.now()
	left := now.left()
	n := 0
	for _, s := range f.seen {
		if s.share == 0 || s.work < now.work/2 {
			continue
		}
		n++
		off := math.Log((now.work - s.work + left) / s.left())
		p.wrong += off * off
		p.drift += off
	}
	if n < samplesFew {
		return p, false
	}
	others := float64(n - 1) // the last is not wrong as far as is known now
	return past{min(math.Sqrt(p.wrong/others), wrongMost), p.drift / others}, true
}

// left is what the run would cost yet, as it guessed then.
func (s sighting) left() float64 { return s.work * (1 - s.share) / s.share }

// speed is how many workers the run has had of late.
func (f *Forecast) speed() float64 {
	now := f.now()
	since := now.at - max(recentLeast, recent*now.at)
	for _, s := range f.seen {
		if s.at >= since && s.at < now.at {
			return (now.work - s.work) / (now.at - s.at)
		}
	}
	return now.work / now.at
}

// The logarithms by which the interval of a Glance reaches down and up: of the recorded runs, four
// times out of five.
const glanceDown, glanceUp = 1.2, 1.2

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
