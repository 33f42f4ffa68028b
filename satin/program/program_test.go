package program

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// double is a program of one task, as its author writes it.
func double() *Program {
	return &Program{Applications: []*Application{Of("double", func(in *Input) (fib, error) {
		n, err := in.Number(20)
		return fib{n}, err
	})}}
}

// ran runs a command line of a program in this process.
func ran(p *Program, args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = p.Run(args, &console.Console{Out: &o, Err: &e, Terminal: -1})
	return code, o.String(), e.String()
}

// TestApplicationsShareATask: a program of two applications whose roots are of one type can be a
// peer, and serves both.
func TestApplicationsShareATask(t *testing.T) {
	one, other := double().Applications[0], double().Applications[0]
	other.Name = "twice"
	p := &Program{Name: "both", Applications: []*Application{one, other}}
	peer, err := satin.Open(t.Context(), satin.Config{App: p.App(), Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	if n, err := satin.Run(t.Context(), peer, fib{10}); n != 55 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// TestOneApplication need not be named, and its program bears its name.
func TestOneApplication(t *testing.T) {
	for line, want := range map[string]string{
		"run":                       "6765\n",
		"run 10 --workers 1":        "55\n",
		"__complete ":               "run submit watch result cancel share node leave migrate kick launch status top dash record report trace peers jobs logs store bench key version completion help",
		"__complete run --wo":       "--workers",
		"completion fish":           "double __complete",
		"--help":                    "double - a divide-and-conquer program\n",
		"help":                      "double help COMMAND tells more. A good start: double run\n",
		"help run":                  "double run [INPUT] - run it: on this machine, ",
		"help node":                 "DOUBLE_NAME in the environment stands in for --name",
		"run 10 --json --workers=1": `"app":"double","input":"10","answer":55,"complete":true`,
	} {
		code, out, err := ran(double(), strings.Split(line, " ")...)
		if strings.HasPrefix(line, "__complete") {
			out = strings.Join(strings.Fields(out), " ")
		}
		if code != 0 || err != "" || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, %q, %q, wanted %q", line, code, out, err, want)
		}
	}
	for line, want := range map[string]string{
		"run 1 2":    "double: run takes one input, but there are 2: \"2\" is too many\n",
		"run one":    "double: \"one\" is no input: a whole number is expected\n",
		"apps":       "double: there is no command \"apps\"; there are run, ",
		"run --jion": "double: run has no flag --jion; did you mean --json?\n",
		"sim":        "double: there is no command \"sim\"; there are run, ",
	} {
		if code, out, err := ran(double(), strings.Fields(line)...); code != console.ExitUsage || out != "" || !strings.HasPrefix(err, want) {
			t.Errorf("%s: exit %d, %q, %q, wanted %q", line, code, out, err, want)
		}
	}
	t.Setenv("DOUBLE_WORKERS", "many")
	if code, _, err := ran(double(), "run"); code != console.ExitUsage || err != "double: DOUBLE_WORKERS is \"many\": a whole number is expected\n" {
		t.Errorf("exit %d, %q", code, err)
	}
}

// TestManyWords reach an application that takes them, with a flag that is given more than once.
func TestManyWords(t *testing.T) {
	var got []string
	a := double().Applications[0]
	a.Many, a.Flags = true, []cli.Flag{&cli.StringSliceFlag{Name: "with"}}
	a.Root = RootOf(func(in *Input) (fib, error) {
		got = append(in.Words, in.Flags.StringSlice("with")...)
		return fib{10}, nil
	}, nil)
	code, out, err := ran(&Program{Applications: []*Application{a}}, "run", "10", "--with", "x", "-", "--with=y", "--json", "--", "--z")
	if code != 0 || !strings.Contains(out, `"input":"10 - --z"`) || strings.Join(got, " ") != "10 - --z x y" {
		t.Errorf("exit %d, %q, %q: it got %q", code, out, err, got)
	}
}

// TestAuthorsMistakes are found at the first start.
func TestAuthorsMistakes(t *testing.T) {
	program := func(change func(*Program, *Application)) *Program {
		p := double()
		change(p, p.Applications[0])
		return p
	}
	for want, p := range map[string]*Program{
		"has no application":           {Name: "empty"},
		"an Application is nil":        {Name: "x", Applications: []*Application{nil}},
		`the name of a Program is ""`:  program(func(p *Program, a *Application) { p.Applications = append(p.Applications, sample().Applications...) }),
		`of a Program is "my prog"`:    program(func(p *Program, _ *Application) { p.Name = "my prog" }),
		`an Application is "a/b"`:      program(func(p *Program, a *Application) { p.Name, a.Name = "x", "a/b" }),
		"two applications are called ": program(func(p *Program, a *Application) { p.Name, p.Applications = "x", append(p.Applications, a) }),
		"double has no Root":           program(func(_ *Program, a *Application) { a.Root = Root{} }),
		"or no task in its App":        program(func(_ *Program, a *Application) { a.App = satin.App{} }),
		"run has two flags --json":     program(func(_ *Program, a *Application) { a.Flags = []cli.Flag{&cli.BoolFlag{Name: "json"}} }),
		"--site of run takes a value where ": program(func(_ *Program, a *Application) {
			a.Flags = []cli.Flag{&cli.BoolFlag{Name: "site"}}
		}),
		"flag --of is a *cli.TimestampFlag": program(func(_ *Program, a *Application) { a.Flags = []cli.Flag{&cli.TimestampFlag{Name: "of"}} }),
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "program: ") || !strings.Contains(said, want) {
					t.Errorf("it panics with %q, wanted %q", said, want)
				}
			}()
			ran(p, "version")
		}()
	}
}

// forgetful is a job that spawns one of a type that its application does not list.
type forgetful struct{}

func (forgetful) Run(s *satin.Scope) (int64, error) { return satin.Spawn(s, fib{3}).Wait(s) }

// TestForgottenTask is met where its author runs the program for the first time, alone, and it is
// said where to list it.
func TestForgottenTask(t *testing.T) {
	p := &Program{Applications: []*Application{Of("forgetful", func(*Input) (forgetful, error) { return forgetful{}, nil })}}
	code, out, err := ran(p, "run")
	if code != console.ExitFailed || out != "" || !strings.Contains(err, "task program.fib is not among the tasks of its application, ") ||
		!strings.HasSuffix(err, ": list satin.Type[program.fib]() in program.Of, or in the Application's App\n") {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}

// length says how good it is, and not how it is shown.
type length int

func (length) Brief() string { return "quite short" }

// TestPlainAnswers are printed as fmt and encoding/json print them; what JSON cannot say, as its
// text. They may be Briefers.
func TestPlainAnswers(t *testing.T) {
	for _, c := range []struct {
		answer     Answer
		text, json string
	}{
		{shown(12), "12\n", "12"},
		{shown([]string{"a", "b"}), "[a b]\n", `["a","b"]`},
		{shown(math.Inf(1)), "+Inf\n", `"+Inf"`},
		{shown(valued{7}), "7\n", `{"value":7}`}, // which is an answer itself
		{shown(length(3)), "3\n", "3"},
	} {
		var text bytes.Buffer
		err := c.answer.Text(&text)
		if doc, _ := json.Marshal(c.answer.JSON()); err != nil || text.String() != c.text || string(doc) != c.json {
			t.Errorf("%v: %q, %s, %v", c.answer, &text, doc, err)
		}
	}
	if b, ok := shown(length(3)).(Briefer); !ok || b.Brief() != "quite short" {
		t.Error("one that says how good it is is not a Briefer any more")
	}
	if _, ok := shown(3).(Briefer); ok {
		t.Error("a number is a Briefer")
	}
}

// TestReadInput reads the files that are named, or what there is otherwise.
func TestReadInput(t *testing.T) {
	var got string
	read := func(r io.Reader, name string) error {
		text, err := io.ReadAll(r)
		got += filepath.Base(name) + " " + string(text) + "; "
		return err
	}
	folder := t.TempDir()
	one, two := filepath.Join(folder, "1"), filepath.Join(folder, "2")
	os.WriteFile(one, []byte("a"), 0o600)
	os.WriteFile(two, []byte("b"), 0o600)
	for _, c := range []struct {
		words []string
		want  string
	}{{nil, "(embedded) example; "}, {[]string{two, one}, "2 b; 1 a; "}} {
		got = ""
		if err := (&Input{Words: c.words}).Read("example", read); err != nil || got != c.want {
			t.Errorf("%q, %v, wanted %q", got, err, c.want)
		}
	}
	name := filepath.Join(folder, "none")
	if err := (&Input{Words: []string{one, name}}).Read("example", read); err == nil || err.Error() != name+": no such file or directory" {
		t.Error(err)
	}
}
