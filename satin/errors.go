package satin

import (
	"errors"
	"fmt"

	"satingrid/steal"
)

var (
	// ErrWithdrawn is what Wait returns for a job that nobody wants any more: it was aborted,
	// or its run, its peer or its context has ended.
	ErrWithdrawn = errors.New("satin: the job was withdrawn")

	// ErrNone is what First returns when it accepted no result.
	ErrNone = errors.New("satin: no result was accepted")

	// ErrClosed is why a run fails whose peer was closed.
	ErrClosed = errors.New("satin: the peer was closed")
)

// JobError is an error that a job's Run returned. It is wrapped once, where the job's parent waits
// for it, and passes through the ancestors unchanged.
type JobError struct {
	Task string    // the task's type
	Key  steal.Key // the identity of the job's value; zero if its fields cannot be encoded
	Peer string    // who ran it
	Err  error
}

func (e *JobError) Error() string {
	return fmt.Sprintf("%v (job %s %s on %s)", e.Err, e.Task, e.Key.Short(), e.Peer)
}

func (e *JobError) Unwrap() error { return e.Err }

// FaultError is why the grid fails a run: it has found that a job kills the processes that run it,
// or that it is not a function of its fields (Config.Verify).
type FaultError struct {
	Task string // empty when it is not known
	Key  steal.Key
	Peer string // that ran it last
	Why  string
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("satin: %s (job %s %s)", e.Why, e.Task, e.Key.Short())
}

// PanicError is why a run fails one of whose jobs panicked.
type PanicError struct {
	Task  string
	Key   steal.Key
	Peer  string
	Value any    // what it panicked with; nil when it called runtime.Goexit
	Stack []byte // of the goroutine that panicked
}

func (e *PanicError) Error() string {
	what := "panicked: " + textOf(e.Value)
	if e.Value == nil {
		what = errGoexit.Error()
	}
	return fmt.Sprintf("satin: job %s %s on %s %s", e.Task, e.Key.Short(), e.Peer, what)
}

// Unwrap is the error that the job panicked with, if it was one.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// raisedBy makes a PanicError of an error behind which the program's own encoding has panicked.
func raisedBy(err error, task string, key steal.Key, peer string) error {
	if _, ok := err.(*PanicError); ok {
		return err // what it panicked with has methods of the program's own
	}
	var raised *codePanic
	if !errors.As(err, &raised) {
		return err
	}
	return &PanicError{Task: task, Key: key, Peer: peer, Value: err, Stack: raised.stack}
}
