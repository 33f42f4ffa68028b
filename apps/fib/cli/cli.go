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
		Prepare: prepare,
	}
}

func prepare(in *program.Input) (*program.Prepared, error) {
	n, err := in.Number(otherwise)
	if err != nil {
		return nil, err
	}
	task := fib.Fib{N: n}
	if err := task.Check(); err != nil {
		return nil, err
	}
	start := program.Submit(task, func(v int64) program.Answer { return answer{v} })
	return &program.Prepared{Start: start}, nil
}

type answer struct {
	Value int64 `json:"value"`
}

func (a answer) JSON() any { return a }
func (a answer) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, a.Value)
	return err
}
