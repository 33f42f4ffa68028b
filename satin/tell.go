package satin

import (
	"fmt"
	"reflect"
	"time"

	"github.com/fxamacker/cbor/v2"

	"satingrid/satin/peer"
)

// Tell tells all jobs of the run, on all peers, a small fact that follows from the root task alone:
// a lemma, a unit clause, a state that leads nowhere. It reaches them in the course of a second, or
// never: more than a thousand facts a second, facts of more than 4 KiB, and what the network loses
// are dropped. So a fact may make a job faster, and nothing may depend on it.
//
// T is a type of the program's own that CBOR can carry, like a task's fields; Tell
// panics when it cannot.
func Tell[T any](s *Scope, v T) {
	kind := kindOfFact[T](s)
	fields, _ := careOf(s.pool.strict)
	value, err := encodeWhole(&v, fields)
	if err != nil {
		panic(fmt.Sprintf("satin: Tell of a %s that cannot travel: %v", kind, err))
	}
	data := mustMarshal(&factOnWire{Type: kind, Value: value})
	r := s.mine()
	if len(data) > peer.FactMax || !r.facts.mayTell(time.Since(s.pool.start)) {
		return
	}
	if r.facts.add(data, s.worker.id, s.pool.name) {
		s.pool.outside.Told(r, data)
	}
}

// Heard returns the facts of type T that jobs of this run have told, here and elsewhere, since a
// job on this worker last asked: each worker is given each fact once, and is not given its own.
// They are the caller's to keep, for instance in what Local holds. A fact that enters a proof needs
// its derivation with it.
//
// When nothing is new it costs some nanoseconds. A run that asks has values that may depend on
// timing, like one that reads the Best.
func Heard[T any](s *Scope) []T {
	r := s.mine()
	r.choose()
	f := &r.facts
	seen := valueOf[*heardBy[T]](&r.locals[s.worker.id]).of(func() *heardBy[T] { return new(heardBy[T]) })
	if f.told.Load() == seen.upTo {
		return nil
	}
	var out []T
	kind := kindOfFact[T](s)
	for _, fact := range f.since(&seen.upTo, s.worker.id) {
		var x factOnWire
		err := unmarshal(fact.data, &x)
		if err == nil && x.Type != kind {
			continue
		}
		var v T
		if err == nil {
			err = unmarshal(x.Value, &v)
		}
		if err != nil {
			s.spoilt(fact, err)
			continue
		}
		out = append(out, v)
	}
	return out
}

// spoilt says who told a fact that cannot be read: it lies or is broken, as builds were compared at
// the handshake. Where the program's own code panics, the run fails.
func (s *Scope) spoilt(x fact, err error) {
	err = fmt.Errorf("satin: a fact from %s cannot be read: %w", x.from, err)
	if isOfCode(err) {
		s.run.failJob(s.deque.slots[s.deque.current()], err)
	} else if s.run.facts.isFirstSpoilt() {
		s.pool.log.Warn("a fact was dropped", "peer", x.from, "error", err)
	}
}

// heardBy is up to where a worker has been given the facts of one type.
type heardBy[T any] struct{ upTo uint64 }

// factOnWire is a fact as it travels: its digest must tell facts of two types apart.
type factOnWire struct {
	_     struct{} `cbor:",toarray"`
	Type  string
	Value cbor.RawMessage
}

// kindOfFact is the name of a fact's type, which was found to be one that can travel.
func kindOfFact[T any](s *Scope) string {
	return string(*valueOf[*factKind[T]](&s.mine().values).of(func() *factKind[T] {
		t := reflect.TypeFor[T]()
		if err := carriable(t); err != nil {
			panic(fmt.Sprintf("satin: Tell of a %v that cannot travel: %v", t, err))
		}
		kind := factKind[T](t.String())
		return &kind
	}))
}

type factKind[T any] string
