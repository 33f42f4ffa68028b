package gridsim

import (
	"encoding/binary"
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// answer hands the oldest jobs to the peer, if it has asked: at a spawn, or at once when all
// workers are idle. While workers are busy and there is nothing yet, it waits for the next spawn,
// for as long as force does not say otherwise.
func (l *plane) answer(force bool) {
	if l.want == nil {
		return
	}
	var jobs []peer.Job
	for _, r := range l.lenders() {
		if jobs = l.oldest(r); len(jobs) > 0 {
			break
		}
	}
	if len(jobs) == 0 && !force && l.want.Of == nil && l.idle < l.workers() {
		return
	}
	l.want = nil
	l.h.post("takes", uint64(len(jobs)), func() []peer.Effect { return l.hears.Taken(l.h.w.now, jobs) })
}

// oldest takes the oldest jobs of a run, as many as are wanted, and no more than half.
func (l *plane) oldest(r *planeRun) (jobs []peer.Job) {
	most, bytes := min(l.want.N, (len(r.deque)+1)/2), 0
	for len(jobs) < most && bytes <= l.want.Bytes && !r.loading {
		at := slices.IndexFunc(r.deque, func(n *planeJob) bool { return !n.stays })
		if at < 0 {
			break
		}
		if len(jobs) > 0 {
			bytes += len(r.deque[at].args)
		}
		jobs = append(jobs, l.take(r, at))
	}
	return jobs
}

// lenders are the runs that may give jobs: those that the peer asks for, or all, and
// first whose turn it is.
func (l *plane) lenders() (out []*planeRun) {
	if l.want.Of == nil {
		out = slices.Clone(l.runs)
		slices.SortStableFunc(out, func(a, b *planeRun) int {
			switch {
			case a.credit.Before(b.credit):
				return -1
			case b.credit.Before(a.credit):
				return 1
			}
			return 0
		})
		return out
	}
	for _, i := range l.want.Of {
		for _, r := range l.runs {
			if r.instance == i {
				out = append(out, r)
			}
		}
	}
	return out
}

// take moves a job of a run into the hands of the peer.
func (l *plane) take(r *planeRun, at int) peer.Job {
	n := r.deque[at]
	r.deque = slices.Delete(r.deque, at, at+1)
	l.ref++
	n.state, n.ref, n.away = taken, l.ref, away{at: l.h.w.now}
	l.refs[n.ref] = n
	return peer.Job{Ref: n.ref, Run: r.no, Key: n.keyOf(), Task: taskName, Args: n.args, Verifies: n.verifies, PassedOn: n.borrow != 0}
}

// jobKey is H(run key, task, fields).
func jobKey(run steal.Key, args []byte) steal.Key {
	return steal.KeyOf(slices.Concat(run[:], []byte(taskName), binary.BigEndian.AppendUint32(nil, uint32(len(args))), args))
}

// held lists, ascending, the references of the jobs that are in the hands of the peer.
func (l *plane) held() []steal.Ref {
	all := make([]steal.Ref, 0, len(l.refs))
	for ref := range l.refs {
		all = append(all, ref)
	}
	slices.Sort(all)
	return all
}

// Hear takes a fact, which must be one that the root implies.
func (l *plane) Hear(e peer.Hear) {
	l.h.w.report.Heard++
	if l.run(e.Run) != nil && !l.h.w.work.Implied(e.Fact) {
		l.h.w.fail("fact", "%s hears %x, which no job may have told", l.h.id, e.Fact)
	}
}
