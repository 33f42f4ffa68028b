package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/apps/sat"
	"satingrid/apps/sat/cnf"
	"satingrid/satin"
)

func satApplication() *application {
	return &application{
		name:    "sat",
		summary: "find a model of a formula, or prove that there is none",
		input:   "[FILE]",
		details: `FILE is a formula in the format of DIMACS, with or without cubes, also compressed by gzip; by default a random
one. Prints a status and a model as in the SAT competitions.`,
		flags: []cli.Flag{
			&cli.StringFlag{Name: "proof", Usage: "write a proof of unsatisfiability to `FILE`, in DRAT format"},
			&cli.StringFlag{Name: "generate", Usage: "decide a formula of a `FAMILY`: php,N, 3sat,N,SEED or vdw,K,L,N"},
			&cli.BoolFlag{Name: "sat-exit-codes", Usage: "exit with 10 when satisfiable, with 20 when not"},
		},
		app:     sat.App(),
		chooses: true,
		prepare: prepareSAT,
		checker: satChecker(),
	}
}

func prepareSAT(c *cli.Context, input string) (*prepared, error) {
	f, name, err := readFormula(c, input)
	if err != nil {
		return nil, err
	}
	a := satAnswer{vars: f.Vars, codes: c.Bool("sat-exit-codes")}
	task := sat.Solve{Formula: *f}
	if file := c.String("proof"); file != "" {
		task.Certify = true
		if a.proof, err = openOutput(file); err != nil {
			return nil, errors.New("--proof " + strings.TrimPrefix(err.Error(), "-o "))
		}
	}
	start := submit(task, func(found sat.Answer) answer {
		shown := a
		shown.found = found
		return shown
	})
	return &prepared{name, func(ctx context.Context, p *satin.Peer) (running, error) {
		r, err := start(ctx, p)
		if err != nil {
			return nil, err
		}
		return satRunning{r}, nil
	}}, nil
}

// readFormula is the formula that was asked for, and how the answer names it.
func readFormula(c *cli.Context, input string) (f *cnf.Formula, name string, err error) {
	family := c.String("generate")
	switch {
	case c.IsSet("generate") && input != "":
		return nil, "", fmt.Errorf("give a file or --generate, not both: %s", input)
	case c.IsSet("generate"):
		if f, err = cnf.Generate(family); err != nil {
			err = fmt.Errorf("--generate %w", err)
		}
		return f, family, err
	case input == "":
		return sat.Example(), embedded, nil
	}
	err = opened(input, func(r io.Reader) error {
		var warnings []string
		f, warnings, err = cnf.Read(r, input)
		for _, w := range warnings {
			fmt.Fprintf(c.App.ErrWriter, "satin: %s\n", w)
		}
		return err
	})
	return f, input, err
}

// satRunning is a run whose answer is UNKNOWN while there is none.
type satRunning struct{ running }

func (r satRunning) Partial() (answer, bool) {
	if a, ok := r.running.Partial(); ok {
		return a, true
	}
	return satAnswer{}, false
}

// satAnswer is what was found of a formula.
type satAnswer struct {
	vars  int
	codes bool // whether the exit code tells the status
	found sat.Answer
	proof *output // nil: none
}

// modelWidth bounds the lines of a model, as the competitions' rules ask for.
const modelWidth = 78

func (a satAnswer) Text(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "s %v\n", a.found.Status)
	if a.found.Status == sat.Satisfiable {
		line := []byte("v")
		for _, l := range append(a.found.Literals(a.vars), 0) {
			word := strconv.Itoa(int(l))
			if len(line)+1+len(word) > modelWidth {
				out.Write(append(line, '\n'))
				line = append(line[:0], 'v')
			}
			line = append(append(line, ' '), word...)
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}

func (a satAnswer) JSON() any {
	type status struct {
		Status string `json:"status"`
	}
	st := status{a.found.Status.String()}
	if a.found.Status != sat.Satisfiable {
		return st
	}
	return struct {
		status
		Model []int32 `json:"model"`
	}{st, a.found.Literals(a.vars)}
}

// Keep writes the proof, when there is something to prove.
func (a satAnswer) Keep() error {
	if a.proof == nil || a.found.Status != sat.Unsatisfiable {
		return nil
	}
	return a.proof.write(func(w io.Writer) error { return sat.WriteProof(w, a.found) })
}

// Code is the exit code of the SAT competitions, when asked for.
func (a satAnswer) Code() int {
	switch {
	case a.codes && a.found.Status == sat.Satisfiable:
		return exitSatisfiable
	case a.codes && a.found.Status == sat.Unsatisfiable:
		return exitUnsatisfiable
	default:
		return exitOK
	}
}
