package satin

import (
	"sync/atomic"
)

// Future is a spawned job's result, to be waited for once, by the job that spawned
// it. It is one pointer.
type Future[T Task[R], R any] struct{ j *job[T, R] }

// Spawn makes a job that may run on any worker of any peer, and returns at once.
//
// The job is pushed on this worker's deque. Usually the same worker pops it in Wait and runs
// it there, as a plain call; the oldest jobs of the deque are what thieves get. A spawn and
// its Wait cost a few nanoseconds and no allocation, so spawn wherever there is a choice and
// let the runtime decide.
func Spawn[T Task[R], R any](s *Scope, task T) Future[T, R] {
	// The order of these tests and the early returns are what keeps this to a
	// handful of instructions.
	if atomic.LoadUint32(&s.wire) != 0 {
		return spawnSlow[T, R](s, task)
	}
	slots := s.deque.slots
	top := s.deque.top
	if uint(top) >= uint(len(slots)) {
		return spawnSlow[T, R](s, task)
	}
	j, ok := slots[top].(*job[T, R])
	if !ok {
		return spawnSlow[T, R](s, task)
	}
	j.task = task
	j.word = waiting
	s.deque.top = top + 1
	s.deque.jobs++
	return Future[T, R]{j}
}

// Wait returns the job's result. If no thief took the job it runs here and now,
// as part of this call.
//
// The error is the one that the job's Run returned, as a *JobError that names the job and has the
// error's text, or ErrWithdrawn when nobody wants the job any more: return it upwards. Futures may
// be waited for in any order; the reverse of spawning is fastest.
func (f Future[T, R]) Wait(s *Scope) (R, error) {
	j := f.j
	i := j.index
	if i+1 != s.deque.top || i <= s.deque.floor || atomic.LoadUint32(&s.wire) != 0 {
		return f.waitSlow(s)
	}
	j.word = running
	r, err := j.task.Run(s)
	if s.deque.top != i+1 || i <= s.deque.floor || err != nil {
		return f.finishSlow(s, r, err)
	}
	s.deque.top = i
	return r, nil
}

//go:noinline
func spawnSlow[T Task[R], R any](s *Scope, task T) Future[T, R] {
	s.serve()
	if s.deque.dead != noSlot {
		j := &job[T, R]{task: task}
		j.word, j.index = detached, noIndex
		return Future[T, R]{j}
	}
	s.deque.grow()
	j, ok := s.deque.slots[s.deque.top].(*job[T, R])
	if !ok {
		j = swapSpare[T, R](s)
	}
	j.task = task
	j.word, j.index, j.sh = waiting, s.deque.top, nil
	s.deque.top++
	s.deque.jobs++
	if s.pool.strict {
		s.checkSpawned(j)
	}
	s.serve() // a thief that asked gets the new job if there is no older one
	return Future[T, R]{j}
}

// swapSpare puts an object for T into the top slot, one that was set aside if there is one.
func swapSpare[T Task[R], R any](s *Scope) *job[T, R] {
	old := s.deque.slots[s.deque.top]
	if old != nil {
		old.head().index = noIndex
	}
	for k, x := range s.deque.spare {
		if j, ok := x.(*job[T, R]); ok {
			if old == nil {
				last := len(s.deque.spare) - 1
				s.deque.spare[k], s.deque.spare[last] = s.deque.spare[last], nil
				s.deque.spare = s.deque.spare[:last]
			} else {
				s.deque.spare[k] = old
			}
			s.deque.slots[s.deque.top] = j
			return j
		}
	}
	if old != nil && len(s.deque.spare) < sparesMax {
		s.deque.spare = append(s.deque.spare, old)
	}
	j := new(job[T, R])
	s.deque.slots[s.deque.top] = j
	if err := s.pool.admit(j); err != nil {
		s.run.failWith(err)
	}
	return j
}

//go:noinline
func (f Future[T, R]) waitSlow(s *Scope) (R, error) {
	if f.j == nil {
		panic("satin: Wait on a zero Future")
	}
	o := s.await(f.j).(*outcome[R])
	return o.value, o.err
}

//go:noinline
func (f Future[T, R]) finishSlow(s *Scope, r R, err error) (R, error) {
	o := s.closeJob(f.j, &outcome[R]{r, err}).(*outcome[R])
	return o.value, o.err
}
