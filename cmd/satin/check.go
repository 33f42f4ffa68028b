package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"
)

// checker verifies answers of an application. It shares nothing with the code that finds them but the types of the problem.
type checker struct {
	details string // what ANSWER and PROOF may be, in a few lines
	proof   bool   // whether a PROOF may follow
	flags   []cli.Flag
	verify  func(c *cli.Context, claim claim) (verdict, error)
}

// claim is what is to be verified: names of files.
type claim struct {
	instance string // "" is the embedded example, or what --generate makes
	answer   string
	proof    string // "": none is given
}

// verdict is what a checker has verified.
type verdict struct {
	says     string // in a sentence, and what it has not
	verified any    // the same for --json
}

// wrong is the error of an answer, or of a proof, that could be read and is not right.
type wrong struct{ error }

func (w wrong) Unwrap() error { return w.error }

func wrongf(format string, args ...any) error { return wrong{fmt.Errorf(format, args...)} }

func checkCommand(con *console) *cli.Command {
	check := &cli.Command{
		Name:               "check",
		Category:           "1 RUN",
		Usage:              "verify an answer with code that shares nothing with the solver",
		ArgsUsage:          "APP INSTANCE ANSWER [PROOF]",
		CustomHelpTemplate: groupHelp,
	}
	for _, a := range applications() {
		if a.checker == nil {
			continue
		}
		check.Subcommands = append(check.Subcommands, &cli.Command{
			Name:      a.name,
			Usage:     "verify an answer of " + a.name,
			ArgsUsage: a.checker.usage(),
			Description: a.checker.details + `
INSTANCE is what was run, ` + embedded + ` or - for the embedded example. ANSWER is - for standard input. The exit code is
0 and a line says what was verified and what was not, or 1 where the answer is wrong, or 2 where a file cannot be read.`,
			Flags:  append([]cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print what was verified as one line of JSON"}}, a.checker.flags...),
			Action: func(c *cli.Context) error { return check1(con, a, c) },
		})
	}
	return check
}

func (k *checker) usage() string {
	if k.proof {
		return "INSTANCE ANSWER [PROOF]"
	}
	return "INSTANCE ANSWER"
}

// claimed takes the arguments apart. With --generate there is no INSTANCE.
func (k *checker) claimed(c *cli.Context, app string) (claim, error) {
	args, usage := c.Args().Slice(), k.usage()
	for _, word := range args {
		if word == "" {
			return claim{}, usageError("check %s: an argument is an empty word, the name of a file is expected", app)
		}
	}
	if c.IsSet("generate") {
		usage = usage[len("INSTANCE "):] + " with --generate"
		args = append([]string{embedded}, args...)
	}
	most := 2
	if k.proof {
		most = 3
	}
	if len(args) < 2 || len(args) > most {
		return claim{}, usageError("check %s takes %s, but there are %s", app, usage, count(c.NArg(), "argument"))
	}
	out := claim{instance: args[0], answer: args[1]}
	if out.instance == embedded || out.instance == "-" {
		out.instance = ""
	}
	if len(args) > 2 {
		out.proof = args[2]
	}
	return out, nil
}

// check1 verifies one answer and prints the verdict.
func check1(con *console, a *application, c *cli.Context) error {
	claim, err := a.checker.claimed(c, a.name)
	if err != nil {
		return err
	}
	name := claim.instance
	switch {
	case c.IsSet("generate"):
		name = c.String("generate")
	case name == "":
		name = embedded
	}
	var v verdict
	whileSlow(func() { v, err = a.checker.verify(c, claim) }, func() {
		fmt.Fprintf(con.err, "satin: verifying %s\n", standardInput(claim.answer))
	})
	var refuted wrong
	if err != nil && !errors.As(err, &refuted) {
		return usageError("%v", err)
	}
	if err != nil {
		v = verdict{says: err.Error()}
	}
	if c.Bool("json") {
		if err := printJSON(con.out, checkDocument{schema, a.name, name, err == nil, v.verified, v.says}); err != nil {
			return err
		}
	} else if err == nil {
		if _, err := fmt.Fprintf(con.out, "satin: %s: %s\n", name, v.says); err != nil {
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

// stdin is the name of an ANSWER that is standard input.
const stdin = "standard input"

func standardInput(name string) string {
	if name == "-" {
		return stdin
	}
	return name
}

// answerOf reads an ANSWER, which may be standard input; read gets the name that errors say.
func answerOf[T any](name string, read func(r io.Reader, file string) (T, error)) (said T, err error) {
	if name == "-" {
		return read(os.Stdin, stdin)
	}
	err = opened(name, func(r io.Reader) (err error) {
		said, err = read(r, name)
		return err
	})
	return said, err
}
