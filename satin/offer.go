package satin

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
)

// Offer offers a solution as the run's best. A better one is kept and reaches all peers; of equally
// good ones the one with the smaller canonical encoding. The solution is shared from then on: do
// not write to what it refers to.
//
// T must be the root task's result type, because the run answers with its best: a root that
// returned the maximum of its children's values would be right alone, and wrong after a loss.
// Offer panics otherwise.
func Offer[T Better[T]](s *Scope, v T) {
	r := s.mine()
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
	if cur, ok := r.best.load().(*T); ok && !v.Better(*cur) && !smaller(s, &v, cur) {
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
func smaller[T Better[T]](s *Scope, v, cur *T) bool {
	if (*cur).Better(*v) {
		return false
	}
	a, err := marshal(v)
	b, err2 := marshal(cur)
	if err = cmp.Or(err, err2); err != nil {
		if !s.pool.staysHere || errors.As(err, new(*codePanic)) {
			s.run.failWith(fmt.Errorf("satin: Offer of a %v that cannot travel: %w", reflect.TypeFor[T](), err))
		}
		return false
	}
	return bytes.Compare(a, b) < 0
}

// Best returns the best solution offered so far in this run, to prune by. It is shared: do not
// write to it. It costs a few nanoseconds.
func Best[T Better[T]](s *Scope) (*T, bool) {
	r := s.mine()
	r.choose()
	v, ok := r.best.load().(*T)
	return v, ok
}
