package console

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// panicked is a panic of a program's own code at the command line: what reads its arguments or
// prints an answer. Jobs have [satin.PanicError].
type panicked struct {
	place string // folder/file.go:line; "" where that is unknown
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panicked%s: %v", p.place, p.value) }

// NoPanic is deferred around a program's own code, and makes a panic an error that Report prints in
// a line, with the stack for whoever mends it.
func NoPanic(err *error) {
	if value := recover(); value != nil {
		*err = &panicked{panicPlace(), value, debug.Stack()}
	}
}

// panicPlace is the line that panics, " at main/main.go:12", in a deferred function of a deeper
// one.
func panicPlace() string {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for {
		f, more := frames.Next()
		if f.File != "" && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" at %s:%d", path.Join(path.Base(path.Dir(f.File)), path.Base(f.File)), f.Line)
		}
		if !more {
			return ""
		}
	}
}
