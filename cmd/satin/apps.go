package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func appsCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:        "apps",
		Category:    "1 RUN",
		Usage:       "the applications in this binary, their inputs and parameters",
		ArgsUsage:   "[APP]",
		Description: "Lists the applications, or tells what one of them takes.",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"}},
		Action: func(c *cli.Context) error {
			some, err := chosen(c.Args().Slice())
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return printJSON(con.out, appsDocument(some))
			}
			for _, a := range some {
				printApplication(con, a)
			}
			return nil
		},
	}
}

// chosen are the applications named, or all.
func chosen(args []string) ([]*application, error) {
	all := applications()
	if len(args) == 0 {
		return all, nil
	}
	if len(args) > 1 {
		return nil, usageError("apps takes one application at most, but there are %d: %q is too many", len(args), args[1])
	}
	var names []string
	for _, a := range all {
		if a.name == args[0] {
			return []*application{a}, nil
		}
		names = append(names, a.name)
	}
	if best, ok := nearest(args[0], names); ok {
		return nil, usageError("there is no application %q; did you mean %s?", args[0], best)
	}
	return nil, usageError("there is no application %q; there are %s", args[0], list(names))
}

func printApplication(con *console, a *application) {
	fmt.Fprintf(con.out, "%s - %s\n  satin run %s %s\n", a.name, a.summary, a.name, a.input)
	fmt.Fprintf(con.out, "  %s\n", strings.ReplaceAll(a.details, "\n", "\n  "))
	for _, f := range a.flags {
		fmt.Fprintf(con.out, "    %s\n", describe(f))
	}
	fmt.Fprintln(con.out)
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

func appsDocument(some []*application) any {
	rows := []appRow{}
	for _, a := range some {
		row := appRow{a.name, a.summary, a.input, a.details, append([]string{}, a.inputs...), []flagRow{}}
		for _, f := range a.flags {
			doc := f.(cli.DocGenerationFlag)
			row.Flags = append(row.Flags, flagRow{f.Names(), doc.GetUsage(), doc.GetValue()})
		}
		rows = append(rows, row)
	}
	return struct {
		Schema int      `json:"schema"`
		Apps   []appRow `json:"apps"`
	}{schema, rows}
}
