package gridsim

import (
	"slices"
	"time"
)

// succession is a master that was killed, and whoever succeeds it, who will be.
type succession struct {
	until time.Duration // when nobody has taken over by then, nothing happens
	after uint64        // events of the successor's reign
	by    *host         // the successor, once there is one; it dies …
	at    uint64        // … after this event
}

// crashSuccessor lets a master die, and sees to it that its successor does.
func (w *World) crashSuccessor(f Fault) {
	if who := w.masters(); len(who) > 0 {
		w.kill(who[0], false)
		w.falls = append(w.falls, &succession{until: w.now + f.For, after: uint64(f.N)})
	}
}

// succeeded notes that a peer has taken over.
func (w *World) succeeded(by *host) {
	for _, s := range w.falls {
		if s.by == nil && w.now <= s.until {
			s.by, s.at = by, w.events+s.after
		}
	}
}

// crashSuccessors lets those die whose time has come. The submitter is spared.
func (w *World) crashSuccessors() {
	w.falls = slices.DeleteFunc(w.falls, func(s *succession) bool {
		due := s.by != nil && w.events >= s.at
		if due && s.by.up && s.by != w.asker && !w.calm {
			w.struck(CrashSuccessor)
			w.kill(s.by, false)
		}
		return due
	})
}
