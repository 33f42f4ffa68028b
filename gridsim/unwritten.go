package gridsim

import (
	"math/rand/v2"
	"time"
)

// Bounds of what waits at one end of a session to be written, as satin/p2p has them: a frame beyond
// is dropped, and who has sent it does not hear of that.
const (
	queueFrames = 256
	queueBytes  = 4 << 20
)

// sendQueue are the frames of one end of a session that were not written yet: because the link is
// slow, or the other process is stopped and reads nothing.
type sendQueue struct {
	frames []unwritten // the first written comes first
	bytes  int
}

// unwritten is a frame, and when it will have been written.
type unwritten struct {
	until time.Duration
	bytes int
}

// has tells whether there is room for a frame.
func (q *sendQueue) has(now time.Duration, most, bytes int) bool {
	n := 0
	for n < len(q.frames) && q.frames[n].until <= now {
		q.bytes -= q.frames[n].bytes
		n++
	}
	q.frames = append(q.frames[:0], q.frames[n:]...) // in the same room
	return len(q.frames) < most && q.bytes+bytes <= queueBytes
}

// put adds one.
func (q *sendQueue) put(until time.Duration, bytes int) {
	q.frames = append(q.frames, unwritten{until, bytes})
	q.bytes += bytes
}

// sendsBy sends a frame by a session, unless too many wait there already.
func (h *host) sendsBy(s *session, frame []byte) {
	w, o, q := h.w, s.other(h), &s.queues[s.end(h)]
	most := queueFrames
	if w.opts.Queue > 0 {
		most = w.opts.Queue
	}
	room := q.has(w.now, most, len(frame))
	if w.net.shared != nil {
		room = w.net.shared.has(h, o, most, len(frame))
	}
	if !room {
		w.report.Full++
		w.hidden = true // a heartbeat may be among them
		return
	}
	if w.net.send(s, h, o, frame, nil); w.net.shared != nil {
		return // that knows what waits
	}
	until := o.asleep
	if l := w.net.links[[2]int{h.no, o.no}]; l != nil {
		until = max(until, l.free)
	}
	if until > w.now {
		q.put(until, len(frame))
	}
}

// drawQueue draws, for some seeds, a few frames for the queue of a session, so that schedules of a
// few seconds see it full. It has a source of its own, as drawMore has.
func (o *Options) drawQueue(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x7175657565))
	if r.IntN(4) == 0 {
		o.Queue = 1 + r.IntN(8)
	}
}
