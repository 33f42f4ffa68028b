package program

import (
	"context"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
)

// Application is what the command knows of a program that it can run.
type Application struct {
	Name    string
	Summary string
	Input   string     // what INPUT is, for the usage line: "[N]"
	Details string     // what INPUT may be and what is printed, in a few lines
	Inputs  []string   // the inputs that have names, for suggestions
	Flags   []cli.Flag // beside those that every run has
	App     satin.App

	// Chooses tells that the jobs read the best solution so far, so that several values of one
	// are right. --verify leaves those out, and so does nothing here.
	Chooses bool

	// Prepare reads the input, which is "" where none was given, and the flags, and says what
	// is wrong with them before anything is computed. It sees the flags of run, too.
	Prepare func(c *cli.Context, input string) (*Prepared, error)

	Checker *Checker // nil: there is none
}

// Embedded is the name of the input that a run without one gets.
const Embedded = "(embedded)"

// Prepared is a run that is ready to start.
type Prepared struct {
	Input string // as the answer names it
	Start func(ctx context.Context, p *satin.Peer) (Running, error)
}

// Number reads an input that is a whole number, and returns how the answer names it.
func Number(input string, otherwise int) (int, string, error) {
	if input == "" {
		return otherwise, Embedded, nil
	}
	n, err := strconv.Atoi(input)
	if err != nil {
		return 0, "", fmt.Errorf("%q is no input: a whole number is expected", input)
	}
	return n, input, nil
}
