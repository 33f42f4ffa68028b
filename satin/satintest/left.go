package satintest

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// markKey is the profiler's label that the goroutines of a grid's peers have, each from the
	// one that started it. So the grids of tests that run side by side are told apart.
	markKey = "satintest grid"

	// ours is in the stack of each goroutine that a peer has to end. An application's libraries
	// may start others, once and for all.
	ours = "satingrid/satin"

	// lastsFor is how long a goroutine may take that has said that it ends: it still
	// needs the processor.
	lastsFor = 10 * time.Second
)

var marks atomic.Int64

func newMark() string { return fmt.Sprint(marks.Add(1)) }

// lasts tells whether goroutines of a grid that was closed do not end.
func (g *Grid) lasts() bool {
	for closed := time.Now(); g.left() != ""; time.Sleep(time.Millisecond) {
		if time.Since(closed) > lastsFor {
			return true
		}
	}
	return false
}

// left are the stacks of the grid's goroutines, as the profiler prints them.
func (g *Grid) left() string {
	var all bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&all, 1) // a buffer takes everything
	mark := fmt.Sprintf("%q:%q", markKey, g.mark)
	var left []string
	for block := range strings.SplitSeq(all.String(), "\n\n") {
		if strings.Contains(block, mark) && strings.Contains(block, ours) {
			left = append(left, block)
		}
	}
	return strings.Join(left, "\n\n")
}
