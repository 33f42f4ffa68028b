// Package cli is what the command takes, prints and explains of package fib.
package cli

import (
	"fmt"
	"io"

	"satingrid/apps/fib"
	"satingrid/satin/program"
)

// otherwise is the number that is computed where none is given. It takes a second or so.
const otherwise = 38

// Application is package fib for the command.
func Application() *program.Application {
	return &program.Application{
		Name:    "fib",
		Summary: "a Fibonacci number, the slow way: nothing but spawns",
		Input:   "[N]",
		Details: fmt.Sprintf("N is 0 to %d, by default %d. Prints the number.", fib.Max, otherwise),
		App:     fib.App(),
		Root:    program.RootOf(parse, show),
	}
}

func parse(in *program.Input) (task fib.Fib, err error) {
	if task.N, err = in.Number(otherwise); err == nil {
		err = task.Check()
	}
	return task, err
}

func show(*fib.Fib, *program.Input) (program.View[int64], error) {
	return program.View[int64]{Answer: func(v int64) program.Answer { return answer{v} }}, nil
}

type answer struct {
	Value int64 `json:"value"`
}

func (a answer) JSON() any { return a }
func (a answer) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, a.Value)
	return err
}
