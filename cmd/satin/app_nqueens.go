package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"satingrid/apps/nqueens"
)

// nqueensDefault takes a second or so.
const nqueensDefault = 14

func nqueensApplication() *application {
	return &application{
		name:    "nqueens",
		summary: "in how many ways N queens leave each other alone",
		input:   "[N]",
		details: fmt.Sprintf("N is 0 to %d, by default %d. Prints the number of solutions.", nqueens.Max, nqueensDefault),
		app:     nqueens.App(),
		prepare: func(_ *cli.Context, input string) (*prepared, error) {
			n, name, err := number(input, nqueensDefault)
			if err != nil {
				return nil, err
			}
			task := nqueens.Queens{N: n}
			if err := task.Check(); err != nil {
				return nil, err
			}
			return &prepared{name, submit(task, func(v int64) answer { return nqueensAnswer{v} })}, nil
		},
	}
}

type nqueensAnswer struct {
	Solutions int64 `json:"solutions"`
}

func (a nqueensAnswer) JSON() any { return a }
func (a nqueensAnswer) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, a.Solutions)
	return err
}
