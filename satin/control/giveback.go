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

// giveBack counts the root of a run that has ended, or a message that is of no run here.
func (l *Loop) giveBack(bytes int) {
	if l.freed += bytes; l.freed < giveBackAt || l.freeing {
		return
	}
	l.freed, l.freeing = 0, true
	l.later(giveBackSoon, func() {
		l.freeing = false
		l.goroutines.Go(debug.FreeOSMemory)
		l.giveBack(0) // what has gone meanwhile may still have been held on to
	})
	l.later(giveBackLate, func() { l.goroutines.Go(debug.FreeOSMemory) })
}

// later has the loop do something after a while.
func (l *Loop) later(after time.Duration, do func()) {
	l.conf.Clock.AfterFunc(after, func() { l.post(do) })
}

// cameBig counts a big message. What is kept of it goes with the last run, at the latest.
func (l *Loop) cameBig(bytes int) {
	if len(l.runs) == 0 {
		l.giveBack(bytes)
		return
	}
	l.freed += bytes
}
