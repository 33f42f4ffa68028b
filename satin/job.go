package satin

import (
	"reflect"
)

// slot is a job in a deque, whatever its types.
type slot interface {
	head() *header
	execute(s *Scope) result
	refuse(err error) result
	fields() any
	types() (task, res reflect.Type)
	decode(data []byte) (result, error)
	load(fields []byte) error
	twin() slot // another job with the same fields
}

// header is what all jobs have. It belongs to the owner of the deque; thieves read
// the task, never this.
type header struct {
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
	header
	task T
}

func (j *job[T, R]) head() *header { return &j.header }

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

// frame is the slot of a job that runs on this stack and was spawned on another.
type frame struct {
	header
	of *shared
}

func (f *frame) head() *header                       { return &f.header }
func (f *frame) execute(s *Scope) result             { return f.of.job.execute(s) }
func (f *frame) refuse(err error) result             { return f.of.job.refuse(err) }
func (f *frame) fields() any                         { return f.of.job.fields() }
func (f *frame) types() (reflect.Type, reflect.Type) { return f.of.job.types() }
func (f *frame) decode(data []byte) (result, error)  { return f.of.job.decode(data) }
func (f *frame) load(fields []byte) error            { return f.of.job.load(fields) }
func (f *frame) twin() slot                          { return f.of.job.twin() }
