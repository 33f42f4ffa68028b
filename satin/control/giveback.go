package control

import (
	"runtime/debug"
	"time"
)

const (
	// giveBackAt is how many bytes of roots and big messages must have gone before memory is given
	// back to the system soon, and not in minutes, as Go does by itself. It costs as much as a
	// garbage collection.
	giveBackAt = 32 << 20

	// giveBackAfter is when: shortly after its end a run's messages and jobs still hold on to the
	// root.
	giveBackAfter = time.Second
)

// giveBack counts the root of a run that has ended, or a message that is of no run here.
func (l *Loop) giveBack(bytes int) {
	if l.freed += bytes; l.freed >= giveBackAt && !l.freeing {
		l.giveBackSoon()
	}
}

// giveBackSoon gives back what was counted. What goes meanwhile may still be held on to by then: it
// counts for the next time.
func (l *Loop) giveBackSoon() {
	l.freed, l.freeing = 0, true
	l.conf.Clock.AfterFunc(giveBackAfter, func() {
		l.post(func() {
			l.freeing = false
			l.crew.Go(debug.FreeOSMemory)
			l.giveBack(0)
		})
	})
}

// cameBig counts a big message. What is kept of it goes with the last run, at the latest.
func (l *Loop) cameBig(bytes int) {
	if len(l.runs) == 0 {
		l.giveBack(bytes)
		return
	}
	l.freed += bytes
}
