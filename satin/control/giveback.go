package control

import (
	"runtime/debug"
	"time"
)

// giveBackAt is how many bytes of roots and big messages must have gone before memory is given back
// to the system soon, and not in minutes, as Go does by itself. It costs as much as two garbage
// collections.
const giveBackAt = 32 << 20

// When memory is given back: shortly after its end a run's messages and jobs still hold on to the
// root, and for some seconds more where all cores are busy.
const (
	giveBackSoon = time.Second
	giveBackLate = 10 * time.Second
)

// giveBack gives memory back when much of it has gone. The loop has it.
type giveBack struct {
	clock Clock
	post  func(do func())
	by    Goroutines
	freed int  // bytes of roots that have ended, and big messages
	soon  bool // what was counted before is about to be given back
}

// gone counts the root of a run that has ended, or a message that is of no run here.
func (g *giveBack) gone(bytes int) {
	if g.freed += bytes; g.freed < giveBackAt || g.soon {
		return
	}
	g.freed, g.soon = 0, true
	g.later(giveBackSoon, func() {
		g.soon = false
		g.by.Go(debug.FreeOSMemory)
		g.gone(0) // what has gone meanwhile may still have been held on to
	})
	g.later(giveBackLate, func() { g.by.Go(debug.FreeOSMemory) })
}

// came counts a big message. What is kept of it goes with the last run that is on, at the latest.
func (g *giveBack) came(bytes, runs int) {
	if runs == 0 {
		g.gone(bytes)
		return
	}
	g.freed += bytes
}

// later has the loop do something after a while.
func (g *giveBack) later(after time.Duration, do func()) {
	g.clock.AfterFunc(after, func() { g.post(do) })
}
