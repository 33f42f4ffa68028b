// Package cli is what the command takes, prints and explains of package nqueens.
package cli

import (
	"fmt"
	"io"

	"satingrid/apps/nqueens"
	"satingrid/satin/program"
)

// otherwise is how many queens there are where nobody says so. They take a second or so.
const otherwise = 14

// Application is package nqueens for the command.
func Application() *program.Application {
	return &program.Application{
		Name:    "nqueens",
		Summary: "in how many ways N queens leave each other alone",
		Input:   "[N]",
		Details: fmt.Sprintf("N is 0 to %d, by default %d. Prints the number of solutions.", nqueens.Max, otherwise),
		App:     nqueens.App(),
		Root:    program.RootOf(parse, show),
	}
}

func parse(in *program.Input) (task nqueens.Queens, err error) {
	if task.N, err = in.Number(otherwise); err == nil {
		err = task.Check()
	}
	return task, err
}

func show(*nqueens.Queens, *program.Input) (program.View[int64], error) {
	return program.View[int64]{Answer: func(v int64) program.Answer { return answer{v} }}, nil
}

type answer struct {
	Solutions int64 `json:"solutions"`
}

func (a answer) JSON() any { return a }
func (a answer) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, a.Solutions)
	return err
}
