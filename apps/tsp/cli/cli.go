// Package cli is what the command takes, prints, explains and checks of package tsp.
package cli

import (
	"errors"
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
		Details: `FILE is a problem in the format of TSPLIB95, also compressed by gzip, by default the capitals of Europe: a TSP, with or
without fixed edges, or an ATSP with a full matrix. Its cities may be numbered from 0. Prints the tour in the format of
TSPLIB95, numbered like the problem, with its length and what is proved about it.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "initial", Usage: "begin with the tour in `FILE`; none is looked for"},
			&cli.StringFlag{Name: "tally", Usage: "count in `FILE`, a byte each, the nodes that all peers here explore, killed ones too"},
		},
		AnswerFlags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "draw the tour in `FILE`.svg or .png"},
			&cli.StringFlag{Name: "proof", Usage: "write a certificate to `FILE`"},
		},
		App:     tsp.App(),
		Chooses: true,
		Draws:   true,
		Root:    program.RootOf(parse, show),
		Checker: checker(),
	}
}

func parse(in *program.Input) (task tsp.Solve, err error) {
	c := in.Flags
	p, names, name, err := problem(in.Word())
	if err != nil {
		return task, err
	}
	in.Called = name
	distances, err := tsp.DistancesOf(p)
	if err != nil {
		return task, fmt.Errorf("%s: %w", name, err)
	}
	task = tsp.Solve{Distances: distances, Fixed: p.Fixed, Certify: c.String("proof") != "", Map: p.Map(names)}
	if file := c.String("initial"); file != "" {
		if err := program.ReadFile(file, func(r io.Reader) (err error) {
			task.Initial, err = tsplib.ReadTour(r, file, p.Cities, p.Numbering)
			return err
		}); err != nil {
			return task, err
		}
	}
	if c.String("tally") != "" && in.Elsewhere {
		return task, errors.New("--tally: the peers of --join cannot count in a file here, leave one of both away")
	}
	return task, nil
}

func show(root *tsp.Solve, in *program.Input) (view program.View[tsp.Tour], err error) {
	c := in.Flags
	if err := root.Check(); err != nil {
		return view, err
	}
	a := answer{cities: &root.Map}
	if c.String("proof") != "" && !root.Certify {
		return view, errors.New("--proof: the run was submitted without --proof, and so its answer has none")
	}
	if err := a.open(c.String("output"), c.String("proof")); err != nil {
		return view, err
	}
	tally, err := openTally(c)
	if err != nil {
		return view, err
	}
	view.Answer = func(t tsp.Tour) program.Answer {
		shown := a
		shown.tour, shown.explored, shown.tallied = t, explored(tally), tally != ""
		return shown
	}
	return view, nil
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
