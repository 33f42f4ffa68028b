package gridsim

import (
	"bytes"
	"encoding/binary"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// improve makes a value the workers' best if it is better. Of equally good ones
// the smaller bytes are.
func (l *plane) improve(r *planeRun, value []byte) bool {
	better := l.h.w.work.Better
	if r.best != nil && !better("", value, r.best) && (better("", r.best, value) || bytes.Compare(value, r.best) >= 0) {
		return false
	}
	r.best = value
	return true
}

// Compare compares a value from outside with the workers' best when a worker has come to it. What
// the order panics on is no best.
func (l *plane) Compare(e peer.Compare) {
	r := l.run(e.Run)
	if r == nil {
		l.h.w.fail("machine", "Compare for run %d, which the data plane was not told of", e.Run)
		return
	}
	if r.comparing {
		l.h.w.fail("machine", "a second Compare while one of run %d is open", e.Run)
	}
	r.comparing = true
	l.h.in(l.comparingTakes(e.Best.Digest), tag("compare", uint64(e.Run)), func() {
		r.comparing = false
		if r.ended {
			return
		}
		verdict, why := peer.Worse, steal.Result{}
		switch s, ok := l.h.w.work.(*Search); {
		case ok && s.raises(e.Best.Value, r.best):
			verdict, why = peer.Spoilt, steal.Result{Outcome: steal.Panicked, Bytes: []byte(raised)}
			l.h.w.report.Spoilt++
		case l.improve(r, e.Best.Value):
			verdict = peer.Better
		}
		l.h.w.report.Compared++
		l.h.post("compares", uint64(verdict), func() []peer.Effect {
			return l.hears.Compared(l.h.w.now, e.Run, e.Best.Digest, verdict, why)
		})
	})
}

// comparingTakes is how long a comparison takes here: mostly a moment, now and then so long as on
// busy cores, and seldom some seconds. It follows from the seed, the host and the value, so that
// other draws stay what they were.
func (l *plane) comparingTakes(digest steal.Key) time.Duration {
	x := mix(l.h.w.opts.Seed ^ uint64(l.h.no)<<32 ^ binary.LittleEndian.Uint64(digest[:]))
	switch draw := time.Duration(x >> 32); x % 100 {
	case 0:
		return draw % (3 * time.Second)
	case 1, 2, 3, 4, 5, 6, 7, 8, 9:
		return draw % (50 * time.Millisecond)
	default:
		return draw % (100 * time.Microsecond)
	}
}
