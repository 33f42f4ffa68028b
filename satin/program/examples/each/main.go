package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program"
)

// allow is the environment variable that lets this process run executables. It is the one of the
// flag --allow-exec, so that the processes of run --sites have it from their parent.
const allow = "EACH_ALLOW_EXEC"

// linesMax bounds the list: the root is on every peer.
const linesMax = 1_000_000

// Batch is the root: an executable with its arguments, and the lines that it is run for.
type Batch struct {
	Argv  []string
	Lines []string
}

// Run runs it for each line.
func (b Batch) Run(s *satin.Scope) (Report, error) {
	out := make(Report, len(b.Lines))
	err := satin.Each(s, len(b.Lines), func(i int) Line { return Line{i} }, func(i int, e Ended) { out[i] = e })
	return out, err
}

// argv is what is run for a line.
func (b *Batch) argv(line string) []string {
	out, used := make([]string, 0, len(b.Argv)+1), false
	for _, word := range b.Argv {
		used = used || strings.Contains(word, "{}")
		out = append(out, strings.ReplaceAll(word, "{}", line))
	}
	if !used {
		out = append(out, line)
	}
	return out
}

// parse reads the list, and lets this machine run what its own user has typed.
func parse(in *program.Input) (b Batch, err error) {
	if b.Argv = in.Words; len(b.Argv) == 0 {
		return b, errors.New("run what? Give an executable and its arguments, after --")
	}
	list := &program.Input{Words: []string{in.Flags.String("list")}}
	err = list.Read("", func(r io.Reader, name string) error {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			b.Lines = append(b.Lines, lines.Text())
		}
		if len(b.Lines) > linesMax {
			return fmt.Errorf("%s has %d lines: %d at most are expected", name, len(b.Lines), linesMax)
		}
		return lines.Err()
	})
	if err == nil {
		err = os.Setenv(allow, "true")
	}
	return b, err
}

// serve reads whether a node allows it.
func serve(c *cli.Context) error {
	return os.Setenv(allow, strconv.FormatBool(c.Bool("allow-exec")))
}

func application() *program.Application {
	a := program.Of("each", parse, satin.Type[Line]())
	a.Summary = "run an executable for each line of a list"
	a.Input, a.Many, a.Chooses = "-- EXECUTABLE [ARGUMENT…]", true, true
	a.Details = `Runs EXECUTABLE for each line of the list, with {} in its arguments replaced by the line, or with the line as the
last argument. No shell takes part. Each line is run at least once: twice where a machine dies meanwhile. Prints what
all have written, in the order of the lines; the exit code is 0 if all of theirs are, and else ` + strconv.Itoa(failed) + `.`
	a.Flags = []cli.Flag{&cli.StringFlag{Name: "list", Value: "-", Usage: "`FILE` with the lines, or - for standard input"}}
	a.NodeFlags = []cli.Flag{&cli.BoolFlag{Name: "allow-exec", Usage: "run the executables of whoever has the grid's secret"}}
	a.Serve = serve
	return a
}

func main() { program.Main(application()) }
