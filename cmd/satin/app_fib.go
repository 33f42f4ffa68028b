package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/urfave/cli/v2"

	"satingrid/apps/fib"
)

// fibDefault takes a second or so.
const fibDefault = 38

func fibApplication() *application {
	return &application{
		name:    "fib",
		summary: "a Fibonacci number, the slow way: nothing but spawns",
		input:   "[N]",
		details: fmt.Sprintf("N is 0 to %d, by default %d. Prints the number.", fib.Max, fibDefault),
		app:     fib.App(),
		prepare: func(_ *cli.Context, input string) (*prepared, error) {
			n, name, err := number(input, fibDefault)
			if err != nil {
				return nil, err
			}
			task := fib.Fib{N: n}
			if err := task.Check(); err != nil {
				return nil, err
			}
			return &prepared{name, submit(task, func(v int64) answer { return fibAnswer{v} })}, nil
		},
	}
}

type fibAnswer struct {
	Value int64 `json:"value"`
}

func (a fibAnswer) JSON() any { return a }
func (a fibAnswer) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, a.Value)
	return err
}

// number reads an input that is a whole number, and returns how the answer names it.
func number(input string, otherwise int) (int, string, error) {
	if input == "" {
		return otherwise, embedded, nil
	}
	n, err := strconv.Atoi(input)
	if err != nil {
		return 0, "", fmt.Errorf("%q is no input: a whole number is expected", input)
	}
	return n, input, nil
}
