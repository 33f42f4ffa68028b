package gridsim

import (
	"encoding/binary"
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// answer hands the oldest jobs to the peer, if it has asked: at a spawn, or at once when all workers are idle. While
// workers are busy and there is nothing yet, it waits for the next spawn, for as long as force does not say otherwise.
func (l *plane) answer(force bool) {
	if l.want == nil {
		return
	}
	var jobs []peer.Job
	for _, r := range l.runs {
		have := len(r.deque)
		for n := min(l.want.N-len(jobs), (have+1)/2); n > 0 && len(r.deque) > 0; n-- {
			jobs = append(jobs, l.take(r))
		}
	}
	if len(jobs) == 0 && !force && l.idle < l.workers() {
		return
	}
	l.want = nil
	l.h.post("takes", uint64(len(jobs)), func() []peer.Effect { return l.h.peer.Taken(l.h.w.now, jobs) })
}

// take moves the oldest job of a run into the hands of the peer.
func (l *plane) take(r *planeRun) peer.Job {
	n := r.deque[0]
	r.deque = r.deque[1:]
	l.ref++
	n.state, n.ref = taken, l.ref
	l.refs[n.ref] = n
	return peer.Job{Ref: n.ref, Run: r.no, Key: n.keyOf(), Task: taskName, Args: n.args}
}

// jobKey is H(run key, task, fields).
func jobKey(run steal.Key, args []byte) steal.Key {
	return steal.KeyOf(slices.Concat(run[:], []byte(taskName), binary.BigEndian.AppendUint32(nil, uint32(len(args))), args))
}

// held lists, ascending, the references of the jobs that are in the hands of the peer.
func (l *plane) held() []uint64 {
	all := make([]uint64, 0, len(l.refs))
	for ref := range l.refs {
		all = append(all, ref)
	}
	slices.Sort(all)
	return all
}

// hear takes a fact, which must be one that the root implies.
func (l *plane) hear(e peer.Hear) {
	l.h.w.report.Heard++
	if l.run(e.Run) != nil && !l.h.w.work.Implied(e.Fact) {
		l.h.w.fail("fact", "%s hears %x, which no job may have told", l.h.id, e.Fact)
	}
}
