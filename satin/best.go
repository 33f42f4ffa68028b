package satin

import (
	"bytes"
	"fmt"
	"reflect"
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

// Offer offers a solution as the run's best. A better one is kept and reaches all peers; of equally
// good ones the one with the smaller canonical encoding. The solution is shared from then on: do
// not write to what it refers to.
//
// T must be the root task's result type, because the run answers with its best: a root that
// returned the maximum of its children's values would be right alone, and wrong after a loss.
// Offer panics otherwise.
func Offer[T Better[T]](s *Scope, v T) {
	r := s.run
	r.choose()
	if r.yields != reflect.TypeFor[T]() {
		panic(fmt.Sprintf("satin: Offer of a %v in a run whose root returns a %v: they must be one type", reflect.TypeFor[T](), r.yields))
	}
	checkOrder(s, v)
	if cur, ok := r.best.load().(*T); ok && (*cur).Better(v) {
		return
	}
	r.best.mu.Lock()
	defer r.best.mu.Unlock()
	if cur, ok := r.best.load().(*T); ok && !v.Better(*cur) && !smaller(&v, cur) {
		return
	}
	if r.pool.strict && !r.pool.staysHere {
		mustArrive(&v, true)
	}
	var box any = &v
	// before anybody here can prune by it and let go what it pruned
	r.pool.outside.Offered(r, &v)
	r.best.box.Store(&box)
}

// mustArrive encodes a best, and panics when it would not arrive whole.
func mustArrive(v any, strict bool) []byte {
	care, _ := careOf(strict)
	data, err := encodeWhole(v, care)
	if err != nil {
		panic(fmt.Sprintf("satin: Offer of a %v that cannot travel: %v", reflect.TypeOf(v).Elem(), err))
	}
	return data
}

// smaller breaks a tie between equally good solutions, so that every peer keeps the same one.
func smaller[T Better[T]](v, cur *T) bool {
	if (*cur).Better(*v) {
		return false
	}
	a, err := marshal(v)
	if err != nil {
		return false
	}
	b, err := marshal(cur)
	return err == nil && bytes.Compare(a, b) < 0
}

// Best returns the best solution offered so far in this run, to prune by. It is shared: do not
// write to it. It costs a few nanoseconds.
func Best[T Better[T]](s *Scope) (*T, bool) {
	s.run.choose()
	v, ok := s.run.best.load().(*T)
	return v, ok
}

// bests is what may be done with values of a best's type that are only known encoded. All of it
// calls the program's code.
type bests struct {
	// compare makes a value the run's best if it is better, and says so by put before anybody
	// here can prune by it.
	compare func(r *run, data []byte, put func()) (better bool, err error)
	// differ tells whether one of two values is better than the other.
	differ func(a, b []byte) bool
}

// bestsOf are those of type R, or nil when R cannot be compared.
func bestsOf[R any]() *bests {
	if _, ok := any(*new(R)).(Better[R]); !ok {
		return nil
	}
	better := func(a, b *R) bool { return any(*a).(Better[R]).Better(*b) }
	return &bests{
		compare: func(r *run, data []byte, put func()) (bool, error) {
			v := new(R)
			if err := unmarshal(data, v); err != nil {
				return false, err
			}
			for {
				box := r.best.box.Load()
				if cur, ok := r.best.load().(*R); ok && !better(v, cur) {
					if better(cur, v) {
						return false, nil
					}
					if old, err := marshal(cur); err != nil || bytes.Compare(data, old) >= 0 {
						return false, err
					}
				}
				if r.best.replace(box, v, put) {
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
