package console

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"satingrid/satin"
)

// Exit codes that scripts rely on.
const (
	ExitOK           = 0
	ExitFailed       = 1 // the run failed
	ExitUsage        = 2 // usage or bad input; nothing was computed or written
	ExitRefused      = 3 // the grid is not reachable, or refused
	ExitIncompatible = 4 // another build
	ExitPartial      = 5 // --timeout, with a partial answer

	// 10 to 99 are the applications': program.Coder.

	ExitTimeout = 124 // --timeout, without any answer
	ExitSignal  = 128 // plus the signal's number
)

// Error is an error with the exit code that it causes.
type Error struct {
	Code int
	Text string // "": nothing is printed
}

func (e *Error) Error() string { return e.Text }

// Usage is an error in what the user wrote: on the command line, in the environment or in a file.
func Usage(format string, args ...any) error {
	return &Error{ExitUsage, fmt.Sprintf(format, args...)}
}

// Refused is the error of a grid that is not reached, or does not let this process in.
func Refused(format string, args ...any) error {
	return &Error{ExitRefused, fmt.Sprintf(format, args...)}
}

// Report prints an error, if it is one, and returns the exit code that goes with it.
func (c *Console) Report(err error) int {
	if err == nil {
		return ExitOK
	}
	code := ExitFailed
	var e *Error
	var full *satin.RefusedError
	switch {
	case errors.As(err, &e):
		code = e.Code
	case errors.As(err, &full):
		code = ExitRefused
	}
	if text := c.Words(err); text != "" {
		c.Say("%s", text)
	}
	if stack := stackOf(err); stack != nil { // a defect of an application: for whoever mends it
		fmt.Fprintf(c.Err, "%s\n", bytes.TrimSpace(stack))
	}
	return code
}

// stackOf is that of a panic; nil: the error is none.
func stackOf(err error) []byte {
	var job *satin.PanicError
	var own *panicked
	switch {
	case errors.As(err, &job):
		return job.Stack
	case errors.As(err, &own):
		return own.stack
	}
	return nil
}

// verb is a command of this program as the library names it, which knows no other program.
var verb = regexp.MustCompile(`\bsatin (node|key|kick)\b`)

// said are the library's words for what whoever uses it writes in Go, and ours for where that
// stands in a program with these verbs.
var said = strings.NewReplacer(
	"(Config.ResultMax)", "(--result-max)",
	"is not in Config.App.Tasks", "is not among the tasks of its application",
	"]() there", "]() in program.Of, or in the Application's App",
)

// Words are an error in the program's words.
func (c *Console) Words(err error) string {
	return c.named(said.Replace(strings.TrimPrefix(err.Error(), "satin: ")))
}

// named is a text of the library with this program's name where it says what to type.
func (c *Console) named(text string) string { return verb.ReplaceAllString(text, c.Name+" $1") }
