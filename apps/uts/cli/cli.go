// Package cli is what the command takes, prints and explains of package uts.
package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
	"satingrid/satin/program"
	"satingrid/satin/program/wording"
)

// otherwise is the tree that is counted where none is named.
const otherwise = "T1"

// Application is package uts for the command.
func Application() *program.Application {
	return &program.Application{
		Name:    "uts",
		Summary: "count the nodes of an unbalanced tree of the UTS benchmark",
		Input:   "[TREE]",
		Details: "TREE is " + wording.List(names()) + ",\nby default " + otherwise + `; or give a tree's parameters as the benchmark's own command takes them.
Prints the numbers of nodes and leaves, and the depth.`,
		Inputs: names(),
		Flags:  flags(),
		App:    uts.App(),
		Draws:  true,
		Root:   program.RootOf(parse, show),
	}
}

func parse(in *program.Input) (uts.Tree, error) {
	p, name, err := wanted(in.Flags, in.Word())
	if err != nil {
		return uts.Tree{}, err
	}
	in.Called = name
	return uts.New(p)
}

func show(root *uts.Tree, _ *program.Input) (program.View[uts.Count], error) {
	return program.View[uts.Count]{
		Answer: func(v uts.Count) program.Answer { return answer{v.Nodes, v.Leaves, v.Depth} },
		Around: func(r program.Running, _ bool) program.Running { return &shaped{Running: r, tree: root} },
	}, nil
}

func names() []string {
	var out []string
	for _, n := range tree.Names {
		out = append(out, n.Name)
	}
	return out
}

func flags() []cli.Flag {
	d := tree.Default
	return []cli.Flag{
		&cli.IntFlag{Name: "type", Aliases: []string{"t"}, Value: int(d.Kind), Usage: "0 binomial, 1 geometric, 2 hybrid, 3 balanced"},
		&cli.IntFlag{Name: "shape", Aliases: []string{"a"}, Value: int(d.Shape), Usage: "of a geometric tree: 0 linear, 1 exponential, 2 cyclic, 3 fixed"},
		&cli.IntFlag{Name: "depth", Aliases: []string{"d"}, Value: d.Depth, Usage: "of a geometric tree"},
		&cli.Float64Flag{Name: "branching", Aliases: []string{"b"}, Value: d.Branching, Usage: "children of the root"},
		&cli.Float64Flag{Name: "prob", Aliases: []string{"q"}, Value: d.Prob, Usage: "that a node of a binomial tree has children"},
		&cli.IntFlag{Name: "children", Aliases: []string{"m"}, Value: d.Children, Usage: "of such a node"},
		&cli.IntFlag{Name: "root", Aliases: []string{"r"}, Value: d.Seed, Usage: "seed of the tree"},
		&cli.Float64Flag{Name: "shift", Aliases: []string{"f"}, Value: d.Shift, Usage: "share of the depth where a hybrid tree turns binomial"},
	}
}

// wanted is the tree that was asked for, and how the answer names it.
func wanted(c *cli.Context, input string) (tree.Params, string, error) {
	p, given, err := params(c)
	switch {
	case err != nil:
		return p, "", err
	case given && input != "":
		return p, "", errors.New("give a tree's name or its parameters, not both")
	case given:
		return p, p.String(), nil
	case input == "":
		n, _ := tree.ByName(otherwise)
		return n.Params, program.Embedded, nil
	}
	if n, ok := tree.ByName(strings.ToUpper(input)); ok {
		return n.Params, n.Name, nil
	}
	if best, ok := wording.Nearest(strings.ToUpper(input), names()); ok {
		return p, "", fmt.Errorf("there is no tree %q; did you mean %s?", input, best)
	}
	return p, "", fmt.Errorf("there is no tree %q; there are %s, or give parameters", input, wording.List(names()))
}

// params reads the parameters, and tells whether there were any.
func params(c *cli.Context) (tree.Params, bool, error) {
	given := false
	for _, f := range flags() {
		given = given || c.IsSet(f.Names()[0])
	}
	kind, shape := c.Int("type"), c.Int("shape")
	if kind < 0 || kind > int(tree.Balanced) || shape < 0 || shape > int(tree.Fixed) {
		return tree.Params{}, given, fmt.Errorf("-t %d -a %d: a type and a shape from 0 to 3 are expected", kind, shape)
	}
	return tree.Params{
		Kind: tree.Kind(kind), Shape: tree.Shape(shape), Depth: c.Int("depth"), Branching: c.Float64("branching"),
		Prob: c.Float64("prob"), Children: c.Int("children"), Seed: c.Int("root"), Shift: c.Float64("shift"),
	}, given, nil
}

type answer struct {
	Nodes  int64 `json:"nodes"`
	Leaves int64 `json:"leaves"`
	Depth  int   `json:"depth"`
}

func (a answer) JSON() any { return a }
func (a answer) Text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "nodes %d\nleaves %d\ndepth %d\n", a.Nodes, a.Leaves, a.Depth)
	return err
}
