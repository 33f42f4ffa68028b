// Package programtest tests what applications say of themselves, without the command around them:
// in this process ([Prepare], [Run]), or in processes of their own that may be killed ([Main],
// [Command], [Process]).
package programtest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
)

// Prepare prepares a run of this input, which is "" for none, with these flags.
func Prepare(a *program.Application, input string, flags ...string) (p *program.Prepared, err error) {
	words := append([]string{a.Name}, flags...)
	if input != "" {
		words = append(words, "--", input)
	}
	app := &cli.App{
		Flags:     slices.Concat(runFlags(), a.Flags, a.AnswerFlags),
		Writer:    io.Discard,
		ErrWriter: io.Discard,
		Action: func(c *cli.Context) error {
			p, err = a.Prepare(&program.Input{Words: c.Args().Slice(), Flags: c, Elsewhere: c.IsSet("join")})
			return nil
		},
	}
	if bad := app.Run(words); bad != nil {
		return nil, bad
	}
	return p, err
}

// Run runs a command line of a program with this application alone, in this process: what it
// prints, what it says and its exit code.
func Run(a *program.Application, words ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	p := &program.Program{Applications: []*program.Application{a}}
	code = p.Run(words, &console.Console{Out: &o, Err: &e, Terminal: -1})
	return code, o.String(), e.String()
}

// itself is a variable that this process has in its environment where it is the program.
const itself = "SATIN_PROGRAMTEST"

// Main is the TestMain of a package whose tests start processes by [Command]. These, and the peers
// of --sites that they start, are the program with this application alone.
func Main(m *testing.M, a *program.Application) {
	if os.Getenv(itself) != "" {
		(&program.Program{Applications: []*program.Application{a}}).Main()
	}
	os.Exit(m.Run())
}

// Command is a command line of that program, to be started as a process of its own.
func Command(words ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], words...)
	c.Env = append(os.Environ(), itself+"=1")
	return c
}

// Process runs such a command line to its end: what it prints, what it says and its exit code.
func Process(t *testing.T, words ...string) (code int, out, said string) {
	t.Helper()
	var o, e bytes.Buffer
	c := Command(words...)
	c.Stdout, c.Stderr = &o, &e
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), o.String(), e.String()
}

// runFlags are the flags of run that applications look at.
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json"}, &cli.Float64Flag{Name: "verify"}, &cli.StringFlag{Name: "join"}, &cli.Int64Flag{Name: "seed", Value: 1},
	}
}

// Refused checks that a run is not prepared, for a reason that has these words.
func Refused(t *testing.T, a *program.Application, want, input string, flags ...string) {
	t.Helper()
	_, err := Prepare(a, input, flags...)
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s %q %q: %v, want %q", a.Name, input, flags, err, want)
	}
}

// Names checks that a run is prepared whose answer names its input so.
func Names(t *testing.T, a *program.Application, want, input string, flags ...string) {
	t.Helper()
	if p, err := Prepare(a, input, flags...); err != nil || p.Input != want {
		t.Errorf("%s %q %q: %v, %v, want %q", a.Name, input, flags, p, err, want)
	}
}

// Folder writes files into a folder, and names them.
func Folder(t *testing.T, files map[string]string) (folder string, in func(name string) string) {
	t.Helper()
	folder = t.TempDir()
	in = func(name string) string { return folder + string(os.PathSeparator) + name }
	for name, text := range files {
		if err := os.WriteFile(in(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder, in
}

// Alone checks that a folder has these files and no others.
func Alone(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder has %q, wanted %q", got, want)
	}
}
