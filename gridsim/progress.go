package gridsim

import (
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// What others are told of what is done here.

// Run is a run that is on here, or nil.
func (l *plane) Run(no peer.RunNo) workers.Run {
	if r := l.run(no); r != nil {
		return toldOf{l, r}
	}
	return nil
}

// toldOf is a run as others are told of it.
type toldOf struct {
	l *plane
	*planeRun
}

func (toldOf) Task() string { return taskName }

// Progress is half: for the machine one number is like another.
func (toldOf) Progress() float64 { return 0.5 }

// Best is the best so far.
func (o toldOf) Best() any {
	if o.best == nil {
		return nil
	}
	return o.best
}

// Redone is what losses have made the workers do again of it here.
func (o toldOf) Redone() []peer.Redone { return o.redone }

// Counts is what was done for it here so far, which is found again in statistics.
func (o toldOf) Counts() workers.Performed {
	t := teller{o.l.h.id, o.instance}
	o.l.h.w.worked[t] = max(o.l.h.w.worked[t], o.jobs)
	return workers.Performed{Jobs: int64(o.jobs), Busy: o.spent}
}

// Executing is how many jobs of others, and roots, are here.
func (l *plane) Executing() int { return len(l.borrows) }

// told is the workers as others are told of them.
func (h *host) told() workers.Plane {
	if h.w.opts.Asides {
		return h.plane
	}
	return mute{h.plane}
}

// mute is workers of which nobody is told: those of a world without asides.
type mute struct{ *plane }

func (mute) Run(peer.RunNo) workers.Run { return nil }
func (mute) Executing() int             { return 0 }

// Shares says how far jobs are that have begun here. For the machine one number is like another.
func (l *plane) Shares(each func(borrow steal.Borrow, done float64)) {
	for _, n := range l.tops() {
		if n.state == running || n.state == waiting {
			each(n.borrow, 0.5)
		}
	}
}

// Progressed hears how far a job is that was taken.
func (l *plane) Progressed(ref steal.Ref, done float64) {
	l.h.w.report.Progressed++
	switch n := l.refs[ref]; {
	case n == nil:
	case n.state != taken:
		l.h.w.fail("machine", "job %d is told to be begun elsewhere, and was not taken", ref)
	default:
		n.away.heard(l.h.w.now, done)
	}
}
