package satin

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// Better is a solution that can be compared. Better must be a strict weak order: never better than
// itself, and transitive, also in being equally good.
type Better[T any] interface {
	Better(than T) bool
}

// incumbent is a run's best: the best solution so far, with its witness.
type incumbent struct {
	box atomic.Pointer[any] // holds a *T
	mu  sync.Mutex          // held while a better one is put
}

// load returns the best as a *T, or nil.
func (b *incumbent) load() any {
	if box := b.box.Load(); box != nil {
		return *box
	}
	return nil
}

// ordering is what may be done with values of a best's type that are only known encoded. All of it
// calls the program's code.
type ordering struct {
	// compare makes a value the best if it is better, and says so by put before anybody
	// here can prune by it.
	compare func(to *incumbent, data []byte, put func()) (better bool, err error)
	// differ tells whether one of two values is better than the other.
	differ func(a, b []byte) bool
}

// orderingOf is that of type R, or nil when R cannot be compared.
func orderingOf[R any]() *ordering {
	if _, ok := any(*new(R)).(Better[R]); !ok {
		return nil
	}
	better := func(a, b *R) bool { return any(*a).(Better[R]).Better(*b) }
	return &ordering{
		compare: func(to *incumbent, data []byte, put func()) (bool, error) {
			v := new(R)
			if err := unmarshal(data, v); err != nil {
				return false, err
			}
			for {
				box := to.box.Load()
				if cur, ok := to.load().(*R); ok && !better(v, cur) {
					if better(cur, v) {
						return false, nil
					}
					if old, err := marshal(cur); err != nil || bytes.Compare(data, old) >= 0 {
						return false, err
					}
				}
				if to.replace(box, v, put) {
					return true, nil
				}
			}
		},
		differ: func(a, b []byte) bool {
			var x, y R
			return unmarshal(a, &x) == nil && unmarshal(b, &y) == nil && (better(&x, &y) || better(&y, &x))
		},
	}
}

// replace puts a value in place of the one that it was compared with, unless a worker
// has found a better one meanwhile. What compares does not hold the mutex: workers that
// offer would wait for it.
func (b *incumbent) replace(old *any, v any, put func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.box.Load() != old {
		return false
	}
	put()
	b.box.Store(&v)
	return true
}
