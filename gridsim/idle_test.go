package gridsim

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"satingrid/membership"
)

// resting is a grid of so many peers of four sites that have met, and have nothing to do.
func resting(peers int) *World {
	o := Options{
		Seed: 1, Gap: 20 * time.Millisecond, ByPeer: true,
		Near: Link{Delay: 500 * time.Microsecond, Jitter: 200 * time.Microsecond},
		Far:  Link{Delay: 20 * time.Millisecond, Jitter: 5 * time.Millisecond},
	}
	for n := range idleSites {
		o.Sites = append(o.Sites, Site{Name: membership.Site('a' + rune(n)), Peers: (peers + n) / idleSites, Workers: 1})
	}
	w := newWorld(o)
	w.who.asker = w.populate()
	w.play(o.begin()+wholeWithin, func() bool { return false })
	return w
}

const (
	idleSites = 4
	// idleTime is how much of an idle grid is played at a time
	idleTime = 10 * time.Second
)

// BenchmarkIdle plays ten seconds of a grid that has nothing to do. What it costs is that of ticks,
// heartbeats and digests.
func BenchmarkIdle(b *testing.B) {
	for _, peers := range []int{100, 300, 1000} {
		b.Run(fmt.Sprintf("peers=%d", peers), func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			w := resting(peers)
			runtime.GC()
			runtime.ReadMemStats(&after)
			if who := w.who.whole(); who != "" || w.err != nil {
				b.Fatal(who, w.err)
			}
			from := w.events
			for b.Loop() {
				w.play(w.now+idleTime, func() bool { return false })
			}
			seconds := float64(b.N) * idleTime.Seconds() * float64(peers)
			b.ReportMetric(float64(b.Elapsed().Microseconds())/seconds, "µs/peer-second")
			b.ReportMetric(float64(w.events-from)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(peers), "B/peer")
			runtime.KeepAlive(w)
		})
	}
}
