// Package cli is what the command takes, prints, explains and checks of package sat.
package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/urfave/cli/v2"

	"satingrid/apps/sat"
	"satingrid/apps/sat/cnf"
	"satingrid/satin/program"
)

// maker is the flag that makes a formula, instead of reading one.
const (
	maker    = "generate"
	families = "php,N, 3sat,N,SEED or vdw,K,L,N; with weights cut,N,EDGES,SEED, cover,N,EDGES,SEED or late,N,SEED"
)

// Application is package sat for the command.
func Application() *program.Application {
	return &program.Application{
		Name:    "sat",
		Summary: "find a model of a formula, or a cheapest, or prove that there is none",
		Input:   "[FILE]",
		Details: `FILE is a formula in the format of DIMACS, with or without cubes, also compressed by gzip; by default a random
one. Prints a status and a model as in the SAT competitions. A FILE in .wcnf, with a header p wcnf, or one that begins
with a clause marked by h, has weights: of its models one is found that costs least, and printed as in the MaxSAT
Evaluations.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: maker, Usage: "decide a formula of a `FAMILY`: " + families},
		},
		AnswerFlags: []cli.Flag{
			&cli.StringFlag{Name: "proof", Usage: "write a proof of unsatisfiability to `FILE`, in DRAT format"},
			&cli.BoolFlag{Name: "sat-exit-codes", Usage: "exit with 10 when satisfiable, with 20 when not, with 30 when a model costs least"},
		},
		App:     sat.App(),
		Chooses: true,
		Root:    program.RootOf(parse, show),
		Checker: checker(),
	}
}

func parse(in *program.Input) (sat.Solve, error) {
	f, name, err := readFormula(in.Flags, in.Word())
	if err != nil {
		return sat.Solve{}, err
	}
	in.Called = name
	if f.Weighed && in.Flags.String("proof") != "" {
		return sat.Solve{}, fmt.Errorf("--proof: %s has weights: that no model costs less has no proof here", name)
	}
	return sat.Solve{Formula: *f, Certify: in.Flags.String("proof") != ""}, nil
}

func show(root *sat.Solve, in *program.Input) (view program.View[sat.Answer], err error) {
	a := answer{vars: root.Formula.Vars, weighed: root.Formula.Weighed, codes: in.Flags.Bool("sat-exit-codes")}
	if file := in.Flags.String("proof"); file != "" {
		if !root.Certify {
			return view, errors.New("--proof: the run was submitted without --proof, and so its answer has none")
		}
		if a.proof, err = program.OpenOutput("--proof", file); err != nil {
			return view, err
		}
	}
	view.Answer = func(found sat.Answer) program.Answer {
		shown := a
		shown.found = found
		if shown.weighed && found.HasModel() {
			return weighing{shown}
		}
		return shown
	}
	if a.weighed && !in.Flags.Bool("json") {
		a.told = &costs{out: in.Flags.App.Writer, least: math.MaxInt64}
	}
	view.Around = func(r program.Running, _ bool) program.Running { return unknown{r, a.told} }
	return view, nil
}

// readFormula is the formula that was asked for, and how the answer names it.
func readFormula(c *cli.Context, input string) (f *cnf.Formula, name string, err error) {
	family := c.String(maker)
	switch {
	case c.IsSet(maker) && input != "":
		return nil, "", fmt.Errorf("give a file or --generate, not both: %s", input)
	case c.IsSet(maker):
		if f, err = cnf.Generate(family); err != nil {
			err = fmt.Errorf("--generate %w", err)
		}
		return f, family, err
	case input == "":
		return sat.Example(), program.Embedded, nil
	}
	err = program.ReadFile(input, func(r io.Reader) error {
		var warnings []string
		f, warnings, err = cnf.Read(r, input)
		for _, w := range warnings {
			fmt.Fprintf(c.App.ErrWriter, "satin: %s\n", w)
		}
		return err
	})
	return f, input, err
}

// unknown is a run whose answer is UNKNOWN while there is none, and which tells what its models
// cost meanwhile.
type unknown struct {
	program.Running
	told *costs // nil: it does not
}

// Follow tells what the best model costs, if it is cheaper than those before.
func (r unknown) Follow() {
	if r.told == nil {
		return
	}
	if best, ok := r.Running.Partial(); ok {
		if w, costs := best.(weighing); costs {
			r.told.tell(r.told.out, w.found.Cost)
		}
	}
}

// costs are what models cost that were told of, as the Evaluations want it: each less than the ones
// before.
type costs struct {
	out   io.Writer
	least int64
}

func (c *costs) tell(w io.Writer, cost int64) {
	if cost < c.least {
		c.least = cost
		fmt.Fprintf(w, "o %d\n", cost)
	}
}

func (r unknown) Partial() (program.Answer, bool) {
	if a, ok := r.Running.Partial(); ok {
		return a, true
	}
	return answer{}, false
}

// answer is what was found of a formula.
type answer struct {
	vars    int
	weighed bool // whether models cost something
	codes   bool // whether the exit code tells the status
	found   sat.Answer
	proof   *program.Output // nil: none
	told    *costs          // nil: nobody was told what models cost
}

// status is what is known. Of a formula with weights a model says nothing while a cheaper one may
// be found.
func (a answer) status() sat.Status {
	if a.weighed && a.found.Status == sat.Satisfiable {
		return sat.Unknown
	}
	return a.found.Status
}

// modelWidth bounds the lines of a model, as the competitions' rules ask for.
const modelWidth = 78

func (a answer) Text(w io.Writer) error {
	out := bufio.NewWriter(w)
	if a.weighed && a.found.HasModel() {
		told := a.told
		if told == nil {
			told = &costs{least: math.MaxInt64}
		}
		told.tell(out, a.found.Cost)
	}
	fmt.Fprintf(out, "s %v\n", a.status())
	if a.found.HasModel() {
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

// weighing is an answer so far of a formula with weights.
type weighing struct{ answer }

func (w weighing) Brief() string {
	return fmt.Sprintf("best %d, bound %d", w.found.Cost, w.found.Bound)
}

func (w weighing) Bounds() (best, bound float64) {
	return float64(w.found.Cost), float64(w.found.Bound)
}

func (a answer) JSON() any {
	type status struct {
		Status string `json:"status"`
	}
	st := status{a.status().String()}
	if !a.found.HasModel() {
		return st
	}
	if a.weighed {
		return struct {
			status
			Cost      int64   `json:"cost"`
			Bound     int64   `json:"bound"` // no model costs less
			Model     []int32 `json:"model"`
			Conflicts int64   `json:"conflicts"`
			Cores     int64   `json:"cores"`
		}{st, a.found.Cost, a.found.Bound, a.found.Literals(a.vars), a.found.Conflicts, a.found.Cores}
	}
	return struct {
		status
		Model []int32 `json:"model"`
	}{st, a.found.Literals(a.vars)}
}

// Keep writes the proof, when there is something to prove.
func (a answer) Keep() error {
	if a.proof == nil || a.found.Status != sat.Unsatisfiable {
		return nil
	}
	return a.proof.Write(func(w io.Writer) error { return sat.WriteProof(w, a.found) })
}

// What the exit code says with --sat-exit-codes.
const (
	exitSatisfiable   = 10
	exitUnsatisfiable = 20
	exitOptimal       = 30
)

// Code is the exit code of the SAT competitions, and of the MaxSAT Evaluations, when asked for.
func (a answer) Code() int {
	switch {
	case a.codes && a.found.Status == sat.Optimal:
		return exitOptimal
	case a.codes && a.status() == sat.Satisfiable:
		return exitSatisfiable
	case a.codes && a.found.Status == sat.Unsatisfiable:
		return exitUnsatisfiable
	default:
		return 0
	}
}
