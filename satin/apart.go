package satin

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// codePanic is a panic of a program's own code for values, which runs wherever they come and go.
type codePanic struct {
	value any // errGoexit, when the code ended its goroutine
	stack []byte
}

func (e *codePanic) Error() string {
	if e.value == errGoexit {
		return "its code " + errGoexit.Error()
	}
	return "its code panicked: " + textOf(e.value)
}

// errGoexit stands for what code panics with that ends its goroutine.
var errGoexit = errors.New("called runtime.Goexit (does it use a testing.T?)")

// apart runs code of the program's on a goroutine of its own, which that may end as it likes:
// the caller's goes on.
func apart(do func()) *codePanic {
	ended := make(chan *codePanic)
	go func() {
		failed := &codePanic{value: errGoexit}
		defer func() { ended <- failed }()
		defer func() {
			if value := recover(); value != nil {
				failed = &codePanic{value, debug.Stack()}
			} else if failed != nil {
				failed.stack = debug.Stack()
			}
		}()
		do()
		failed = nil
	}()
	return <-ended
}

// caught makes an error of a panic. It is to be deferred.
func caught(err *error) {
	if value := recover(); value != nil {
		*err = &codePanic{value, debug.Stack()}
	}
}

// textOf is what a panic or an error says. Its text, too, is the program's.
func textOf(value any) string {
	var text string
	if failed := apart(func() { text = fmt.Sprint(value) }); failed != nil {
		return fmt.Sprintf("a %T, whose text %v", value, failed.value)
	}
	return clip(text, textMax)
}

// textMax bounds an error's text that travels.
const textMax = 16 << 10

func clip(s string, most int) string {
	if len(s) > most {
		return s[:most] + " …"
	}
	return s
}
