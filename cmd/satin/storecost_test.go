//go:build unix

package main

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
)

// storeRoundsVariable is how often TestCostOfStore computes with a store, and without. The machine
// should have nothing else to do.
const storeRoundsVariable = "SATIN_STORE_ROUNDS"

// TestCostOfStore prints under -v what it costs that two nodes store a run of a minute or two: by
// turns, how much longer it takes than without, which is no test. And it prints what the disks have
// at most for each byte of the parts that were copied to the other node, and is red above two.
// TestStoreBesideItsCopies in package satin counts these bytes, and tells how long the disks took.
func TestCostOfStore(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(storeRoundsVariable))
	if err != nil {
		t.Skip(storeRoundsVariable + " is not a number of rounds: it takes minutes")
	}
	ways := []*storeWay{{what: "stored", grid: newStoring(t)}, {what: "not stored", grid: newStoring(t, "--store", "0")}}
	for n := range rounds {
		order := slices.Clone(ways)
		if n%2 > 0 { // neither is always the first
			slices.Reverse(order)
		}
		for _, w := range order {
			w.runs(t)
		}
	}
	with, without := ways[0].median(), ways[1].median()
	t.Logf("nqueens %s: %.2f s stored, %.2f s not, medians of %d: %+.2f %%", storeQueens, with, without, rounds, 100*(with/without-1))
	t.Logf("stored %v, not %v", ways[0].took, ways[1].took)
	t.Logf("the two disks had %d bytes at most, no more than %.2f for each byte of the copies", ways[0].bytes, ways[0].ratio)
	if ways[0].ratio > 2 {
		t.Errorf("the store takes %.2f times the bytes of its copies, 2 are the most", ways[0].ratio)
	}
	if ways[0].bytes == 0 || ways[1].bytes > 0 {
		t.Error("the one way stored nothing, or the other did")
	}
}

// storeQueens is a run of a minute or two on two cores.
const storeQueens = "17"

// storeWay is one of the two ways to compute, and what was seen of it.
type storeWay struct {
	what  string
	grid  *outliver
	took  []float64 // seconds
	bytes int64     // on both disks, at most
	ratio float64   // of these to those of the copies, at most
}

// copyLeast is what a finished part takes at least on its way to the other node.
const copyLeast = 63

// newStoring are two nodes of two sites, which copy as often as they do by default.
func newStoring(t *testing.T, more ...string) *outliver {
	g := &outliver{t: t}
	g.nodes = append(g.nodes, startNode(t, append(more, "--site", "a")...))
	g.nodes = append(g.nodes, startNode(t, append(more, "--site", "b", "--join", g.nodes[0].ticket)...))
	g.nodes[0].awaitMembers(t, g.nodes...)
	return g
}

// runs computes once, and looks at the disks meanwhile.
func (w *storeWay) runs(t *testing.T) {
	over, looked := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		for tick := time.NewTicker(100 * time.Millisecond); ; {
			select {
			case <-tick.C:
				most = max(most, w.grid.stored())
			case <-over:
				tick.Stop()
				looked <- most
				return
			}
		}
	}()
	got := runBinary(t, nil, "run", "nqueens", storeQueens, "--join", w.grid.nodes[0].ticket, "--json")
	close(over)
	most := <-looked
	var d program.Document
	if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.code != console.ExitOK {
		t.Fatalf("exit %d, %v: %q", got.code, err, got.err)
	}
	w.took, w.bytes = append(w.took, d.Seconds), max(w.bytes, most)
	if copies := d.Orphans.CopiesSent; copies > 0 {
		w.ratio = max(w.ratio, float64(most)/float64(copyLeast*copies))
	}
	t.Logf("%s: %.2f s, %d parts copied, %d bytes on disks", w.what, d.Seconds, d.Orphans.CopiesSent, most)
}

func (w *storeWay) median() float64 {
	all := slices.Sorted(slices.Values(w.took))
	return all[len(all)/2]
}
