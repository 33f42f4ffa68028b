// Package cli is what the command takes, prints, explains and checks of package tsp.
package cli

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"satingrid/apps/tsp"
	"satingrid/apps/tsp/tsplib"
	"satingrid/satin/program"
)

// Application is package tsp for the command.
func Application() *program.Application {
	joinTally()
	return &program.Application{
		Name:    "tsp",
		Summary: "find a shortest round trip and prove it",
		Input:   "[FILE]",
		Details: `FILE is a symmetric problem in the format of TSPLIB95, by default the capitals of Europe.
Prints the tour in the format of TSPLIB95, with its length and what is proved about it.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "draw the tour in `FILE`.svg or .png"},
			&cli.StringFlag{Name: "initial", Usage: "begin with the tour in `FILE`; none is looked for"},
			&cli.StringFlag{Name: "proof", Usage: "write a certificate to `FILE`"},
			&cli.StringFlag{Name: "tally", Usage: "count in `FILE`, a byte each, the nodes that all peers here explore, killed ones too"},
		},
		App:     tsp.App(),
		Chooses: true,
		Prepare: prepare,
		Checker: checker(),
	}
}

func prepare(in *program.Input) (*program.Prepared, error) {
	c, input := in.Flags, in.Word()
	a := answer{}
	var name string
	var err error
	if a.problem, a.names, name, err = problem(input); err != nil {
		return nil, err
	}
	distances, err := tsp.DistancesOf(a.problem)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	task := tsp.Solve{Distances: distances, Certify: c.String("proof") != ""}
	if file := c.String("initial"); file != "" {
		if err := program.ReadFile(file, func(r io.Reader) (err error) {
			task.Initial, err = tsplib.ReadTour(r, file, distances.Cities)
			return err
		}); err != nil {
			return nil, err
		}
	}
	if err := a.open(c.String("output"), c.String("proof")); err != nil {
		return nil, err
	}
	tally, err := openTally(c)
	if err != nil {
		return nil, err
	}
	start := program.Submit(task, func(t tsp.Tour) program.Answer {
		shown := a
		shown.tour, shown.explored = t, explored(tally)
		return shown
	})
	return &program.Prepared{Input: name, Start: start}, nil
}

// problem is what was asked for, the names of its cities if it has some, and its name in the
// answer.
func problem(input string) (p *tsplib.Problem, names []string, name string, err error) {
	if input == "" {
		p, names = tsp.Example()
		return p, names, program.Embedded, nil
	}
	err = program.ReadFile(input, func(r io.Reader) (err error) {
		p, err = tsplib.Read(r, input)
		return err
	})
	return p, nil, input, err
}
