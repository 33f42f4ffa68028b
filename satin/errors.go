package satin

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"reflect"
	"strings"

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
// for it, and passes through the ancestors unchanged: what they wrap around it is dropped.
//
// Errors travel as text, and so that who ran a job does not decide what its parent sees, the text
// is all that is left of one wherever the job ran, also alone: 16 KiB of it. errors.As finds
// nothing within a JobError, and errors.Is tells by the text. Whoever has to know more than that a
// job failed and why, in words, is told by its result. (With Config.StaysHere Err is what Run
// returned.)
type JobError struct {
	Task string    // the task's type
	Key  steal.Key // the identity of the job's value; zero if its fields cannot be encoded
	Peer string    // who ran it
	Err  error     // it has the text of what Run returned, and nothing else
}

func (e *JobError) Error() string {
	return fmt.Sprintf("%v (job %s %s on %s)", e.Err, e.Task, e.Key.Short(), e.Peer)
}

func (e *JobError) Unwrap() error { return e.Err }

// Is tells whether Run returned an error of the target's text: errors of one text are one.
func (e *JobError) Is(target error) bool {
	return e.Err != nil && e.Err.Error() == clip(target.Error(), textMax)
}

// hasText tells whether Err is nothing but its text: no program has made the error.
func (e *JobError) hasText() bool {
	_, ok := e.Err.(errorText)
	return ok
}

// errorText is what is left of a program's error.
type errorText string

func (e errorText) Error() string { return string(e) }

func textOnly(text string) errorText {
	return errorText(cmp.Or(clip(text, textMax), "satin: a job failed and gave no reason"))
}

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

// RefusedError is why the grid does not begin a run: it has no room for another, or for so big a
// root, or for another that waits for the same. Submit again when a run has ended.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return "satin: " + e.Why }

// PanicError is why a run fails one of whose jobs panicked. Its text names the line of the
// program's own that did.
type PanicError struct {
	Task string
	Key  steal.Key
	Peer string
	// what it panicked with, or, where it ran elsewhere, an error with its text; nil when it
	// called runtime.Goexit
	Value any
	Stack []byte // of the goroutine that panicked
}

func (e *PanicError) Error() string {
	what := "panicked" + e.at("panic") + ": " + textOf(e.Value)
	if e.Value == nil {
		what = errGoexit.Error() + e.at("runtime.Goexit")
	}
	return fmt.Sprintf("satin: job %s %s on %s %s", e.Task, e.Key.Short(), e.Peer, what)
}

// at is which line of the program's own called that: " at main.go:12", with its folder. It is ""
// where the stack does not tell. Neither the runtime's frames nor this package's are the program's.
func (e *PanicError) at(called string) string {
	_, stack, _ := strings.Cut(string(e.Stack), "\n"+called+"(")
	lines := strings.Split(stack, "\n") // of a call and of its place, in turn
	for i := 2; i+1 < len(lines); i += 2 {
		call, place := lines[i], lines[i+1]
		if strings.HasPrefix(call, "runtime.") || strings.HasPrefix(call, packagePrefix) {
			continue
		}
		if strings.HasPrefix(call, "created by ") {
			break
		}
		file, _, _ := strings.Cut(strings.TrimSpace(place), " +0x")
		return " at " + path.Join(path.Base(path.Dir(file)), path.Base(file))
	}
	return ""
}

// packagePrefix begins the names of this package's functions.
var packagePrefix = reflect.TypeFor[PanicError]().PkgPath() + "."

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
