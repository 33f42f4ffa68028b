package satin

import (
	"math"
	"time"

	"satingrid/steal"
)

// markMax bounds the running jobs of a fiber that a tick marks, the oldest ones: below 256 unfinished
// ancestors a subtree is too small to be worth a record, and a deep recursion stays fast.
const markMax = 256

// A marked job keeps at most so many records of finished children. A longer list is a flat loop of small
// children; redoing some is cheaper than remembering all.
const recordsMax = 4096

// recordBytesMax bounds one encoded result that is kept as a record.
const recordBytesMax = 1 << 20

// record is a finished child of an unfinished job: what a copy, a will or an advert is made of.
type record struct {
	key    steal.Key
	result []byte
}

// tickShare is the part of its time that a fiber may spend in ticks, which look at every slot: one in so many.
const tickShare = 20

// tick marks the unfinished jobs on this stack and estimates how far they are.
func (s *Scope) tick() {
	began := time.Now()
	if began.Before(s.nextTick) {
		return
	}
	s.countJobs()
	s.trim()
	s.markRunning()
	s.estimate()
	now := time.Now()
	s.nextTick = now.Add((tickShare - 1) * now.Sub(began))
}

// markRunning gives the oldest markMax running jobs a level, and one more a bare level, so that its end
// takes the slow path and its parent finds itself special.
func (s *Scope) markRunning() {
	n := 0
	last := noIndex
	for k := 0; k < s.top; k++ {
		if s.slots[k].head().word != running {
			continue
		}
		last = k
		if n > markMax {
			continue
		}
		lv := s.makeLevel(k)
		lv.parentSpecial = n > 0
		if n < markMax && !lv.marked {
			lv.marked = true
			if s.pool.recording {
				s.pin(s.slots[k])
			}
		}
		n++
	}
	if last != noIndex {
		s.refloor(s.levelAt(last) != nil)
	}
}

// pin makes the key of a job and keeps it: of a marked job, and of its child before that starts.
func (s *Scope) pin(j slot) {
	if f, ok := j.(*frame); ok {
		f.of.keyOf()
		return
	}
	s.aside(j).keyOf()
}

// note counts a child of the current, marked job as finished, and keeps its key and its encoded result,
// before Wait hands the result to the parent, who may write into it.
func (s *Scope) note(j slot, out result) {
	if sh := j.head().sh; sh != nil && sh.synced {
		return
	}
	lv := s.levels[len(s.levels)-1]
	lv.finished++
	if !s.pool.recording || out.failure() != nil || len(lv.records) >= recordsMax {
		return
	}
	key, err := s.aside(j).keyOf()
	if err != nil {
		return
	}
	data, err := out.encode()
	if err != nil || len(data) > recordBytesMax {
		return
	}
	lv.records = append(lv.records, record{key, data})
}

// estimate works out how much of each job on this stack is done, from the top down: finished children, the
// share of the running one, and what thieves report of theirs, over all children known so far.
func (s *Scope) estimate() {
	known, ended, share := 0, 0.0, 0.0
	for k := s.top - 1; k >= 0; k-- {
		h := s.slots[k].head()
		if h.word != running {
			known++
			if h.sh != nil {
				ended += math.Float64frombits(h.sh.progress.Load())
			}
			continue
		}
		ended += share
		if lv := s.levelAt(k); lv != nil {
			known += lv.finished
			ended += float64(lv.finished)
		}
		share = 0
		if known > 0 {
			share = ended / float64(known)
		}
		if f, ok := s.slots[k].(*frame); ok {
			f.of.progress.Store(math.Float64bits(share))
			share = 0
			known = 0
		} else {
			known = 1
		}
		ended = 0
	}
}

// trim drops the job objects far above the top, and what their tasks hold on to.
func (s *Scope) trim() {
	const slack = 1024
	if len(s.slots) <= 4*slack || s.top+slack > len(s.slots)/4 {
		return
	}
	less := make([]slot, len(s.slots)/2)
	copy(less, s.slots[:s.top])
	s.slots = less
}
