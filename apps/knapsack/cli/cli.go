// Package cli is what the command takes, prints, explains and checks of package knapsack.
package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/apps/knapsack"
	"satingrid/apps/knapsack/instance"
	"satingrid/satin/program"
)

// maker is the flag that makes a problem, instead of reading one, and number the one that says
// which problem of a file is meant.
const (
	maker  = "generate"
	number = "problem"
)

// Application is package knapsack for the command.
func Application() *program.Application {
	return &program.Application{
		Name:    "knapsack",
		Summary: "pack the most valuable items that fit, and prove it",
		Input:   "[FILE]",
		Details: `FILE is a knapsack problem: a .kp of kplib, also with number and capacity on one line, an .in of Jooken, or a .csv
of Pisinger's generator. In all of them an item's profit stands before its weight; in a .kp how often the item may be
packed may stand behind it. Or it is one of several constraints, as the OR-Library has them (mknap1, mknapcb1). By
default, some of 48 numbers of 50 bits are to come close to a sum. Prints value, weight (by the first constraint), what
is proved, and the items, numbered from 1, with 3x2 for two of the third.`,
		Flags:   problemFlags("make a problem instead"),
		App:     knapsack.App(),
		Chooses: true,
		Draws:   true,
		Root:    program.RootOf(parse, show),
		Checker: checker(),
	}
}

func parse(in *program.Input) (knapsack.Solve, error) {
	p, name, err := problem(in.Flags, in.Word())
	if err != nil {
		return knapsack.Solve{}, err
	}
	in.Called = name
	return knapsack.New(p), nil
}

func show(*knapsack.Solve, *program.Input) (program.View[knapsack.Packing], error) {
	return program.View[knapsack.Packing]{Answer: func(v knapsack.Packing) program.Answer { return answer{v} }}, nil
}

// problemFlags are those by which problem finds the problem.
func problemFlags(made string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: maker, Usage: made + ": `CLASS,N,R,SEED` with one of Pisinger's classes, 0 to 12; subsetsum,N,R,SEED; or several,N,M,PERCENT,SEED of M constraints with so much room"},
		&cli.IntFlag{Name: number, Value: 1, Usage: "which problem of a FILE that has several: number `K`"},
	}
}

// problem is the problem, and its name in the answer.
func problem(flags *cli.Context, input string) (p *instance.Instance, name string, err error) {
	spec, nth := flags.String(maker), flags.Int(number)
	switch {
	case nth < 1:
		return nil, "", fmt.Errorf("--problem is %d, a number from 1 is expected", nth)
	case nth > 1 && input == "":
		return nil, "", errors.New("--problem is one of a FILE, which is expected, too")
	case spec != "" && input != "":
		return nil, "", errors.New("a FILE and --generate are given, one of them is expected")
	case spec != "":
		if p, err = instance.Made(spec); err != nil {
			return nil, "", fmt.Errorf("--generate %w", err)
		}
		return p, p.Name, nil
	case input == "":
		return knapsack.Example(), program.Embedded, nil
	}
	err = program.ReadFile(input, func(r io.Reader) (err error) {
		p, err = instance.Read(r, input, nth)
		return err
	})
	if nth > 1 {
		input = fmt.Sprintf("%s, problem %d", input, nth)
	}
	return p, input, err
}

// answer is a packing, for package check to read.
type answer struct{ knapsack.Packing }

func (a answer) optimal() bool { return a.Value == a.Bound }

func (a answer) items() []int {
	items := make([]int, len(a.Items))
	for k, x := range a.Items {
		items[k] = int(x) + 1
	}
	return items
}

// gap is how much more a packing might be worth, in percent of this one.
func (a answer) gap() float64 {
	return 100 * float64(a.Bound-a.Value) / float64(max(a.Value, 1))
}

func (a answer) Brief() string {
	return fmt.Sprintf("best %d, bound %d, gap %.2g %%", a.Value, a.Bound, a.gap())
}

func (a answer) Bounds() (best, bound float64) { return float64(a.Value), float64(a.Bound) }

func (a answer) Text(w io.Writer) error {
	proof := "yes"
	if !a.optimal() {
		proof = fmt.Sprintf("no, no value is more than %d, a gap of %.2g %%", a.Bound, a.gap())
	}
	var items []string
	for k, item := range a.items() {
		text := strconv.Itoa(item)
		if a.Copies != nil && a.Copies[k] > 1 {
			text = fmt.Sprintf("%dx%d", item, a.Copies[k])
		}
		items = append(items, text)
	}
	_, err := fmt.Fprintf(w, "value %d\nweight %d\noptimal %s\nitems %s\n", a.Value, a.Weight, proof, strings.Join(items, " "))
	return err
}

func (a answer) JSON() any {
	return struct {
		Value   int64   `json:"value"`
		Weight  int64   `json:"weight"`
		Items   []int   `json:"items"`
		Copies  []int32 `json:"copies,omitempty"` // of each of these; else one
		Optimal bool    `json:"optimal"`
		Bound   int64   `json:"bound"`
	}{a.Value, a.Weight, a.items(), a.Copies, a.optimal(), a.Bound}
}
