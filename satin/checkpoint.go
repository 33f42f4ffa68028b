package satin

import (
	"sync"
	"time"

	"satingrid/steal"
)

const (
	// partWorth is the worker time from which on a finished child is kept: below, encoding,
	// sending and finding it again costs as much as doing it again.
	partWorth = time.Millisecond

	// partBytesMax bounds one encoded result that is kept as a part.
	partBytesMax = 1 << 20

	// partBytesTotalMax bounds all parts that the workers of a peer keep. What comes beyond is
	// not kept, and would be done again after a loss.
	partBytesTotalMax = 256 << 20

	// A marked job keeps at most so many parts. A longer list is a flat loop of small children;
	// redoing some is cheaper than remembering all.
	partsMax = 4096
)

// part is a finished child of an unfinished job: what a copy, a will or an advert is made of.
type part struct {
	key    steal.Key
	result []byte        // nil when it is not kept: too cheap, too big, or an error
	cost   time.Duration // of workers, its descendants included; known also of what is not kept
}

// checkpoint is what others may read of a fiber, at any time: it may be parked, or compute for
// minutes without a Spawn or Wait. The fiber writes to it, and whoever brings the result of
// one of its children.
//
// A job's mutex may be held when this one is taken, never the other way round.
type checkpoint struct {
	// protects what follows, and what is tracked of the fiber against all but the fiber's own
	// reading
	mu      sync.Mutex
	run     *run
	arrived []*shared // children that others have done, and that were not waited for yet
	guesses []guess   // of how far the jobs are that this fiber has taken
	// the oldest children that nobody had started, with their keys, as a tick last saw them
	waiting []*shared
}

// arrive enters a child that somebody else has done.
func (b *checkpoint) arrive(h *shared) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.arrived = append(b.arrived, h)
	h.arrival = len(b.arrived)
}

// use strikes out a child whose result its parent takes, or that is given up.
func (b *checkpoint) use(h *shared) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h.arrival == 0 {
		return
	}
	last := len(b.arrived) - 1
	b.arrived[last].arrival = h.arrival
	b.arrived[h.arrival-1] = b.arrived[last]
	b.arrived[last] = nil
	b.arrived = b.arrived[:last]
	h.arrival = 0
	h.run.pool.releaseBytes(len(h.part.result))
}

// open and shut begin and end the checkpoint of a run.

func (b *checkpoint) open(r *run) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run = r
}

func (b *checkpoint) shut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run, b.waiting, b.guesses = nil, nil, nil
	if len(b.arrived) != 0 {
		panic("satin: BUG: a result is left of a job that has ended")
	}
}

// keepBytes tells whether the peer has room for so many bytes of a part, and takes it.
func (p *pool) keepBytes(n int) bool {
	if p.partBytes.Add(int64(n)) > partBytesTotalMax {
		p.partBytes.Add(int64(-n))
		return false
	}
	return true
}

func (p *pool) releaseBytes(n int) { p.partBytes.Add(int64(-n)) }

// runPart is a part, and the run it belongs to.
type runPart struct {
	run *run
	part
}

// parts are all finished children of the unfinished jobs in this process. Any goroutine may ask.
func (p *pool) parts() (all []runPart) {
	for _, s := range *p.fibers.Load() {
		s.checkpoint.mu.Lock()
		if r := s.checkpoint.run; r != nil && !r.isOver() {
			for _, x := range s.partsFrom(0) {
				all = append(all, runPart{r, x})
			}
			for _, h := range s.checkpoint.arrived {
				all = append(all, runPart{r, h.part})
			}
		}
		s.checkpoint.mu.Unlock()
	}
	return all
}

// partsFrom are the parts of the jobs that run in slot i and above. The caller holds the
// checkpoint's mutex, or is the fiber itself.
func (s *Scope) partsFrom(i int) (all []part) {
	for _, lv := range s.tracked {
		if lv.slot >= i {
			all = append(all, lv.parts...)
		}
	}
	return all
}

// partOf makes a part of the job that this fiber has run for another fiber, before the other may
// write into the result.
func (s *Scope) partOf(h *shared, out result, cost time.Duration) part {
	if h.owner == nil || !s.pool.recording || cost < s.pool.worth || out.failure() != nil {
		return part{cost: cost}
	}
	return encodePart(h, out, cost)
}

func encodePart(h *shared, out result, cost time.Duration) part {
	key, err := h.keyOf()
	if err != nil {
		return part{cost: cost}
	}
	data, err := out.encode(h.run.pool.strict)
	if err != nil || len(data) > partBytesMax {
		return part{cost: cost}
	}
	return part{key, data, cost}
}

// partFrom makes a part of a result that came from another process.
func (r *run) partFrom(key steal.Key, v steal.Result) part {
	x := part{key: key, cost: time.Duration(v.Cost) * time.Millisecond}
	switch {
	case !r.pool.recording || v.Outcome != steal.Value || x.cost < r.pool.worth:
	case len(v.Bytes) > partBytesMax:
		r.unkept.Store(true)
	default:
		x.result = v.Bytes
	}
	return x
}

// note counts a child of the current, marked job as finished, and keeps its key and its encoded
// result, before Wait hands the result to the parent, who may write into it. began is when the
// child did, by this fiber's clock; unknown when it was already running as the job was marked.
func (s *Scope) note(j slot, out result, began time.Duration) {
	sh := j.head().sh
	if sh != nil && sh.synced {
		return
	}
	lv := s.tracked[len(s.tracked)-1]
	lv.finished++
	if !s.pool.recording || out.failure() != nil || s.run.isEnding() {
		return
	}
	x := sh.partNow()
	if x.result == nil {
		if began == unknown {
			began = lv.markedAt
		}
		cost := s.clock() - began
		if cost < s.pool.worth {
			return
		}
		if len(lv.parts) < partsMax {
			x = encodePart(s.aside(j), out, cost)
		}
	}
	if x.result == nil || len(lv.parts) >= partsMax || !s.pool.keepBytes(len(x.result)) {
		s.run.unkept.Store(true)
		return
	}
	s.checkpoint.mu.Lock()
	lv.parts = append(lv.parts, x)
	s.checkpoint.mu.Unlock()
}

// unknown stands for the beginning of a child that nobody looked at.
const unknown time.Duration = -1 << 62

// clock is the worker time that this fiber has spent, and what others spent on the results
// that it used, from some beginning on. It stands still while the fiber has no worker and
// while it works for others.
func (s *Scope) clock() time.Duration { return time.Since(s.pool.start) - s.away }
