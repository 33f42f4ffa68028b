package satin

import (
	"fmt"

	"satingrid/steal"
)

// failureOnWire is an error or a panic of a job, between processes.
type failureOnWire struct {
	Task    string
	Key     steal.Key
	Peer    string
	Text    string
	Stack   []byte
	Fault   bool // the grid has found out, and nobody returned or panicked
	Refused bool // there was no room: nothing was begun
	Goexit  bool // it did not panic but end its goroutine
}

// stackMax bounds the stack that travels with a panic.
const stackMax = 32 << 10

// failureMax bounds an encoded failure that is looked into on the loop.
const failureMax = 2 * (stackMax + textMax)

// packError encodes what run.jobError has made of a job's error, or why the job cannot be begun.
func packError(err error) steal.Result {
	job, ok := err.(*JobError)
	if !ok {
		return packText(err.Error())
	}
	return steal.Result{Outcome: steal.Failed, Bytes: mustMarshal(&failureOnWire{
		Task: job.Task, Key: job.Key, Peer: job.Peer, Text: job.Err.Error(),
	})}
}

// packText encodes why a job cannot be begun.
func packText(text string) steal.Result {
	return steal.Result{Outcome: steal.Failed, Bytes: mustMarshal(&failureOnWire{Text: clip(text, textMax)})}
}

// packFatal encodes why a run fails.
func packFatal(err error) steal.Result {
	x := failureOnWire{Text: textOf(err)}
	if why, ok := err.(*PanicError); ok {
		x = failureOnWire{
			Task: why.Task, Key: why.Key, Peer: why.Peer, Goexit: why.Value == nil,
			Text: textOf(why.Value), Stack: why.Stack[:min(len(why.Stack), stackMax)],
		}
	}
	return steal.Result{Outcome: steal.Panicked, Bytes: mustMarshal(&x)}
}

// packFault makes the result that fails a run because of what the grid found out about a job.
func packFault(task string, key steal.Key, peer, text string) steal.Result {
	x := failureOnWire{Task: task, Key: key, Peer: peer, Text: clip(text, textMax), Fault: true}
	return steal.Result{Outcome: steal.Panicked, Bytes: mustMarshal(&x)}
}

// packRefusal makes the result of a run for which there is no room.
func packRefusal(text string) steal.Result {
	x := failureOnWire{Text: clip(text, textMax), Refused: true}
	return steal.Result{Outcome: steal.Panicked, Bytes: mustMarshal(&x)}
}

// jobOf is the key of the job that an error came from.
func jobOf(failed []byte) steal.Key {
	var x failureOnWire
	if len(failed) > failureMax || unmarshal(failed, &x) != nil {
		return steal.Key{}
	}
	return x.Key
}

// unpackFailure decodes an error or a panic.
func unpackFailure(r steal.Result) error {
	var x failureOnWire
	if err := unmarshal(r.Bytes, &x); err != nil {
		return fmt.Errorf("satin: a job failed elsewhere, and its error cannot be read: %w", err)
	}
	err := textOnly(x.Text)
	switch {
	case x.Refused:
		return &RefusedError{Why: err.Error()}
	case x.Fault:
		return &FaultError{Task: x.Task, Key: x.Key, Peer: x.Peer, Why: err.Error()}
	case x.Task == "" && x.Text == ErrWithdrawn.Error():
		return ErrWithdrawn
	case x.Task == "":
		return err
	case r.Outcome == steal.Panicked && x.Goexit:
		return &PanicError{Task: x.Task, Key: x.Key, Peer: x.Peer, Stack: x.Stack}
	case r.Outcome == steal.Panicked:
		return &PanicError{Task: x.Task, Key: x.Key, Peer: x.Peer, Value: err, Stack: x.Stack}
	}
	return &JobError{Task: x.Task, Key: x.Key, Peer: x.Peer, Err: err}
}

func mustMarshal(v any) []byte {
	data, err := marshal(v)
	if err != nil {
		panic(fmt.Sprintf("satin: BUG: encode %T: %v", v, err))
	}
	return data
}
