package satin

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
)

// Root returns the fields of the run's root task: the input that all jobs share (a scene,
// distances, a formula), so that jobs stay small. It is on every peer once. Do not write to it.
// Root panics when the root task is not a T.
func Root[T any](s *Scope) *T {
	root, ok := s.run.fields.(*T)
	if !ok {
		panic(fmt.Sprintf("satin: Root[%T]: the root task of this run is a %s", *new(T), typeName(s.run.root.job)))
	}
	return root
}

// values are what Derive or Local made in one run: a handful, found by their types.
type values struct {
	all atomic.Pointer[[]any]
	mu  sync.Mutex // held while one is added
}

// value is made once; others that ask meanwhile wait. When f panics, so do they: with a zero value
// they would go on, and might fail the run for a reason that misleads.
type value[T any] struct {
	once   sync.Once
	made   bool
	value  T
	failed any // why there is none
}

func (v *value[T]) of(f func() T) T {
	v.once.Do(func() {
		defer func() {
			if v.made {
				return
			}
			if v.failed = recover(); v.failed != nil {
				panic(v.failed)
			}
			// it goes on
			v.failed = fmt.Errorf("what makes a %v %w", reflect.TypeFor[T](), errGoexit)
		}()
		v.value = f()
		v.made = true
	})
	if !v.made {
		panic(v.failed)
	}
	return v.value
}

func valueOf[T any](t *values) *value[T] {
	if all := t.all.Load(); all != nil {
		for _, x := range *all {
			if v, ok := x.(*value[T]); ok {
				return v
			}
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var old []any
	if all := t.all.Load(); all != nil {
		old = *all
	}
	for _, x := range old {
		if v, ok := x.(*value[T]); ok {
			return v
		}
	}
	v := new(value[T])
	more := append(old[:len(old):len(old)], v)
	t.all.Store(&more)
	return v
}

// Derive returns a value made from the root task's fields, once a peer and run: a bounding volume
// hierarchy, a distance matrix. f makes it; jobs that ask meanwhile wait. T is a named type of the
// program's own, with one f for all its uses in a run. The value is shared by all workers: do not
// write to it. After the first time it costs a few nanoseconds.
func Derive[T any](s *Scope, f func() T) T {
	return valueOf[T](&s.run.values).of(f)
}

// Local returns this worker's state for this run, made by f when there is none: a solver kept
// warm. It may change how fast a job is, never what it returns. It may be used until the job's
// next Spawn or Wait; after that another job may have used it: ask again and set it up afresh. T
// is a named type with one f.
func Local[T any](s *Scope, f func() T) T {
	if s.pool.strict && s.worker.rand.IntN(2) == 0 {
		return f() // as on a worker that has none yet
	}
	return valueOf[T](&s.run.locals[s.worker.id]).of(f)
}

// Context returns a context for libraries that want one. It ends when the run or the peer ends;
// it does not when only this job is withdrawn, which Aborted tells. What a job returns after it
// has ended is no result.
func (s *Scope) Context() context.Context { return s.run.ctx }
