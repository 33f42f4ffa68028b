package satin

import (
	"time"
)

// note counts a child of the current, marked job as finished, and keeps its key and its encoded
// result, before Wait hands the result to the parent, who may write into it.
//
// began is when the child did, by this fiber's clock. It is unknown when the child was already
// running as the job was marked: then it counts from there.
func (s *Scope) note(j slot, out result, began time.Duration) {
	sh := j.head().sh
	if sh != nil && sh.synced {
		return
	}
	t := s.checkpoint.last()
	cut := began == unknown
	if cut {
		began = t.markedAt
	}
	cost := s.clock() - began
	if a, ok := t.costs.add(cost.Seconds(), cut && cost < cutMost); ok {
		t.trend.add(a)
	}
	if !s.pool.recording || out.failure() != nil || s.run.isEnding() {
		return
	}
	x := sh.partNow()
	if x.result == nil {
		if cost < s.pool.worth {
			return
		}
		if len(t.parts) < partsMax {
			x = encodePart(s.aside(j), out, cost)
		}
	}
	if x.result == nil || len(t.parts) >= partsMax || !s.pool.room.take(len(x.result)) {
		s.run.unkept.Store(true)
		return
	}
	s.checkpoint.add(x)
}

// cutMost is how long a child has to have run since it was seen, for what it did before not to
// matter: a few ticks.
const cutMost = 4 * tickPeriod

// unknown stands for the beginning of a child that nobody looked at.
const unknown time.Duration = -1 << 62

// partOf makes a part of a job that one fiber has run for another, before the other may write into
// the result.
func (p *pool) partOf(h *shared, out result, cost time.Duration) part {
	if h.owner == nil || !p.recording || cost < p.worth || out.failure() != nil {
		return part{cost: cost}
	}
	return encodePart(h, out, cost)
}

// encodePart makes a part. The run fails of one that cannot travel: whether a job is finished here
// or lent must not decide what its run comes to.
func encodePart(h *shared, out result, cost time.Duration) part {
	key, err := h.keyOf()
	if err != nil {
		h.run.unfit(h.job, "fields", err)
		return part{cost: cost}
	}
	data, err := out.encode(h.run.pool.strict)
	if err != nil {
		h.run.unfit(h.job, "result", err)
	}
	if err != nil || !h.run.fits(h.job, len(data)) || len(data) > partBytesMax {
		return part{cost: cost}
	}
	return part{key, data, cost}
}
