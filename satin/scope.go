package satin

import (
	"time"

	"satingrid/steal"
)

// Scope is what a running job sees of the run it belongs to, and where its children wait. It
// belongs to the goroutine that runs the job: do not keep it, do not hand it to another goroutine.
// One that is used when its goroutine has no job panics; under Testing.Strict so does one that
// another goroutine uses.
//
// A Scope is a fiber and its deque, as the fiber's goroutine sees them.
type Scope struct {
	deque deque

	nextTick time.Time // earlier ticks are left out
	// of clock: without a worker or at work for others, less what others did for this fiber
	away time.Duration

	fiber
}

func newScope(p *pool) *Scope {
	s := &Scope{deque: newDeque(), fiber: fiber{pool: p, resume: make(chan *worker, 1)}}
	s.stack = &s.deque
	s.checkpoint.room = &p.room
	s.wire = tripIdle
	if p.strict {
		s.wire |= tripStrict
	}
	return s
}

// mine is the run of the running job. A scope that a job has kept has none once the fiber is idle.
func (s *Scope) mine() *run {
	if s.run == nil {
		panic(keptScope)
	}
	return s.run
}

const keptScope = "satin: a Scope was used after its job had returned: it belongs to the goroutine that runs the job"

// clock is the worker time that this fiber has spent, and what others spent on the results
// that it used, from some beginning on. It stands still while the fiber has no worker and
// while it works for others.
func (s *Scope) clock() time.Duration { return time.Since(s.pool.start) - s.away }

// countJobs hands the fiber's count over to the run.
func (s *Scope) countJobs() {
	s.run.jobs.Add(s.deque.jobs)
	s.deque.jobs = 0
}

// aside gives a job of this deque a shared part, which makes its slot special.
func (s *Scope) aside(j slot) *shared {
	h := j.head()
	if h.sh == nil {
		h.sh = &shared{job: j, run: s.run, owner: &s.fiber, verifies: s.deque.verifies(h.index)}
		s.deque.high = max(s.deque.high, h.index)
	}
	return h.sh
}

// pin makes the key of a job and keeps it: of a marked job, and of its child before that starts.
func (s *Scope) pin(j slot) (steal.Key, error) {
	if f, ok := j.(*frame); ok {
		return f.of.keyOf()
	}
	return s.aside(j).keyOf()
}

// pinFit is pin where jobs may leave the process: the run fails of one that cannot, be it asked for
// or not.
func (s *Scope) pinFit(j slot) (key steal.Key, ok bool) {
	key, err := s.pin(j)
	if err != nil {
		s.run.unfit(j, "fields", err)
	}
	return key, err == nil
}
