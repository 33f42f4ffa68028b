package satin

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fxamacker/cbor/v2"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// Bounds of facts on one peer and run. They are hints: what does not fit is dropped.
const (
	// the latest ones; a worker that has not asked for longer misses the others
	factsKept     = 4096
	factBytesKept = 4 << 20 // of them together
	tellsMax      = 1000    // that the jobs of a peer may tell in a second
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
	r := s.run
	if len(data) > peer.FactMax || !r.facts.mayTell(time.Since(s.pool.start)) {
		return
	}
	if r.facts.add(data, s.worker.id) {
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
	s.run.choose()
	f := &s.run.facts
	seen := valueOf[*heardBy[T]](&s.run.locals[s.worker.id]).of(func() *heardBy[T] { return new(heardBy[T]) })
	if f.told.Load() == seen.upTo {
		return nil
	}
	var out []T
	kind := kindOfFact[T](s)
	for _, data := range f.since(&seen.upTo, s.worker.id) {
		var x factOnWire
		var v T
		if unmarshal(data, &x) == nil && x.Type == kind && unmarshal(x.Value, &v) == nil {
			out = append(out, v)
		}
	}
	return out
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
	return string(*valueOf[*factKind[T]](&s.run.values).of(func() *factKind[T] {
		t := reflect.TypeFor[T]()
		if err := carriable(t); err != nil {
			panic(fmt.Sprintf("satin: Tell of a %v that cannot travel: %v", t, err))
		}
		kind := factKind[T](t.String())
		return &kind
	}))
}

type factKind[T any] string

// facts are what the jobs of a run have told.
type facts struct {
	told atomic.Uint64 // how many, ever

	mu     sync.Mutex // protects what follows
	kept   []fact     // the latest
	known  map[steal.Key]struct{}
	bytes  int
	window time.Duration // the second that said counts
	said   int
}

type fact struct {
	data []byte
	by   int // the worker, or elsewhere
}

// elsewhereBy is who told a fact on another peer.
const elsewhereBy = -1

// mayTell counts what the jobs of this peer tell.
func (f *facts) mayTell(now time.Duration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now-f.window >= time.Second {
		f.window, f.said = now, 0
	}
	f.said++
	return f.said <= tellsMax
}

// add keeps a fact and tells whether it is news.
func (f *facts) add(data []byte, by int) bool {
	key := steal.KeyOf(data)
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.known[key]; ok {
		return false
	}
	if f.known == nil {
		f.known = map[steal.Key]struct{}{}
	}
	f.known[key] = struct{}{}
	f.kept = append(f.kept, fact{data, by})
	f.bytes += len(data)
	for len(f.kept) > factsKept || f.bytes > factBytesKept {
		old := f.kept[0]
		f.kept[0] = fact{}
		f.kept = f.kept[1:]
		f.bytes -= len(old.data)
		delete(f.known, steal.KeyOf(old.data))
	}
	f.told.Add(1)
	return true
}

// since are the facts beyond the first upTo that others told, and moves upTo on.
func (f *facts) since(upTo *uint64, by int) (all [][]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	told := f.told.Load()
	news := f.kept[len(f.kept)-int(min(told-*upTo, uint64(len(f.kept)))):]
	*upTo = told
	for _, x := range news {
		if x.by != by {
			all = append(all, x.data)
		}
	}
	return all
}
