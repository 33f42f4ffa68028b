package program

import (
	"encoding/json"
	"fmt"
	"io"
)

// shown is a value as an answer: itself, if it is one, or as fmt and encoding/json show it. Such a
// value may be a Briefer all the same.
func shown[R any](value R) Answer {
	if a, ok := any(value).(Answer); ok {
		return a
	}
	if b, ok := any(value).(Briefer); ok {
		return struct {
			plain
			Briefer
		}{plain{value}, b}
	}
	return plain{value}
}

// plain is a value that says nothing of how it is shown.
type plain struct{ value any }

func (p plain) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, p.value)
	return err
}

// JSON is the value, or its text where JSON has no way to say it: an infinite number, for one.
func (p plain) JSON() any {
	if _, err := json.Marshal(p.value); err != nil {
		return fmt.Sprint(p.value)
	}
	return p.value
}
