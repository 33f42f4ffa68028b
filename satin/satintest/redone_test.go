package satintest_test

import (
	"math"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Counted is a tree whose leaves are counted, so that a test knows what was executed again.
type Counted struct {
	Depth int
	Seed  uint64
}

var countedLeaves atomic.Int64

const countedLeaf = 2 * time.Millisecond

func (c Counted) Run(s *satin.Scope) (uint64, error) {
	if c.Depth == 0 {
		computes(countedLeaf)
		countedLeaves.Add(1)
		return c.Seed, nil
	}
	x := satin.Spawn(s, Counted{c.Depth - 1, 3*c.Seed + 1})
	m, err := Counted{c.Depth - 1, 5*c.Seed + 3}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := x.Wait(s)
	return 7*n + m, err
}

// What is said to have been done again is what was executed again, by the leaves that were: two
// peers that die together, and two masters one after the other, do not share it twice. And each job
// that was put back belongs to a loss.
func TestRedoneIsWhatWasExecutedAgain(t *testing.T) {
	counting := satin.App{Name: "counted", Tasks: []satin.TaskType{satin.Type[Counted]()}}
	for what, victims := range map[string][][]string{
		"two at once": {{"b/1", "b/2"}}, "two masters": {{"a/1"}, {"a/2"}}, "the master and a thief": {{"a/1", "b/1"}},
	} {
		g := satintest.Start(t, satintest.Config{App: counting, Sites: []satintest.Site{{Name: "a", Peers: 3}, {Name: "b", Peers: 3}}})
		countedLeaves.Store(0)
		task := Counted{Depth: 12, Seed: 5}
		sub := submit[Counted, uint64](t, g, task)
		for _, all := range victims {
			soon(t, sub)
			for _, name := range all {
				g.Kill(name)
			}
		}
		stats := wait(t, sub, Tree{task.Depth, task.Seed, 0}.Value())
		executed := countedLeaves.Load()
		again := executed - 1<<task.Depth
		busy, redone, putBack, restarted := 0.0, 0.0, int64(0), int64(0)
		for _, p := range stats.Peers {
			busy += p.Busy
			putBack += p.Again
		}
		for _, l := range stats.Losses {
			redone += l.RedoneSeconds
			restarted += int64(l.Restarted)
		}
		truth := busy * float64(again) / float64(executed)
		t.Logf("%s: %.2f s of %.2f s were executed again, by the leaves %.2f; %d jobs put back", what, redone, busy, truth, putBack)
		if again <= 0 || restarted == 0 || len(stats.Losses) < 2 {
			t.Errorf("%s: nothing was done again: %d leaves, %+v", what, executed, stats.Losses)
		}
		if putBack != restarted {
			t.Errorf("%s: %d jobs were put back, and %d for losses", what, putBack, restarted)
		}
		if slack := reportsOf(len(stats.Losses)) + busy/8; math.Abs(redone-truth) > slack {
			t.Errorf("%s: %.2f s are said to have been done again, and it was %.2f s", what, redone, truth)
		}
	}
}

// reportsOf is what lost peers may have spent, and told nobody: half a second each, and as
// much for jobs that were told to stop. What a busy machine does to the seconds of single
// leaves comes on top.
func reportsOf(lost int) float64 { return 0.5 * float64(lost) }
