package satin

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
)

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
