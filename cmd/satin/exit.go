package main

import "fmt"

// Exit codes that scripts rely on.
const (
	exitOK           = 0
	exitFailed       = 1 // the run failed
	exitUsage        = 2 // usage or bad input; nothing was computed or written
	exitRefused      = 3 // the grid is not reachable, or refused
	exitIncompatible = 4 // another build
	exitPartial      = 5 // --timeout, with a partial answer

	// 10 to 99 are the applications': program.Coder.

	exitTimeout = 124 // --timeout, without any answer
	exitSignal  = 128 // plus the signal's number
)

// exitError is an error with the exit code that it causes.
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

// usageError is an error in what the user wrote: on the command line, in the
// environment or in a file.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Sprintf(format, args...)}
}
