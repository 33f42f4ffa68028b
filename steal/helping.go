package steal

import (
	"math"
	"time"
)

// How long what a request brings shall last, by how long it takes to come. Below lastsLeast more is
// asked for the next time, above lastsMost half. Between them is room enough that chance, of which
// there is much in a thin tree, does not drive it up and down.
const (
	lastsLeast = 8
	lastsMost  = 64

	// tripWeight is how many trips a new one is averaged with.
	tripWeight = 4

	// growMost is how many times as many jobs are asked for next: how long a few of them last
	// says little about a thousand.
	growMost = 4
)

// helping is how many jobs one request of a lane asks for. It is found from what came before: how
// long that took to come, and how long it lasted.
type helping struct {
	jobs  uint16        // that the next request asks for
	least uint16        // … where jobs last
	asked uint16        // that the last one asked for, …
	sent  time.Duration // … and when it was sent
	trip  time.Duration // from a request to its jobs, about; 0: none has come
	at    time.Duration // when the last jobs came; 0: they are used up
	full  bool          // they were as many as were asked for: there may be more
}

// newHelping is that of a lane of which nothing is known.
func newHelping(least uint16) helping { return helping{jobs: least, least: least} }

// forget hears that another run begins: nothing is known of its tree. The way is the same.
func (b *helping) forget() { b.jobs, b.at = b.least, 0 }

// isThin tells whether jobs do not last.
func (b *helping) isThin() bool { return b.jobs > b.least }

// came hears that jobs came, and whether in answer to the request that was out.
func (b *helping) came(now time.Duration, answer bool, jobs int) {
	if jobs == 0 {
		return
	}
	b.at, b.full = now, answer && jobs >= int(b.asked)
	switch trip := now - b.sent; {
	case !answer:
	case b.trip == 0:
		b.trip = trip
	default:
		b.trip += (trip - b.trip) / tripWeight
	}
}

// used hears that workers are idle: all that came is used up.
//
// Of a thin tree each job is one of many sizes, mostly tiny, and what n of them have below them
// grows like the square of n (a critical branching process; Harris, The Theory of Branching
// Processes, I.13). So the root of what is missing is enough; where jobs are of one size it is too
// little, and the next time shows that.
func (b *helping) used(now time.Duration) {
	if b.at == 0 {
		return
	}
	lasted := max(now-b.at, 1)
	b.at = 0
	switch least := lastsLeast * b.trip; {
	case lasted > lastsMost*b.trip:
		b.jobs = max(b.jobs/2, b.least)
	case lasted < least && b.full:
		by := min(math.Sqrt(float64(least)/float64(lasted)), growMost)
		b.jobs = uint16(min(math.Ceil(by*float64(b.jobs)), JobsMost))
	}
}

// stock is what came last and has not ended. Workers begin no job that waits before the one that
// they have has ended with all that is below it; so while there is some, none is idle.
type stock struct {
	jobs int   // that have not ended, or were withdrawn unnoticed; …
	came int   // … when the last ones came,
	from *lane // and in which direction
	// more may be asked for before they have ended: once, so that who has plenty of what one of
	// them has spawned does not go on fetching
	early bool
}

// add hears that jobs came.
func (s *stock) add(l *lane, jobs int) {
	if jobs == 0 {
		return
	}
	s.jobs += jobs
	s.came, s.from, s.early = s.jobs, l, l.helping.isThin()
}

// runsOut tells whether more is to be asked for now, so that it comes while there are jobs left.
// Of what came last half is enough for a trip, for all of it lasts for several.
func (s *stock) runsOut() bool { return s.early && s.jobs <= s.came/2 }
