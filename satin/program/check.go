package program

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// checkCommand verifies answers of the applications that have a checker; nil where none has.
func (p *Program) checkCommand(con *console.Console) *cli.Command {
	if a := p.only(); a != nil && a.Checker != nil {
		c := p.checkCommandOf(con, a)
		c.Name, c.Category = "check", "1 RUN"
		return c
	}
	check := &cli.Command{
		Name:      "check",
		Category:  "1 RUN",
		Usage:     "verify an answer with code that shares nothing with the solver",
		ArgsUsage: "APP INSTANCE ANSWER [PROOF]",
	}
	for _, a := range p.Applications {
		if a.Checker != nil {
			check.Subcommands = append(check.Subcommands, p.checkCommandOf(con, a))
		}
	}
	if len(check.Subcommands) == 0 {
		return nil
	}
	return check
}

// checkCommandOf is the command that verifies answers of an application.
func (p *Program) checkCommandOf(con *console.Console, a *Application) *cli.Command {
	return &cli.Command{
		Name:      a.Name,
		Usage:     "verify an answer of " + a.Name,
		ArgsUsage: checkUsage(a.Checker),
		Description: a.Checker.Details + `
INSTANCE is what was run, ` + Embedded + ` or - for the embedded example. ANSWER is - for standard input. The exit code is
0 and a line says what was verified and what was not, or 1 where the answer is wrong, or 2 where a file cannot be read.`,
		Flags:  append([]cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print what was verified as one line of JSON"}}, a.Checker.Flags...),
		Action: func(c *cli.Context) error { return p.checkOnce(con, a, c) },
	}
}

func checkUsage(k *Checker) string {
	if k.Proof {
		return "INSTANCE ANSWER [PROOF]"
	}
	return "INSTANCE ANSWER"
}

// isMade tells whether a flag makes the instance, so that there is no INSTANCE.
func isMade(k *Checker, c *cli.Context) bool { return k.Maker != "" && c.IsSet(k.Maker) }

// caseOf takes the arguments apart.
func (p *Program) caseOf(a *Application, c *cli.Context) (Case, error) {
	verb := p.typed("check", a)
	k := a.Checker
	args, usage := c.Args().Slice(), checkUsage(k)
	for _, word := range args {
		if word == "" {
			return Case{}, console.Usage("%s: an argument is an empty word, the name of a file is expected", verb)
		}
	}
	if isMade(k, c) {
		usage = usage[len("INSTANCE "):] + " with --" + k.Maker
		args = append([]string{Embedded}, args...)
	}
	most := 2
	if k.Proof {
		most = 3
	}
	if len(args) < 2 || len(args) > most {
		return Case{}, console.Usage("%s takes %s, but there are %s", verb, usage, wording.Count(c.NArg(), "argument"))
	}
	out := Case{Instance: args[0], Answer: args[1]}
	if out.Instance == Embedded || out.Instance == "-" {
		out.Instance = ""
	}
	if len(args) > 2 {
		out.Proof = args[2]
	}
	return out, nil
}

// checkOnce verifies one answer and prints the verdict.
func (p *Program) checkOnce(con *console.Console, a *Application, c *cli.Context) error {
	given, err := p.caseOf(a, c)
	if err != nil {
		return err
	}
	name := given.Instance
	switch {
	case isMade(a.Checker, c):
		name = c.String(a.Checker.Maker)
	case name == "":
		name = Embedded
	}
	var v Verdict
	console.WhileSlow(func() { v, err = a.Checker.Verify(c, given) }, func() {
		con.Say("verifying %s", given.Name())
	})
	var refuted Wrong
	if err != nil && !errors.As(err, &refuted) {
		return console.Usage("%v", err)
	}
	if err != nil {
		v = Verdict{Says: err.Error()}
	}
	if c.Bool("json") {
		if err := console.PrintJSON(con.Out, checkDocument{console.Schema, a.Name, name, err == nil, v.Verified, v.Says}); err != nil {
			return err
		}
	} else if err == nil {
		if _, err := fmt.Fprintf(con.Out, "%s: %s: %s\n", con.Name, name, v.Says); err != nil {
			return err
		}
	}
	return err
}

// checkDocument is what check --json prints.
type checkDocument struct {
	Schema   int    `json:"schema"`
	App      string `json:"app"`
	Input    string `json:"input"`
	Right    bool   `json:"right"`
	Verified any    `json:"verified"` // null where the answer is wrong
	Says     string `json:"says"`
}
