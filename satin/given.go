package satin

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Root returns the fields of the run's root task: the input that all jobs share (a scene,
// distances, a formula), so that jobs stay small. It is on every peer once. Do not write to it.
// Root panics when the root task is not a T.
func Root[T any](s *Scope) *T {
	root, ok := s.mine().fields.(*T)
	if !ok {
		panic(fmt.Sprintf("satin: Root[%T]: the root task of this run is a %s", *new(T), typeName(s.run.root.job)))
	}
	return root
}

// Derive returns a value made from the root task's fields, once a peer and run: a bounding volume
// hierarchy, a distance matrix. f makes it; jobs that ask meanwhile wait. T is a named type of the
// program's own, with one f for all its uses in a run. The value is shared by all workers: do not
// write to it. After the first time it costs a few nanoseconds.
func Derive[T any](s *Scope, f func() T) T {
	return valueOf[T](&s.mine().values).of(f)
}

// Local returns this worker's state for this run, made by f when there is none: a solver kept
// warm. It may change how fast a job is, never what it returns. It may be used until the job's
// next Spawn or Wait; after that another job may have used it: ask again and set it up afresh. T
// is a named type with one f.
func Local[T any](s *Scope, f func() T) T {
	r := s.mine()
	if s.pool.strict && s.worker.rand.IntN(2) == 0 {
		return f() // as on a worker that has none yet
	}
	return valueOf[T](&r.locals[s.worker.id]).of(f)
}

// Context returns a context for libraries that want one. It ends when the run or the peer ends;
// it does not when only this job is withdrawn, which Aborted tells. What a job returns after it
// has ended is no result.
func (s *Scope) Context() context.Context { return s.mine().ctx }

// Rand returns the job's random source. It is seeded with a digest of the root task, its fields,
// the task and its fields, so that a job draws the same numbers wherever it runs and when it is
// redone. Two jobs with equal fields draw equal numbers: Monte Carlo children need a stream
// number among their fields.
//
// The source is made when the job first asks, which costs about a microsecond, and then kept.
func (s *Scope) Rand() *rand.Rand {
	s.mine()
	t := s.ownTracked()
	if t.rand == nil {
		s.deque.refloor(true)
		j := s.deque.slots[t.slot]
		scope, err := s.run.seed()
		if err != nil {
			panic(fmt.Sprintf("satin: Rand needs fields that can be encoded: %v", err))
		}
		key, err := keyOfTask(scope, typeName(j), j.fields())
		if err != nil {
			panic(fmt.Sprintf("satin: Rand needs fields that can be encoded: %v", err))
		}
		t.rand = rand.New(rand.NewPCG(binary.BigEndian.Uint64(key[:8]), binary.BigEndian.Uint64(key[8:])))
	}
	return t.rand
}
