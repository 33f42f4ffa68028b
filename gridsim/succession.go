package gridsim

import (
	"slices"
	"time"
)

// fall is a master that was killed, and whoever succeeds it, who will be.
type fall struct {
	until time.Duration // when nobody has taken over by then, nothing happens
	after uint64        // events of the successor as master
	by    *host         // the successor, once there is one; it dies …
	at    uint64        // … after this event
}

// falls are those whose time has not come.
type falls []*fall

// succeeded notes that a peer has taken over, at an event.
func (s falls) succeeded(by *host, now time.Duration, event uint64) {
	for _, one := range s {
		if one.by == nil && now <= one.until {
			one.by, one.at = by, event+one.after
		}
	}
}

// due takes those successors out whose time has come.
func (s *falls) due(event uint64) (die []*host) {
	*s = slices.DeleteFunc(*s, func(one *fall) bool {
		due := one.by != nil && event >= one.at
		if due {
			die = append(die, one.by)
		}
		return due
	})
	return die
}

// crashSuccessor lets a master die, and sees to it that its successor does.
func (w *World) crashSuccessor(f Fault) {
	if who := w.who.masters(); len(who) > 0 {
		w.kill(who[0], false)
		w.falls = append(w.falls, &fall{until: w.now + f.For, after: uint64(f.N)})
	}
}

// crashSuccessors lets those die whose time has come. The submitter is spared.
func (w *World) crashSuccessors() {
	for _, h := range w.falls.due(w.events) {
		if h.up && h != w.who.asker && !w.net.calm {
			w.report.struck(CrashSuccessor)
			w.kill(h, false)
		}
	}
}
