package satin

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
)

// codePanic is a panic of a program's own code for values, which runs wherever they come and go. It
// has nothing of the program's: neither the loop nor a hand waits for code when it asks for the
// text.
type codePanic struct {
	text  string // of what it panicked with
	exits bool   // it ended its goroutine
	stack []byte
}

func (e *codePanic) Error() string {
	if e.exits {
		return "its code " + e.text
	}
	return "its code panicked: " + e.text
}

func codePanicOf(value any, stack []byte) *codePanic {
	return &codePanic{textOf(value), value == errGoexit, stack}
}

// isOfCode tells whether a program's own code has panicked.
func isOfCode(err error) bool {
	var raised *codePanic
	return errors.As(err, &raised)
}

// errGoexit stands for what code panics with that ends its goroutine.
var errGoexit = errors.New("called runtime.Goexit (does it use a testing.T?)")

// apart runs code of the program's on a goroutine of its own, which that may end as it likes:
// the caller's goes on.
func apart(do func()) *codePanic {
	if value, stack := endOf(do); value != nil {
		return codePanicOf(value, stack)
	}
	return nil
}

// endOf runs code on a goroutine of its own, and tells what it panics with.
func endOf(do func()) (value any, stack []byte) {
	ended := make(chan struct{})
	go func() {
		returned := false
		defer close(ended)
		defer func() {
			if value = recover(); value == nil && !returned {
				value = errGoexit
			}
			if value != nil {
				stack = debug.Stack()
			}
		}()
		do()
		returned = true
	}()
	<-ended
	return value, stack
}

// ofCode encodes or decodes by code of the program's, and makes an error of ours of the one that
// this returns. That has methods of the program's, which whoever looks at it would run: Unwrap, As
// and Error of a nil pointer fail, and wherever an error is looked at a process would die.
func ofCode(do func() error) (err error) {
	failed := apart(func() {
		switch why := do().(type) {
		case nil:
		case *codePanic:
			err = why
		default:
			err = textOnly(why.Error())
		}
	})
	if failed != nil {
		return failed
	}
	return err
}

// caught makes an error of a panic. It is to be deferred.
func caught(err *error) {
	if value := recover(); value != nil {
		*err = codePanicOf(value, debug.Stack())
	}
}

// textOf is what a panic or an error says. Its text, too, is the program's.
func textOf(value any) string {
	var text string
	why, _ := endOf(func() {
		if !hasWords(value) && partsLeft(reflect.Indirect(reflect.ValueOf(value)), textPartsMax) < 0 {
			text = fmt.Sprintf("a large %T", value)
			return
		}
		text = clip(fmt.Sprint(value), textMax)
	})
	switch why {
	case nil:
		return text
	case errGoexit:
		return fmt.Sprintf("a %T, whose text %v", value, errGoexit)
	}
	return fmt.Sprintf("a %T, whose text panicked with a %T", value, why)
}

// hasWords tells whether a value has a text of its own.
func hasWords(value any) bool {
	switch value.(type) {
	case error, fmt.Stringer, fmt.Formatter:
		return true
	}
	return false
}

// textPartsMax bounds the parts of a value that is told in full: one that has itself within it
// would be told without end.
const textPartsMax = 1000

// partsLeft counts the parts of a value that fmt would tell, down from so many; below 0 it has
// more.
func partsLeft(v reflect.Value, left int) int {
	left--
	if left < 0 {
		return left
	}
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			return partsLeft(v.Elem(), left)
		}
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && left >= 0; i++ {
			left = partsLeft(v.Index(i), left)
		}
	case reflect.Map:
		for entry := v.MapRange(); left >= 0 && entry.Next(); {
			left = partsLeft(entry.Value(), partsLeft(entry.Key(), left))
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && left >= 0; i++ {
			left = partsLeft(v.Field(i), left)
		}
	}
	return left
}

// textMax bounds an error's text that travels.
const textMax = 16 << 10

func clip(s string, most int) string {
	if len(s) > most {
		return s[:most] + " …"
	}
	return s
}
