package satin

import (
	"reflect"
)

// Task is a kind of job: its exported fields are its arguments, and Run computes its result.
//
// The contract: Run is a function of its fields, of the root's fields and of the best; it has no
// other input, and no side effect that matters when it happens twice. Map order, the clock, global
// random numbers and files that differ between peers break it. So a task decides whether to split
// by an estimate or a budget counted in its own units (rays, nodes, conflicts), never by the
// clock. Nobody writes to what a task's fields refer to after Spawn, Run included, nor to what
// they may grow into: an append to a field does. A result may refer to the same memory as its
// job's fields, the root's, or what Derive returned, as long as nobody writes to it.
//
// The fields and the result travel between processes as CBOR, and a value is what its bytes say. Of
// each type the structure tells which of three it is:
//
//   - Booleans, integers, floats, strings, and slices, arrays, maps and structs with
//     exported fields of such are carried whole: NaNs bit by bit, nil apart from empty.
//     Tags may rename fields.
//   - Where it depends on the value, each is tried when it, or its key, leaves the process, and a
//     run fails that has one that would not arrive. That costs about ten times the encoding.
//     It concerns pointers (no two may share what they point to), types that refer to
//     themselves (at most 16 levels) and times (UTC, without a monotonic reading). It concerns
//     types with MarshalCBOR or MarshalBinary of their own and its counterpart, maps whose keys
//     have floats, and omitempty where nil and empty are two.
//   - Where some part of each value would be lost the type is refused, by Open and by a Run without
//     a peer, with the field and the reason: func, chan, interface, complex numbers, big.Int,
//     unexported fields, fields left out by a tag, two fields of one name, be they embedded.
//
// The fields of a job that travels take up to 1 MiB, which is looked at when it is lent, and under
// Testing.Strict at Spawn: what jobs share belongs into the root, of up to 64 MiB. See
// Config.ResultMax for results.
//
// What methods for text and JSON write is not looked at. A slice's capacity does not travel. Of an
// error that Run returns the text travels, and its parent sees nothing else of it wherever it ran:
// see [JobError].
//
// Whoever waits for a result may write to it. So no two slices or maps of a result share memory,
// what they may grow into included: two that are cut from one slice are cut as x[:i:i] and x[i:].
// Wherever a result is encoded, which for a type with one place for a slice or map costs nothing
// more, this is looked at, and a run fails that has one whose parts would come apart. What is
// within a type with methods of its own is not looked at. Under Testing.Strict each job is given
// its fields, and each parent its results, as if they had travelled: who writes to what he may not
// gets another answer than without Strict, which satintest.Check compares.
type Task[R any] interface {
	Run(s *Scope) (R, error)
}

// slot is a job in a deque, whatever its types.
type slot interface {
	head() *jobHeader
	execute(s *Scope) result
	refuse(err error) result
	fields() any
	types() (task, res reflect.Type)
	decode(data []byte) (result, error)
	load(fields []byte) error
	renew() error // gives it fields that are a copy, as if they had travelled
	twin() slot   // another job with the same fields
}

// jobHeader is what all jobs have. It belongs to the owner of the deque; thieves read
// the task, never this.
type jobHeader struct {
	word  uint32
	index int     // its slot; detached when it has none
	sh    *shared // what others may know of it; nil while it is plain
}

// The states of a slot.
const (
	free     = iota // or its result has been handed over
	waiting         // spawned and not started; also when published: the rest is in sh
	running         // on the stack
	detached        // it lost its slot before it was waited for
)

const noIndex = -1

// job is a spawned task. The object is reused for the next job of its type in the same slot.
type job[T Task[R], R any] struct {
	jobHeader
	task T
}

func (j *job[T, R]) head() *jobHeader { return &j.jobHeader }

func (j *job[T, R]) execute(s *Scope) result {
	r, err := j.task.Run(s)
	return &outcome[R]{r, err}
}

func (j *job[T, R]) refuse(err error) result { return &outcome[R]{err: err} }
func (j *job[T, R]) fields() any             { return &j.task }

func (j *job[T, R]) types() (task, res reflect.Type) {
	return reflect.TypeFor[T](), reflect.TypeFor[R]()
}

func (j *job[T, R]) decode(data []byte) (result, error) {
	o := new(outcome[R])
	return o, unmarshal(data, &o.value)
}

// load reads the fields that the job came with.
func (j *job[T, R]) load(fields []byte) error { return unmarshal(fields, &j.task) }

func (j *job[T, R]) renew() error {
	data, err := marshal(&j.task)
	if err != nil {
		return err
	}
	var copied T
	err = unmarshal(data, &copied)
	j.task = copied
	return err
}

func (j *job[T, R]) twin() slot {
	k := &job[T, R]{task: j.task}
	k.index = noIndex
	return k
}

// result is what a job came to, whatever its type.
type result interface {
	failure() error
	failed(err error) result
	encode(strict bool) ([]byte, error)
}

type outcome[R any] struct {
	value R
	err   error
}

func (o *outcome[R]) failure() error          { return o.err }
func (o *outcome[R]) failed(err error) result { return &outcome[R]{err: err} }

func (o *outcome[R]) encode(strict bool) ([]byte, error) {
	_, care := careOf(strict)
	return encodeWhole(&o.value, care)
}
