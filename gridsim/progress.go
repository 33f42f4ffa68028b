package gridsim

import (
	"satingrid/satin/peer"
	"satingrid/steal"
)

// What others are told of what is done here, in a world with asides.

// Work is what was done for a run so far.
func (l *plane) Work(no peer.RunNo) (w peer.Work, ok bool) {
	r := l.run(no)
	if r == nil || !l.h.w.opts.Asides {
		return w, false
	}
	t := teller{l.h.id, r.instance}
	l.h.w.worked[t] = max(l.h.w.worked[t], r.jobs)
	return peer.Work{Jobs: int64(r.jobs), Busy: r.spent, Root: r.rooted, Progress: 0.5}, true
}

// Executing is how many jobs of others, and roots, are here.
func (l *plane) Executing() int {
	if !l.h.w.opts.Asides {
		return 0
	}
	return len(l.borrows)
}

// Shares says how far jobs are that have begun here. For the machine one number is like another.
func (l *plane) Shares(each func(borrow steal.Borrow, done float64)) {
	for _, n := range l.tops() {
		if n.state == running || n.state == waiting {
			each(n.borrow, 0.5)
		}
	}
}

// Progressed hears how far a job is that was taken.
func (l *plane) Progressed(ref steal.Ref, _ float64) {
	l.h.w.report.Progressed++
	if n := l.refs[ref]; n != nil && n.state != taken {
		l.h.w.fail("machine", "job %d is told to be begun elsewhere, and was not taken", ref)
	}
}
