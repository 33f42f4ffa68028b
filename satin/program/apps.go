package program

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

func (p *Program) appsCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name:        "apps",
		Category:    "1 RUN",
		Usage:       "the applications in this binary, their inputs and parameters",
		ArgsUsage:   "[APP]",
		Description: "Lists the applications, or tells what one of them takes.",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"}},
		Action: func(c *cli.Context) error {
			some, err := p.chosen(c.Args().Slice())
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return console.PrintJSON(con.Out, appsDocument(some))
			}
			for _, a := range some {
				printApplication(con, a)
			}
			return nil
		},
	}
}

// chosen are the applications named, or all.
func (p *Program) chosen(args []string) ([]*Application, error) {
	all := p.Applications
	if len(args) == 0 {
		return all, nil
	}
	if len(args) > 1 {
		return nil, console.Usage("apps takes one application at most, but there are %d: %q is too many", len(args), args[1])
	}
	var names []string
	for _, a := range all {
		if a.Name == args[0] {
			return []*Application{a}, nil
		}
		names = append(names, a.Name)
	}
	if best, ok := wording.Nearest(args[0], names); ok {
		return nil, console.Usage("there is no application %q; did you mean %s?", args[0], best)
	}
	return nil, console.Usage("there is no application %q; there are %s", args[0], wording.List(names))
}

func printApplication(con *console.Console, a *Application) {
	fmt.Fprintf(con.Out, "%s - %s\n  %s run %s %s\n", a.Name, a.Summary, con.Name, a.Name, a.Input)
	fmt.Fprintf(con.Out, "  %s\n", strings.ReplaceAll(a.Details, "\n", "\n  "))
	for _, f := range a.flags() {
		fmt.Fprintf(con.Out, "    %s\n", describe(f))
	}
	fmt.Fprintln(con.Out)
}

type appRow struct {
	Name    string    `json:"name"`
	Summary string    `json:"summary"`
	Input   string    `json:"input"`
	Details string    `json:"details"`
	Inputs  []string  `json:"inputs"`
	Flags   []flagRow `json:"flags"`
}

type flagRow struct {
	Names   []string `json:"names"`
	Usage   string   `json:"usage"`
	Default string   `json:"default"`
}

func appsDocument(some []*Application) any {
	rows := []appRow{}
	for _, a := range some {
		row := appRow{a.Name, a.Summary, a.Input, a.Details, append([]string{}, a.Inputs...), []flagRow{}}
		for _, f := range a.flags() {
			doc := f.(cli.DocGenerationFlag)
			row.Flags = append(row.Flags, flagRow{f.Names(), doc.GetUsage(), doc.GetValue()})
		}
		rows = append(rows, row)
	}
	return struct {
		Schema int      `json:"schema"`
		Apps   []appRow `json:"apps"`
	}{console.Schema, rows}
}
