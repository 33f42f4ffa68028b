package gridsim

import (
	"slices"
	"time"

	"satingrid/satin/peer"
)

// progressEvery is how often peers tell how far their loans are, in a world with asides.
const progressEvery = 500 * time.Millisecond

// tellsProgress says how far jobs are that have begun here. For the machine one number is like
// another.
func (h *host) tellsProgress() {
	var all []peer.Begun
	for b, n := range h.plane.borrows {
		if n.state == running || n.state == waiting {
			all = append(all, peer.Begun{Borrow: b, Done: 0.5})
		}
	}
	slices.SortFunc(all, func(a, b peer.Begun) int { return int(int64(a.Borrow) - int64(b.Borrow)) })
	h.do(h.peer.HowFar(h.w.now, all))
	h.in(progressEvery, tag("progress", 0), h.tellsProgress)
}

// progressed hears how far a job is that was taken.
func (l *plane) progressed(e peer.Progressed) {
	l.h.w.report.Progressed++
	if n := l.refs[e.Ref]; n != nil && n.state != taken {
		l.h.w.fail("machine", "job %d is told to be begun elsewhere, and was not taken", e.Ref)
	}
}
